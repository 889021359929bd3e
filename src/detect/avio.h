// avio: another thread's access comes between two accesses of one thread to the same place, so that no order of whole
// pairs explains what was read: read-write-read, write-write-read, write-read-write, read-write-write.
//
// After Lu, Tucek, Qin, Zhou: AVIO: Detecting Atomicity Violations via Access Interleaving Invariants (ASPLOS 2006). What
// is reported are candidates: correct programs show them too (a flag that is polled). AVIO learns from passing runs
// which pairs are meant to be atomic; here that is the campaign's part.
#pragma once

#include "analysis/shadow.h"
#include "detect/detector.h"

namespace heddle {

// Is there no serial order of local-local and the remote access between them with the same effect?
constexpr bool is_unserialisable(bool first_writes, bool remote_writes, bool second_writes) {
  if (remote_writes) return !first_writes || !second_writes;
  return first_writes && second_writes;
}

class Avio final : public Detector {
 public:
  constexpr Avio() = default;

  void begin_run(const DetectorContext& context) override;
  void on(const Event& event) override;
  std::uint64_t dropped() const override { return shadow_.dropped(); }

 private:
  struct Remote {
    SiteId site;  // 0: none since
    ThreadId thread;
    EventKind kind;
  };
  struct Access {
    Remote read;  // the last by another thread since
    Remote write;
    SiteId site;
    std::uint32_t next;
    ThreadId thread;
    std::uint8_t mask;
    EventKind kind;
  };

  void granule(const Event& event, std::uint64_t granule, std::uint8_t mask);
  void report(const Access& access, const Remote& remote, const Event& event,
              std::uint64_t granule);

  DetectorContext context_ = {};
  Shadow<Access> shadow_;
};

}  // namespace heddle
