#include "coverage/metric_set.h"

namespace heddle {

namespace {

bool takes_lock(EventKind kind) {
  return takes_mutex(kind) || takes_shared(kind) || takes_exclusive(kind);
}

bool has_place(EventKind kind) {
  return kind != EventKind::function_enter && kind != EventKind::function_exit &&
         kind != EventKind::allocate && kind != EventKind::thread_start &&
         kind != EventKind::thread_exit;
}

}  // namespace

void MetricSet::begin_run(const Settings& settings) {
  arena_.begin_run(settings.map, settings.memory);
  active_.clear();
  watches_memory_ = false;
  if (settings.metrics == 0) return;
  held_.begin_run(arena_);
  identities_.begin_run(arena_, settings.translation, *settings.area);
  tasks_.begin_run(*settings.area, identities_);
  variables_.begin_run(arena_);
  const std::span<const MetricCatalogRow> rows = metric_catalog();
  const MetricContext context{&arena_, &held_, &identities_, &tasks_};
  for (std::size_t first = 0; first < rows.size();) {
    MetricRow of_one[4] = {};
    std::size_t last = first;
    bool wanted = false;
    for (; last < rows.size() && rows[last].instance == rows[first].instance; ++last) {
      const bool on = (settings.metrics & bit_of_metric(last)) != 0;
      of_one[last - first] = {on, static_cast<std::uint8_t>(last),
                              hash_bytes(rows[last].name.data(), rows[last].name.size())};
      wanted = wanted || on;
      watches_memory_ = watches_memory_ || (on && rows[last].watches_memory);
    }
    if (wanted) {
      Metric& metric = rows[first].instance();
      metric.begin_run(context, of_one);
      active_.push_back(&metric);
    }
    first = last;
  }
}

Variable* MetricSet::variable_of(const Event& event) {
  if (!is_plain_access(event.kind) && !is_atomic(event.kind)) return nullptr;
  if (event.phase == EventPhase::before || event.kind == EventKind::atomic_fence) return nullptr;
  const std::uint64_t address = event.object.value;
  const std::uint64_t granule = address >> 3;
  std::uint32_t* const head = variables_.head(granule);
  if (head == nullptr) return nullptr;
  const std::uint64_t size = access_size(event);
  const std::uint8_t mask =
      Shadow<Variable>::mask_of(granule, address, address + (size == 0 ? 1 : size));
  for (std::uint32_t at = *head; at != Shadow<Variable>::kNone; at = variables_.at(at).next) {
    if (variables_.at(at).mask == mask) return &variables_.at(at);
  }
  Variable* const variable = variables_.push(*head);
  if (variable == nullptr) return nullptr;
  variable->mask = mask;
  variable->object = identities_.object(address);
  return variable;
}

void MetricSet::remember(Variable& variable, const Event& event, std::uint64_t place) {
  const PastAccess access{place, identities_.thread(event.thread), event.thread, event.kind};
  variable.last = access;
  const bool writes = is_atomic(event.kind) ? stores(event) : is_memory_write(event.kind);
  if (writes) variable.write = access;
}

void MetricSet::on(const Event& event) {
  if (event.thread.value >= kMaxThreads) return;  // a thread without a number has no history
  identities_.on(event);
  if (event.kind == EventKind::allocate) {
    variables_.forget(event.object.value, event.argument);
    return;
  }
  if (event.phase == EventPhase::before && is_plain_access(event.kind)) return;
  const Seen seen{event, has_place(event.kind) ? identities_.place(event.site) : 0,
                  variable_of(event)};
  for (Metric* metric : active_) metric->on(seen);
  if (seen.variable != nullptr) remember(*seen.variable, event, seen.place);
  if (event.phase == EventPhase::before && takes_lock(event.kind)) return;  // only announced
  held_.on(event);
}

}  // namespace heddle
