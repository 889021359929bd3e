#include "campaign/server_pipe.h"

#include <errno.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>

namespace heddle::campaign {

PipeRead read_fully(int descriptor, void* to, std::size_t size, const PipeLimit& limit) {
  std::size_t done = 0;
  while (done < size) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
        limit.deadline - std::chrono::steady_clock::now());
    if (left.count() < 0) return PipeRead::too_late;
    pollfd waits[2] = {{descriptor, POLLIN, 0}, {limit.stop_descriptor, POLLIN, 0}};
    const int timeout = static_cast<int>(std::min<long long>(left.count() + 1, 60'000));
    const int ready = poll(waits, limit.stop_descriptor < 0 ? 1 : 2, timeout);
    if (ready < 0 && errno != EINTR) return PipeRead::end_of_file;
    if (ready <= 0) continue;
    if (waits[0].revents == 0) return PipeRead::interrupted;
    const ssize_t got = read(descriptor, static_cast<char*>(to) + done, size - done);
    if (got < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (got <= 0) return PipeRead::end_of_file;
    done += static_cast<std::size_t>(got);
  }
  return PipeRead::complete;
}

}  // namespace heddle::campaign
