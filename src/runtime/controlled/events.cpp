// What happened: into the hashes that check determinism and count distinct schedules, and into the trace.
#include "base/hash.h"
#include "runtime/controlled/detect.h"
#include "runtime/controlled/disturb.h"
#include "runtime/controlled/engine.h"
#include "runtime/controlled/sync_table.h"
#include "runtime/controlled/verdict.h"

namespace heddle::controlled {

namespace {

std::uint64_t load_value(const void* address, std::size_t size) {
  std::uint64_t value = 0;
  __builtin_memcpy(&value, address, size > sizeof value ? sizeof value : size);
  return value;
}

// A store is reported before it happens; what it stored is known when its thread comes back to us.
void fill_in_last_store(Task& self, ControlBlock& control) {
  if (self.store_address == nullptr) return;
  if (control.trace_count - self.store_trace_index <= kTraceCapacity) {
    control.trace[self.store_trace_index % kTraceCapacity].value =
        load_value(self.store_address, self.store_size);
  }
  self.store_address = nullptr;
}

void trace(Task& self, const Intent& intent, std::uint64_t value, std::int16_t result) {
  ControlBlock& control = *g_engine.control;
  fill_in_last_store(self, control);
  Event& event = control.trace[control.trace_count % kTraceCapacity];
  event = {};
  event.step = g_engine.step;
  event.object = self.pending.object;
  event.site = self.pending.site;
  event.value = value;
  event.argument = intent.argument;
  event.thread = self.id;
  event.kind = intent.kind;
  event.phase = EventPhase::before;
  event.size = intent.size;
  event.order = intent.order;
  event.result = result;
  if (intent.kind == EventKind::write || intent.kind == EventKind::vptr_write) {
    self.store_address = intent.object;
    self.store_size = intent.size;
    self.store_trace_index = control.trace_count;
  }
  __atomic_store_n(&control.trace_count, control.trace_count + 1, __ATOMIC_RELEASE);
}

}  // namespace

void Engine::commit(Task& self, const Intent& intent, std::uint64_t value, std::int16_t result,
                    bool changed) {
  RunOutcome& outcome = control->outcome;
  ++self.events;
  ++outcome.events;
  outcome.steps = step;
  outcome.virtual_ns = now;
  const auto who_and_what =
      std::uint64_t{self.id.value} << 16 | static_cast<std::uint64_t>(intent.kind);
  outcome.event_hash = combine(outcome.event_hash, who_and_what);
  outcome.event_hash = combine(outcome.event_hash, self.pending.site.value);
  outcome.event_hash = combine(outcome.event_hash, self.pending.object.value);
  if (intent.object != nullptr) {
    // The event depends on its thread's history and on the version of the object it met: a sum over these is the same for
    // every interleaving of the same happens-before order. Reads that commute leave the version alone.
    SyncEntry& entry = sync_entry(intent.object);
    std::uint64_t hash = combine(self.path_hash, self.events);
    hash = combine(hash, static_cast<std::uint64_t>(intent.kind));
    hash = combine(hash, entry.version);
    outcome.schedule_hash += hash;
    if (!is_read_only(intent.kind)) entry.version = hash;
  }
  if (changed) {
    ++changes;
    note_progress(self);
  }
  if ((control->plan.flags & kPlanRecordTrace) != 0) trace(self, intent, value, result);
  if (runtime::g_detecting) detect_committed(self, intent, value, result);
  if (noisy) disturb(self, intent, EventPhase::after, result);
}

}  // namespace heddle::controlled
