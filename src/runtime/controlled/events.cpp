// What happened: into the hashes that check determinism and count distinct schedules, and into the trace.
#include "analysis/effect.h"
#include "base/hash.h"
#include "runtime/call_stack.h"
#include "runtime/controlled/classification.h"
#include "runtime/controlled/detect.h"
#include "runtime/controlled/disturb.h"
#include "runtime/controlled/engine.h"
#include "runtime/controlled/mix_of.h"
#include "runtime/controlled/operations.h"
#include "runtime/controlled/sync_table.h"
#include "runtime/controlled/verdict.h"
#include "runtime/identity.h"

namespace heddle::controlled {

namespace {

std::uint64_t load_value(const void* address, std::size_t size) {
  std::uint64_t value = 0;
  __builtin_memcpy(&value, address, size > sizeof value ? sizeof value : size);
  return value;
}

Event& next_event(const Task& self, ControlBlock& control, EventKind kind) {
  Event& event = control.trace[control.trace_count % kTraceCapacity];
  event = {};
  event.step = g_engine.step;
  event.thread = self.id;
  event.kind = kind;
  return event;
}

void count_event(ControlBlock& control) {
  __atomic_store_n(&control.trace_count, control.trace_count + 1, __ATOMIC_RELEASE);
}

void trace_calls(Task& self) {
  if ((g_engine.control->plan.flags & kPlanStacks) != 0) catch_up_with_calls(self);
}

void trace(Task& self, const Operation& intent, std::uint64_t value, std::int16_t result) {
  ControlBlock& control = *g_engine.control;
  trace_stored(self);
  trace_calls(self);
  Event& event = next_event(self, control, intent.kind);
  event.object = self.pending.object;
  event.site = self.pending.site;
  event.value = value;
  event.argument = intent.argument;
  if (is_wait(intent.kind)) {
    event.argument = runtime::object_of(reinterpret_cast<const void*>(intent.wait_value)).value;
  }
  event.size = intent.size;
  event.order = intent.order;
  event.result = result;
  if (intent.kind == EventKind::write || intent.kind == EventKind::vptr_write) {
    self.store_address = intent.object;
    self.store_size = intent.size;
    self.store_trace_index = control.trace_count;
  }
  count_event(control);
}

// Nobody sees what a phase does with a place after its first read and its first write there: loops would fill the trace. A
// store's value is looked at later anyway. Places share entries; what was pushed out is traced again.
struct TracedPlace {
  const void* address;
  std::uint16_t phase;
  EventKind kind;
};
constexpr std::size_t kTracedPlaces = 4096;
TracedPlace g_traced[kTracedPlaces];

bool traced_in_phase(const Task& self, const Operation& intent) {
  const TracedPlace now{intent.object, phase_of(self), intent.kind};
  const std::uint64_t hash =
      combine(reinterpret_cast<std::uint64_t>(now.address), static_cast<std::uint64_t>(now.kind));
  TracedPlace& known = g_traced[hash % kTracedPlaces];
  const bool same =
      known.address == now.address && known.phase == now.phase && known.kind == now.kind;
  known = now;
  return same;
}

// By thread, and not mapped when asked for: the program's own mappings must lie where they lie without it.
constexpr std::size_t kFrames = 1024;
void* g_frames[kMaxThreads][kFrames];

}  // namespace

// Both the trace and noise are told, whoever comes first: a run that is traced is disturbed like one that is not.
void catch_up_with_calls(Task& self) {
  ControlBlock& control = *g_engine.control;
  const bool traced = (control.plan.flags & kPlanStacks) != 0;
  const auto left = [&] {
    if (traced) {
      next_event(self, control, EventKind::function_exit);
      count_event(control);
    }
    show_call(self, EventKind::function_exit, SiteId{});
  };
  const auto entered = [&](void* call_site) {
    const SiteId site = runtime::site_of(call_site);
    if (traced) {
      next_event(self, control, EventKind::function_enter).site = site;
      count_event(control);
    }
    show_call(self, EventKind::function_enter, site);
  };
  runtime::catch_up_with_calls(left, entered);
}

void trace_stored(Task& self) {
  if (self.store_address == nullptr) return;
  ControlBlock& control = *g_engine.control;
  if (control.trace_count - self.store_trace_index <= kTraceCapacity) {
    control.trace[self.store_trace_index % kTraceCapacity].value =
        load_value(self.store_address, self.store_size);
  }
  self.store_address = nullptr;
}

void begin_calls(const Task& self) {
  if ((g_engine.control->plan.flags & kPlanStacks) == 0) return;
  runtime::keep_call_stack_in(g_frames[self.id.value], kFrames);
}

void trace_in_passing(Task& self, const Operation& intent) {
  ControlBlock& control = *g_engine.control;
  if ((control.plan.flags & kPlanStacks) == 0 || traced_in_phase(self, intent)) return;
  const runtime::InRuntime inside(*self.thread);
  const PendingOperation pending = self.pending;
  self.pending.object = runtime::object_of(intent.object);
  self.pending.site = runtime::site_of(intent.caller);
  trace(self, intent, load_value(intent.object, intent.size), 0);
  control.trace[(control.trace_count - 1) % kTraceCapacity].phase = EventPhase::after;
  self.pending = pending;
}

static bool is_access(EventKind kind) { return is_plain_access(kind) || is_atomic(kind); }

// To all but the hashes. Accesses and atomics are shown to detectors elsewhere.
[[gnu::noinline]] static void show_committed(Task& self, const Operation& done, std::uint64_t value,
                                             std::int16_t result) {
  if ((g_engine.control->plan.flags & kPlanRecordTrace) != 0) trace(self, done, value, result);
  if (runtime::g_detecting && !is_access(done.kind)) detect_committed(self, done, value, result);
  if (g_engine.noisy) disturb(self, done, EventPhase::after, result);
}

void Engine::commit(Task& self, const Operation& done, std::uint64_t value, std::int16_t result,
                    bool changed) {
  if (self.thread->outside) [[unlikely]]
    enter_control();
  RunOutcome& outcome = control->outcome;
  ++self.events;
  ++outcome.events;
  outcome.steps = step;
  outcome.virtual_ns = now;
  const auto who_and_what =
      std::uint64_t{self.id.value} << 16 | static_cast<std::uint64_t>(done.kind);
  outcome.event_hash =
      mix_of(outcome.event_hash + who_and_what, self.pending.site.value, self.pending.object.value);
  if (done.object != nullptr) {
    // The event depends on its thread's history and on the version of the object it met: a sum over these is the same for
    // every interleaving of the same happens-before order. Reads that commute leave the version alone.
    SyncEntry& entry = sync_entry(done.object);
    const std::uint64_t hash = mix_of(
        self.path_hash, self.events << 8 | static_cast<std::uint64_t>(done.kind), entry.version);
    outcome.schedule_hash += hash;
    if (!is_read_only(done.kind)) entry.version = hash;
  }
  if (changed) {
    ++changes;
    note_progress(self);
  }
  const bool is_shown = noisy || (control->plan.flags & kPlanRecordTrace) != 0 ||
                        (runtime::g_detecting && !is_access(done.kind));
  if (is_shown) show_committed(self, done, value, result);
}

}  // namespace heddle::controlled
