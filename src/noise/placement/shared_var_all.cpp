#include "noise/placement/shared_var_all.h"

#include "noise/shared_variables.h"
#include "noise/variable.h"

namespace heddle {
namespace {

class SharedVarAll final : public Placement {
 public:
  void begin_run(const NoiseSettings&, Prng&) override { shared_.clear(); }

  void observe(const Event& event, ThreadNoise&) override {
    if (is_access(event.kind)) shared_.note(event);
  }

  bool wants(const Event& event, ThreadNoise&, Prng&) override {
    return is_access(event.kind) && shared_.contains(variable_of(event));
  }

  void learn(const NoiseLesson& lesson) override {
    if (lesson.kind == LessonKind::shared) shared_.add(lesson.first);
  }
  std::size_t teach(std::span<NoiseLesson> lessons) const override {
    return shared_.teach(lessons);
  }

 private:
  // Beside the object, which has a vtable pointer and so is written to disk: these are zeros and
  // are not.
  static constinit inline SharedVariables shared_ = {};
};

constinit SharedVarAll instance;

}  // namespace

Placement& shared_var_all() { return instance; }

}  // namespace heddle
