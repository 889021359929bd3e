// What is odd about the test itself, whatever it finds: said once, at the end.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "campaign/program.h"
#include "campaign/run_record.h"

namespace heddle::campaign {

class Health {
 public:
  // In the order of run numbers; controlled runs only.
  void see(const RunRecord& record);

  // Every run replaced its program before a second thread was there.
  bool always_became_another() const { return runs_ > 0 && became_another_ == runs_; }

  // One sentence for each thing seen.
  std::vector<std::string> sentences(const Program& program) const;

 private:
  std::uint64_t runs_ = 0;
  std::uint64_t with_threads_ = 0;  // runs that had more than one
  std::uint64_t with_choice_ =
      0;  // runs in which who runs next was decided against the default at least once
  std::uint64_t threads_in_children_ = 0;  // runs with threads in children that are on their own
  std::uint64_t became_another_ = 0;       // runs that replaced their program (exec)
  std::uint64_t never_begun_ = 0;          // runs that ended before a thread of theirs had begun
  SiteId never_begun_routine_{};           // of the first such thread
  std::vector<SleepPlace> sleeps_;         // in the program itself, in the order seen
};

}  // namespace heddle::campaign
