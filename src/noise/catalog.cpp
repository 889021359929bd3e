#include "noise/catalog.h"

#include "noise/placement/coverage.h"
#include "noise/placement/method.h"
#include "noise/placement/method_pair.h"
#include "noise/placement/pattern.h"
#include "noise/placement/random_all.h"
#include "noise/placement/read_write.h"
#include "noise/placement/shared_var_all.h"
#include "noise/placement/shared_var_one.h"
#include "noise/placement/sync.h"
#include "noise/placement/unprotected.h"
#include "noise/seeding/barrier.h"
#include "noise/seeding/busy_wait.h"
#include "noise/seeding/halt_one_thread.h"
#include "noise/seeding/inverse_noise.h"
#include "noise/seeding/mixed.h"
#include "noise/seeding/priority.h"
#include "noise/seeding/sleep.h"
#include "noise/seeding/synch_yield.h"
#include "noise/seeding/wait.h"
#include "noise/seeding/yield.h"

namespace heddle {
namespace {

constexpr NoiseRow place(std::string_view name, std::string_view summary, std::string_view source,
                         Placement& (*instance)(), LessonKind lesson = LessonKind::none) {
  return {.name = name,
          .summary = summary,
          .source = source,
          .kind = NoiseKind::placement,
          .lesson = lesson,
          .role = SeedingRole::none,
          .unit = StrengthUnit::none,
          .usual = {},
          .most = 0,
          .placement = instance,
          .seeding = nullptr};
}

struct Amount {
  StrengthUnit unit;
  Strength usual;
  std::uint32_t most;
};

constexpr NoiseRow seed(std::string_view name, std::string_view summary, std::string_view source,
                        Amount amount, Seeding& (*instance)(),
                        SeedingRole role = SeedingRole::basic) {
  return {.name = name,
          .summary = summary,
          .source = source,
          .kind = NoiseKind::seeding,
          .lesson = LessonKind::none,
          .role = role,
          .unit = amount.unit,
          .usual = amount.usual,
          .most = amount.most,
          .placement = nullptr,
          .seeding = instance};
}

constexpr Amount kTime{StrengthUnit::milliseconds, {1, 20}, 60'000};
constexpr Amount kYields{StrengthUnit::yields, {1, 20}, 100'000};
constexpr Amount kEither{StrengthUnit::milliseconds_or_yields, {1, 20}, 60'000};
constexpr Amount kLevels{StrengthUnit::levels, {1, 19}, 19};
constexpr Amount kHalt{StrengthUnit::milliseconds, {100, 100}, 60'000};
constexpr Amount kOperations{StrengthUnit::operations, {2, 20}, 1'000'000};
constexpr Amount kRemaining{StrengthUnit::percent, {0, 100}, 100};

constexpr std::string_view kConTest = "ConTest 2002";
constexpr std::string_view kSurvey = "Fiedor et al. 2014";

constexpr NoiseRow kRows[] = {
    place("random-all", "every concurrent event alike", "ConTest 2002; rstest 2002", random_all),
    place("sharedVar-all", "accesses to variables that several threads touch",
          "Ben-Asher et al. 2003", shared_var_all, LessonKind::shared),
    place("sharedVar-one", "accesses to one such variable, drawn for each run",
          "Ben-Asher et al. 2003", shared_var_one, LessonKind::shared),
    place("coverage", "before the first of two accesses from different threads, or their lock",
          "Letko et al. 2012", coverage_placement, LessonKind::coverage_target),
    place("method", "functions that no switch has interrupted yet", kConTest, method_placement,
          LessonKind::method_interrupted),
    place("method-pair", "functions that some other function has not interrupted yet", kConTest,
          method_pair, LessonKind::method_pair),
    place("sync", "synchronisation that was not blocked or blocking yet", "Trainin et al. 2009",
          sync_placement, LessonKind::sync_task),
    place("pattern", "second and later accesses to a variable in one call of a function", kSurvey,
          pattern_placement),
    place("unprotected", "accesses that no lock guards, and what may block", "rstest 2002",
          unprotected_placement, LessonKind::unprotected),
    place("read/write", "reads, writes and synchronisation each with a seeding of their own",
          "Fiedor and Vojnar 2012", read_write),
    seed("sleep", "the thread sleeps", kConTest, kTime, sleep_seeding),
    seed("yield", "the thread gives way, strength times", kConTest, kYields, yield_seeding),
    seed("busyWait", "the thread spins and keeps its processor", kSurvey, kTime, busy_wait),
    seed("wait", "a timed wait on a monitor that all threads share", kSurvey, kTime, wait_seeding),
    seed("synchYield", "yields while holding a monitor that all threads share", kSurvey, kYields,
         synch_yield),
    seed("priority", "the thread's priority falls or recovers", kConTest, kLevels,
         priority_seeding),
    seed("mixed", "yield, sleep, wait, busyWait or synchYield, drawn at each place", kSurvey,
         kEither, mixed_seeding),
    seed("barrier", "threads about to touch the same variable are held and let go together",
         "Ben-Asher et al. 2003; Fiedor et al. 2014", kTime, barrier_seeding),
    seed("haltOneThread", "one thread stops until no other can move",
         "Trainin et al. 2009; Fiedor et al. 2014", kHalt, halt_one_thread, SeedingRole::either),
    seed("inverseNoise", "all threads but one stop for strength operations", kSurvey, kOperations,
         inverse_noise, SeedingRole::either),
    seed("timeoutTamper", "the program's own sleeps and timed waits are shortened", kSurvey,
         kRemaining, nullptr, SeedingRole::advanced),
};

}  // namespace

std::span<const NoiseRow> noise_catalog() { return kRows; }

const NoiseRow* find_noise(NoiseKind kind, std::string_view name) {
  for (const NoiseRow& row : kRows) {
    if (row.kind == kind && row.name == name) return &row;
  }
  return nullptr;
}

std::string_view unit_name(StrengthUnit unit) {
  switch (unit) {
    case StrengthUnit::milliseconds:
      return "milliseconds";
    case StrengthUnit::yields:
      return "yields";
    case StrengthUnit::operations:
      return "operations";
    case StrengthUnit::milliseconds_or_yields:
      return "milliseconds or yields";
    case StrengthUnit::levels:
      return "levels of priority";
    case StrengthUnit::percent:
      return "per cent of the time that remain";
    case StrengthUnit::none:
      break;
  }
  return "";
}

}  // namespace heddle
