#include "noise/shared_variables.h"

#include "noise/variable.h"

namespace heddle {

SharedVariables::Change SharedVariables::note(const Event& event) {
  Relaxed<std::uint32_t>* owner = owners_.find_or_add(variable_of(event));
  if (owner == nullptr) return Change::none;
  const std::uint32_t me = std::uint32_t{event.thread.value} + 1;
  std::uint32_t before = owner->load();
  if (before == kShared || before == me) return Change::none;
  if (before == 0 && owner->replace(before, me)) return Change::none;
  // Somebody else owns it, perhaps since a moment ago.
  while (before != kShared) {
    if (owner->replace(before, kShared)) return Change::became_shared;
  }
  return Change::none;
}

bool SharedVariables::contains(std::uint64_t variable) {
  const Relaxed<std::uint32_t>* owner = owners_.find(variable);
  return owner != nullptr && owner->load() == kShared;
}

SharedVariables::Change SharedVariables::add(std::uint64_t variable) {
  Relaxed<std::uint32_t>* owner = owners_.find_or_add(variable);
  if (owner == nullptr || owner->load() == kShared) return Change::none;
  owner->store(kShared);
  return Change::became_shared;
}

std::size_t SharedVariables::teach(std::span<NoiseLesson> lessons) const {
  std::size_t count = 0;
  owners_.for_each([&](std::uint64_t variable, const Relaxed<std::uint32_t>& owner) {
    if (owner.load() != kShared) return;
    if (count < lessons.size()) lessons[count] = {LessonKind::shared, variable, 0};
    ++count;
  });
  return count;
}

}  // namespace heddle
