// What a descriptor stands for, as part of its name: "pipe 3" says more than a number.
#pragma once

#include <cstdint>

#include "contract/ids.h"

namespace heddle {

enum class DescriptorKind : std::uint8_t {
  other = 0,
  pipe = 1,
  socket = 2,
  event_counter = 3,
  set = 4,      // of epoll
  several = 5,  // all that one call of the program's waits for
  semaphores =
      6,  // no descriptor: of System V's, by the order in which sets are used, and the place in the set
};

constexpr ObjectId make_descriptor(DescriptorKind kind, int number) {
  return make_object(ObjectKind::descriptor,
                     static_cast<std::uint64_t>(kind) << 32 | static_cast<std::uint32_t>(number));
}
constexpr DescriptorKind descriptor_kind(ObjectId object) {
  return static_cast<DescriptorKind>(object.value >> 32 & 0xff);
}
constexpr std::uint32_t descriptor_number(ObjectId object) {
  return static_cast<std::uint32_t>(object.value);
}

}  // namespace heddle
