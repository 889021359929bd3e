#include "campaign/failure.h"

#include <fmt/core.h>

#include "base/hash.h"

namespace heddle::campaign {

std::string_view failure_name(FailureKind kind) {
  switch (kind) {
    case FailureKind::none:
      return "none";
    case FailureKind::crash:
      return "crash";
    case FailureKind::exit:
      return "exit";
    case FailureKind::deadlock:
      return "deadlock";
    case FailureKind::livelock:
      return "livelock";
    case FailureKind::timeout:
      return "timeout";
    case FailureKind::finding:
      return "finding";
    case FailureKind::output:
      return "output";
  }
  return "none";
}

bool Failure::stray() const {
  return judgement.kind == FailureKind::timeout && record.ended_by == EndedBy::deadline &&
         replays > 0 && replays_same == 0;
}

std::string failure_id(const Judgement& judgement, std::string_view executable) {
  const std::string_view name = executable.substr(executable.rfind('/') + 1);
  const std::uint64_t hash =
      combine(hash_bytes(judgement.signature.data(), judgement.signature.size()),
              hash_bytes(name.data(), name.size()));
  return fmt::format("{}-{:08x}", failure_name(judgement.kind), hash & 0xffffffff);
}

}  // namespace heddle::campaign
