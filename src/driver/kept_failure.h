// What the commands on a kept failure share: the failure opened, its program found here, and a crew to run it again.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "campaign/crew.h"
#include "campaign/failure_folder.h"
#include "campaign/program.h"
#include "host/files.h"
#include "host/result.h"

namespace heddle {

// The recorded program, as far as it is here, and what differs from the recording.
struct Prepared {
  campaign::Program program;
  std::vector<std::string> differences;
};

// `given` is what followed "--": another program, perhaps with its arguments. Empty: the recorded one.
Result<Prepared> prepare(const campaign::Schedule& schedule, const std::vector<std::string>& given);

// Opens it and refuses what cannot be run again, with a sentence. The decisions are to be followed.
Result<campaign::OpenedFailure> open_replayable(const std::string& path);

// As it was before it was minimised; nothing if it was not.
std::optional<campaign::Schedule> schedule_as_found(const campaign::OpenedFailure& opened);

// A crew for the failure's program, with all that must live as long as it does, the program included. Ctrl-C ends its runs.
class RunningFailure {
 public:
  static Result<std::unique_ptr<RunningFailure>> start(const Prepared& prepared,
                                                       const campaign::OpenedFailure& opened,
                                                       unsigned jobs = 1);

  campaign::Crew& crew() { return *crew_; }
  bool interrupted() const { return stop_.raised(); }

 private:
  RunningFailure(campaign::Program program, campaign::Oracle oracle, TemporaryDirectory scratch)
      : program_(std::move(program)),
        oracle_(std::move(oracle)),
        scratch_(std::move(scratch)),
        on_signals_(stop_) {}

  campaign::Program program_;
  campaign::Oracle oracle_;
  TemporaryDirectory scratch_;
  campaign::StopSignal stop_;
  campaign::StopOnSignals on_signals_;
  std::unique_ptr<campaign::Crew> crew_;
};

// What minimize, explain and verify begin with.
struct FailureAtHand {
  campaign::OpenedFailure opened;
  Prepared prepared;
  std::unique_ptr<RunningFailure> running;

  campaign::Crew& crew() { return running->crew(); }
  bool interrupted() const { return running->interrupted(); }
};

// Opens the failure, finds its program, says what differs from the recording, and starts as many workers as there are CPUs.
Result<FailureAtHand> take_up(const std::string& path, const std::vector<std::string>& given);

// Puts a new failure of the same program into a folder beside the old one's; returns where.
struct NewFailure {
  const campaign::OpenedFailure* old = nullptr;
  const campaign::Program* program = nullptr;
  campaign::Judgement judgement;
  campaign::RunRecord record;
  campaign::RunCapture capture;
};
Result<std::string> keep_beside(NewFailure failure);

}  // namespace heddle
