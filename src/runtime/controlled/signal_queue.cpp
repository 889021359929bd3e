#include "runtime/controlled/signal_queue.h"

#include "base/check.h"
#include "base/fixed_vector.h"

namespace heddle::controlled {

namespace {

// Of all threads together, in the order they were sent. The kernel carries those past them.
constexpr std::size_t kMost = 1024;
FixedVector<QueuedSignal, kMost> g_queue;

}  // namespace

bool queue_signal(const QueuedSignal& signal) {
  if (g_queue.full()) return false;
  g_queue.push_back(signal);
  ++signal.receiver->queued_signals;
  return true;
}

bool is_queued(const Task& receiver, int signal, bool of_process) {
  for (const QueuedSignal& queued : g_queue) {
    if (queued.receiver == &receiver && queued.info.si_signo == signal &&
        queued.of_process == of_process) {
      return true;
    }
  }
  return false;
}

Task* holder_of_queued(int signal) {
  for (const QueuedSignal& queued : g_queue) {
    if (queued.of_process && queued.info.si_signo == signal) return queued.receiver;
  }
  return nullptr;
}

int next_queued_signal(const Task& receiver) {
  int next = 0;
  if (receiver.queued_signals == 0) return next;
  for (const QueuedSignal& queued : g_queue) {
    if (queued.receiver != &receiver) continue;
    if (next == 0 || queued.info.si_signo < next) next = queued.info.si_signo;
  }
  return next;
}

QueuedSignal take_queued_signal(const Task& receiver, int signal) {
  for (std::size_t i = 0; i < g_queue.size(); ++i) {
    const QueuedSignal queued = g_queue[i];
    if (queued.receiver != &receiver || queued.info.si_signo != signal) continue;
    --queued.receiver->queued_signals;
    g_queue.erase_at(i);
    return queued;
  }
  check(false, "a signal that is taken was queued");
  return {};
}

void forget_signal_queue() {
  for (const QueuedSignal& queued : g_queue) queued.receiver->queued_signals = 0;
  g_queue.clear();
}

}  // namespace heddle::controlled
