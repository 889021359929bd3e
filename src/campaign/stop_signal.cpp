#include "campaign/stop_signal.h"

#include <poll.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>

namespace heddle::campaign {

namespace {

std::atomic<StopSignal*> g_stop{nullptr};
constexpr int kSignals[] = {SIGINT, SIGTERM, SIGHUP};
struct sigaction g_before[3];

void on_signal(int) {
  if (StopSignal* stop = g_stop.load()) stop->raise();
}

}  // namespace

StopSignal::StopSignal() : descriptor_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {}

StopSignal::~StopSignal() { close(descriptor_); }

void StopSignal::raise() {
  const std::uint64_t one = 1;
  [[maybe_unused]] const ssize_t written = write(descriptor_, &one, sizeof one);
}

bool StopSignal::raised() const {
  pollfd wait{descriptor_, POLLIN, 0};
  return poll(&wait, 1, 0) > 0;
}

StopOnSignals::StopOnSignals(StopSignal& stop) {
  g_stop = &stop;
  struct sigaction action {};
  action.sa_handler = on_signal;
  for (int i = 0; i < 3; ++i) {
    sigaction(kSignals[i], nullptr, &g_before[i]);
    // nohup and background shells ignore on purpose: leave it so.
    if (g_before[i].sa_handler != SIG_IGN) sigaction(kSignals[i], &action, nullptr);
  }
}

StopOnSignals::~StopOnSignals() {
  for (int i = 0; i < 3; ++i) sigaction(kSignals[i], &g_before[i], nullptr);
  g_stop = nullptr;
}

}  // namespace heddle::campaign
