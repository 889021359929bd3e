// misuse: what POSIX calls undefined, or a mistake, in the use of its primitives (detect/misuse_kind.h): a lock unlocked by
// somebody who does not hold it, destroyed or freed while in use or used after that, a condition waited for without its mutex,
// a thread joined twice, ended with a lock in its hands, or never joined.
#pragma once

#include "analysis/object_table.h"
#include "detect/detector.h"
#include "detect/misuse_kind.h"

namespace heddle {

class Misuse final : public Detector {
 public:
  constexpr Misuse() = default;

  void begin_run(const DetectorContext& context) override;
  void on(const Event& event) override;
  void end_run() override;
  std::uint64_t dropped() const override { return objects_.dropped(); }

 private:
  struct Place {
    SiteId site;
    ThreadId thread;
  };
  struct Object {
    Place last;           // where it was taken last, waited for or destroyed
    std::uint64_t mutex;  // of a condition variable: what its present waiters use
    std::uint32_t owner;  // thread plus one; 0: nobody
    std::uint32_t readers;
    std::uint32_t waiters;  // threads that have not left their wait
    std::uint32_t woken;    // so many of them a signal has told to leave
    bool seen_taken;
    bool seen_made;  // initialised before our eyes: nobody has taken it unseen
    bool destroyed;
    bool freed;  // destroyed with the memory that it lay in
    bool robust;
    bool is_lock;
  };
  struct Thread {
    Place created;
    bool exists;
    bool ended;
    bool joined;
    bool detached;
  };

  void on_lock(const Event& event);
  void on_unlock(const Event& event);
  void on_wait(const Event& event);
  void on_wake(const Event& event);
  void on_thread(const Event& event);
  void on_destroy(const Event& event);
  void on_freed(const Event& event);
  void check_alive(const Event& event, Object& object);
  void report(MisuseKind kind, const Event& event, Place earlier, FindingKind as);

  DetectorContext context_ = {};
  ObjectTable<Object> objects_;
  Thread threads_[kMaxThreads] = {};
  std::uint32_t thread_count_ = 0;
};

}  // namespace heddle
