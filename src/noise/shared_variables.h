// Which variables more than one thread has touched, learned as it happens.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "contract/event.h"
#include "contract/noise_lesson.h"
#include "noise/learn_table.h"

namespace heddle {

class SharedVariables {
 public:
  void clear() { owners_.clear(); }

  enum class Change : std::uint8_t { none, became_shared };
  // Shown every access.
  Change note(const Event& event);
  bool contains(std::uint64_t variable);
  // Known to be shared from an earlier run; answers as note() does.
  Change add(std::uint64_t variable);

  // Fills from the front; returns how many there are.
  std::size_t teach(std::span<NoiseLesson> lessons) const;
  std::uint64_t overflow() const { return owners_.overflow(); }

 private:
  static constexpr std::uint32_t kShared = 0xffff'ffff;

  // 0: nobody yet; a thread's number plus one; kShared.
  LearnTable<Relaxed<std::uint32_t>, 1 << 15> owners_;
};

}  // namespace heddle
