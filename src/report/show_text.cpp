#include "report/show_text.h"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <set>

#include "base/hash.h"
#include "campaign/extent.h"
#include "campaign/trace_locks.h"
#include "host/text.h"

namespace heddle::reports {

namespace {

using campaign::EventNames;
using campaign::gives_lock;
using campaign::takes_lock;

class StoryTeller {
 public:
  StoryTeller(const StorySource& source, EventNames& names) : source_(source), names_(names) {}

  Story tell();

 private:
  struct Lane {
    std::size_t number = 0;
    campaign::HeldLocks held;
    std::vector<std::size_t> events;  // numbers of its events, in order
    std::size_t next = 0;             // of them, the first not yet told
  };

  void find_lanes();
  void find_shared();
  bool is_told(std::size_t number) const;
  void tell_event(std::size_t number);
  void tell_switch(const Event& before, const Event& after);
  std::string switch_reason(const Event& before, const Event& after);
  std::string waits_for(const Event& last);
  std::string waited_for(EventKind kind, ObjectId object);
  void tell_blocked();
  std::string holding(const Lane& lane);
  void add(std::size_t lane, std::string text, StepStyle style);

  const StorySource& source_;
  EventNames& names_;
  std::map<ThreadId, Lane> lanes_;
  std::set<ObjectId> shared_;
  std::map<ThreadId, std::vector<Decision>> departures_;  // by who is left, in their order
  Story story_;
};

void StoryTeller::find_lanes() {
  for (std::size_t i = 0; i < source_.events.size(); ++i) {
    lanes_[source_.events[i].thread].events.push_back(i);
  }
  for (const BlockedThread& blocked : source_.blocked) lanes_[blocked.thread];
  for (auto& [thread, lane] : lanes_) {
    lane.number = story_.lanes.size();
    story_.lanes.push_back(names_.thread(thread));
  }
}

void StoryTeller::find_shared() {
  shared_ = campaign::shared_objects(source_.events);
  for (const BlockedThread& blocked : source_.blocked) shared_.insert(blocked.object);
}

bool StoryTeller::is_told(std::size_t number) const {
  if (source_.detail == StoryDetail::all) return true;
  if (std::ranges::find(source_.decisive, number) != source_.decisive.end()) return true;
  const Event& event = source_.events[number];
  switch (event.kind) {
    case EventKind::thread_start:
    case EventKind::mutex_init:
    case EventKind::mutex_destroy:
    case EventKind::rwlock_init:
    case EventKind::rwlock_destroy:
    case EventKind::cond_init:
    case EventKind::cond_destroy:
    case EventKind::sem_init:
    case EventKind::sem_destroy:
    case EventKind::barrier_init:
    case EventKind::barrier_destroy:
    case EventKind::clock_read:
    case EventKind::none:
      return false;
    case EventKind::thread_exit:
    case EventKind::thread_create:
    case EventKind::thread_join:
    case EventKind::signal:
    case EventKind::signal_send:
    case EventKind::fork:
    case EventKind::sleep:
    case EventKind::yield:
      return true;
    default:
      return shared_.contains(event.object);
  }
}

void StoryTeller::add(std::size_t lane, std::string text, StepStyle style) {
  LaneStep step;
  step.lane = lane;
  step.text = std::move(text);
  step.style = style;
  story_.steps.push_back(std::move(step));
}

std::string StoryTeller::holding(const Lane& lane) {
  std::string text;
  for (const campaign::HeldLock& held : lane.held) {
    text += (text.empty() ? "" : ", ") + names_.object(held.lock);
    if (held.mode == LockMode::shared) text += " to read";
  }
  return text;
}

void StoryTeller::tell_event(std::size_t number) {
  const Event& event = source_.events[number];
  Lane& lane = lanes_[event.thread];
  LaneStep step;
  step.lane = lane.number;
  step.text = event_text(event, names_);
  campaign::follow_locks(lane.held, event);
  const bool locked = takes_lock(event);
  if ((is_plain_access(event.kind) || is_atomic(event.kind) || lane.held.size() > 1) &&
      !lane.held.empty() && (locked || !gives_lock(event.kind))) {
    step.text += fmt::format(" [{}]", holding(lane));
  }
  step.where = names_.line(event.site);
  step.key = combine(combine(event.site.value, event.object.value),
                     static_cast<std::uint64_t>(event.kind)) |
             1;
  if (std::ranges::find(source_.decisive, number) != source_.decisive.end()) {
    step.style = StepStyle::decisive;
  }
  story_.steps.push_back(std::move(step));
}

// Most system calls have no object of the program's.
std::string StoryTeller::waited_for(EventKind kind, ObjectId object) {
  return kind == EventKind::blocking_call && object == ObjectId{} ? "a system call"
                                                                  : names_.object(object);
}

// What a thread that was left without a decision is about to do, and cannot.
std::string StoryTeller::waits_for(const Event& last) {
  const Lane& lane = lanes_[last.thread];
  if (last.kind == EventKind::cond_wait || last.kind == EventKind::cond_timedwait) {
    return fmt::format("waits on {}", names_.object(last.object));
  }
  for (const BlockedThread& blocked : source_.blocked) {
    if (blocked.in_forked_child != 0) continue;
    if (blocked.thread == last.thread && lane.next >= lane.events.size()) {
      return fmt::format("waits for {}", waited_for(blocked.waiting_in, blocked.object));
    }
  }
  if (lane.next >= lane.events.size()) return "waits";
  const Event& next = source_.events[lane.events[lane.next]];
  if (next.kind == EventKind::sleep) return "sleeps";
  if (next.kind == EventKind::yield) return "yields";
  if (may_block(next.kind)) return fmt::format("waits for {}", waited_for(next.kind, next.object));
  return "gives way";
}

std::string StoryTeller::switch_reason(const Event& before, const Event& after) {
  const std::vector<Decision>& departures = departures_[before.thread];
  const auto next =
      std::ranges::upper_bound(departures, before.step, std::ranges::less{}, &Decision::step);
  for (auto at = next; at != departures.end() && at->step <= after.step; ++at) {
    const Decision& decision = *at;
    if (decision.kind == DecisionKind::timeout) {
      return fmt::format("stall of {}: a timer of {} fires",
                         show_duration(std::chrono::nanoseconds(decision.amount)),
                         names_.thread(decision.to));
    }
    if (decision.kind != DecisionKind::run) continue;
    if (decision.reason == SwitchReason::preempted) return "preempted";
    if (decision.reason == SwitchReason::yielded) return "yields";
    break;
  }
  return waits_for(before);
}

void StoryTeller::tell_switch(const Event& before, const Event& after) {
  if (before.kind == EventKind::thread_exit) return;
  add(lanes_[before.thread].number, fmt::format("switch ({})", switch_reason(before, after)),
      StepStyle::change);
}

void StoryTeller::tell_blocked() {
  for (std::size_t i = 0; i < source_.blocked.size(); ++i) {
    const BlockedThread& blocked = source_.blocked[i];
    const std::string object = waited_for(blocked.waiting_in, blocked.object);
    const bool forked = blocked.in_forked_child != 0;
    std::string text = fmt::format("{}waits for {} for ever", forked ? "its child " : "", object);
    if (blocked.holder != kNoThread && object == fmt::format("T{}", blocked.holder.value)) {
      text = fmt::format("waits for {} to end, for ever", object);
    } else if (blocked.holder != kNoThread) {
      text += fmt::format(", held by {}{}", names_.thread(blocked.holder), forked ? " then" : "");
    } else if (blocked.lost_wakeup != LostWakeup::no) {
      text += "; its wake-up was lost";
    }
    LaneStep step;
    step.lane = lanes_[blocked.thread].number;
    step.text = std::move(text);
    if (i < source_.blocked_places.size()) {
      step.where = EventNames::line_of(source_.blocked_places[i]);
    } else if (blocked.site.value != 0) {
      step.where = EventNames::line_of(names_.own_place(blocked.site, blocked.calls.sites));
    }
    step.style = StepStyle::note;
    story_.steps.push_back(std::move(step));
  }
}

Story StoryTeller::tell() {
  find_lanes();
  find_shared();
  for (const Decision& decision : source_.decisions) departures_[decision.from].push_back(decision);
  for (auto& [thread, departures] : departures_) {
    std::ranges::stable_sort(departures, {}, &Decision::step);
  }
  const Event* before = nullptr;
  for (std::size_t i = 0; i < source_.events.size(); ++i) {
    const Event& event = source_.events[i];
    if (before != nullptr && before->thread != event.thread) tell_switch(*before, event);
    ++lanes_[event.thread].next;
    if (is_told(i)) {
      tell_event(i);
    } else {
      campaign::follow_locks(lanes_[event.thread].held, event);
    }
    before = &event;
  }
  tell_blocked();
  return std::move(story_);
}

// Lanes in which nothing is told, and switches between steps that are not, only take room.
void tidy(Story& story) {
  std::vector<LaneStep> steps;
  for (LaneStep& step : story.steps) {
    const bool change = step.style == StepStyle::change;
    // A thread that was given control and did nothing to tell: the switch to it and away from it are one.
    if (change && !steps.empty() && steps.back().style == StepStyle::change) {
      if (steps.back().text.find("preempted") != std::string::npos) continue;
      steps.pop_back();
    }
    if (change && steps.empty()) continue;
    steps.push_back(std::move(step));
  }
  if (!steps.empty() && steps.back().style == StepStyle::change) steps.pop_back();
  std::vector<bool> used(story.lanes.size(), false);
  for (const LaneStep& step : steps) used[step.lane] = true;
  std::vector<std::size_t> moved(story.lanes.size(), 0);
  std::vector<std::string> lanes;
  for (std::size_t i = 0; i < used.size(); ++i) {
    moved[i] = lanes.size();
    if (used[i]) lanes.push_back(std::move(story.lanes[i]));
  }
  for (LaneStep& step : steps) step.lane = moved[step.lane];
  story.lanes = std::move(lanes);
  story.steps = std::move(steps);
}

// A creation is in the trace when its call returns; the new thread may have gone far by then. It is told before.
struct Reordered {
  std::vector<Event> events;
  std::vector<std::size_t> decisive;
};
Reordered with_creations_first(const StorySource& source) {
  std::map<ThreadId, std::size_t> first;  // event of each thread
  std::multimap<std::size_t, std::size_t>
      early;  // creations, by the event before which they belong
  std::set<std::size_t> moved;
  for (std::size_t i = 0; i < source.events.size(); ++i) {
    const Event& event = source.events[i];
    first.try_emplace(event.thread, i);
    if (event.kind != EventKind::thread_create) continue;
    const auto began = first.find(ThreadId{static_cast<std::uint16_t>(event.value)});
    if (began == first.end() || began->first == event.thread) continue;
    early.emplace(began->second, i);
    moved.insert(i);
  }
  Reordered result;
  std::map<ThreadId, std::uint64_t> last_step;
  const auto add = [&](std::size_t number) {
    const bool marked = std::ranges::find(source.decisive, number) != source.decisive.end();
    if (marked) result.decisive.push_back(result.events.size());
    result.events.push_back(source.events[number]);
    Event& event = result.events.back();
    if (moved.contains(number)) event.step = last_step[event.thread];
    last_step[event.thread] = event.step;
  };
  for (std::size_t i = 0; i < source.events.size(); ++i) {
    const auto [begin, end] = early.equal_range(i);
    for (auto at = begin; at != end; ++at) add(at->second);
    if (!moved.contains(i)) add(i);
  }
  return result;
}

}  // namespace

Story story_of(const StorySource& source, EventNames& names) {
  names.learn_threads(source.events);
  const Reordered ordered = with_creations_first(source);
  StorySource told = source;
  told.events = ordered.events;
  told.decisive = ordered.decisive;
  Story story = StoryTeller(told, names).tell();
  if (source.detail == StoryDetail::shared) tidy(story);
  return story;
}

}  // namespace heddle::reports
