#include "campaign/explain_order.h"

#include <map>
#include <set>

#include "analysis/effect.h"

namespace heddle::campaign {
namespace {

// Who knows of the event, followed from one event to the next.
class Knowledge {
 public:
  Knowledge(std::span<const Event> events, ThreadId first) : knows_{first} {
    for (const Event& event : events) {
      if (event.kind != EventKind::thread_create) continue;
      threads_[event.object] = ThreadId{static_cast<std::uint16_t>(event.value)};
    }
  }

  bool has(ThreadId thread) const { return knows_.contains(thread); }

  void follow(const Event& event) {
    learn(event);
    if (has(event.thread)) tell(event);
    // What another stores there is no longer what the first one left.
    if (event.kind == EventKind::atomic_store && !tells(event)) told_.erase(event.object);
  }

 private:
  bool tells(const Event& event) const {
    return has(event.thread) && (releases(event.order) || lends_.contains(event.thread));
  }

  void learn(const Event& event) {
    switch (event.kind) {
      case EventKind::thread_join: {
        const auto joined = threads_.find(event.object);
        if (joined != threads_.end() && has(joined->second)) knows_.insert(event.thread);
        break;
      }
      case EventKind::atomic_load:
      case EventKind::atomic_rmw:
      case EventKind::atomic_cas:
        if (!told_.contains(event.object)) break;
        if (acquires(event.order)) {
          knows_.insert(event.thread);
        } else {
          seen_.insert(event.thread);
        }
        break;
      case EventKind::atomic_fence:
        if (acquires(event.order) && seen_.contains(event.thread)) knows_.insert(event.thread);
        break;
      case EventKind::sem_wait:
      case EventKind::sem_trywait:
      case EventKind::sem_timedwait:
        if (succeeded(event) && told_.contains(event.object)) knows_.insert(event.thread);
        break;
      case EventKind::barrier_wait:
      case EventKind::once:
        if (told_.contains(event.object)) knows_.insert(event.thread);
        break;
      default:
        break;
    }
  }

  void tell(const Event& event) {
    switch (event.kind) {
      case EventKind::thread_create:
        knows_.insert(ThreadId{static_cast<std::uint16_t>(event.value)});
        break;
      case EventKind::sem_post:
      case EventKind::barrier_wait:
      case EventKind::once:
        told_.insert(event.object);
        break;
      case EventKind::atomic_store:
      case EventKind::atomic_rmw:
      case EventKind::atomic_cas:
        if (stores(event) && tells(event)) told_.insert(event.object);
        break;
      case EventKind::atomic_fence:
        if (releases(event.order)) lends_.insert(event.thread);
        break;
      default:
        break;
    }
  }

  std::map<ObjectId, ThreadId> threads_;
  std::set<ThreadId> knows_;
  std::set<ThreadId> lends_;  // a release fence: also relaxed stores tell
  std::set<ThreadId> seen_;   // by a relaxed load, for an acquire fence
  std::set<ObjectId> told_;
};

}  // namespace

bool ordered_without_locks(std::span<const Event> events, std::size_t first, std::size_t second) {
  Knowledge knowledge(events, events[first].thread);
  for (std::size_t i = first + 1; i < second; ++i) knowledge.follow(events[i]);
  return knowledge.has(events[second].thread);
}

}  // namespace heddle::campaign
