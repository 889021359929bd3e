#include "noise/placement/shared_var_one.h"

#include "base/hash.h"
#include "noise/shared_variables.h"
#include "noise/variable.h"

namespace heddle {
namespace {

class SharedVarOne final : public Placement {
 public:
  void begin_run(const NoiseSettings&, Prng& prng) override {
    shared_.clear();
    chosen_.store(0);
    salt_ = prng.next();
  }

  void observe(const Event& event, ThreadNoise&) override {
    if (!is_access(event.kind)) return;
    if (shared_.note(event) == SharedVariables::Change::became_shared) consider(variable_of(event));
  }

  bool wants(const Event& event, ThreadNoise&, Prng&) override {
    return is_access(event.kind) && chosen_.load() == variable_of(event) &&
           shared_.contains(variable_of(event));
  }

  void learn(const NoiseLesson& lesson) override {
    if (lesson.kind != LessonKind::shared) return;
    if (shared_.add(lesson.first) == SharedVariables::Change::became_shared) consider(lesson.first);
  }
  std::size_t teach(std::span<NoiseLesson> lessons) const override {
    return shared_.teach(lessons);
  }

 private:
  std::uint64_t rank(std::uint64_t variable) const { return combine(salt_, variable); }

  void consider(std::uint64_t variable) {
    std::uint64_t chosen = chosen_.load();
    while (chosen == 0 || rank(variable) < rank(chosen)) {
      if (chosen_.replace(chosen, variable)) return;
    }
  }

  // Beside the object, which has a vtable pointer and so is written to disk: these are zeros and
  // are not.
  static constinit inline SharedVariables shared_ = {};
  Relaxed<std::uint64_t> chosen_ = {};  // 0: none yet
  std::uint64_t salt_ = 0;
};

constinit SharedVarOne instance;

}  // namespace

Placement& shared_var_one() { return instance; }

}  // namespace heddle
