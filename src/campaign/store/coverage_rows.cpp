#include "campaign/store/coverage_rows.h"

#include <cstring>

#include "coverage/catalog.h"

namespace heddle::campaign {

namespace {

std::string metric_name(std::uint8_t metric) { return std::string(metric_catalog()[metric].name); }

}  // namespace

Result<void> put_coverage(Store& store, CoverageTally& tally) {
  Database& database = store.database();
  const Value program = number(store.program());
  for (const PartKey& key : tally.names().take_new()) {
    Result<void> put = database.run("INSERT OR REPLACE INTO names VALUES(?,?,?,?)",
                                    {program, std::int64_t{static_cast<int>(key.first)},
                                     number(key.second), std::string(tally.names().name(key))});
    if (!put) return put;
  }
  for (const CoverageTally::Entry* const entry : tally.take_changes()) {
    const std::string metric = metric_name(entry->task.metric);
    const Value feature = number(entry->task.feature.value);
    if (entry->runs == 1 || entry->first_run != 0) {
      Result<void> put = database.run(
          "INSERT OR IGNORE INTO features(program, metric, feature, parts) VALUES(?,?,?,?)",
          {program, metric, feature,
           Blob{std::string(reinterpret_cast<const char*>(&entry->task), sizeof entry->task)}});
      if (!put) return put;
    }
    Result<void> put = database.run(
        "INSERT OR REPLACE INTO covered SELECT ?, id, ?, ? FROM features "
        "WHERE program=? AND metric=? AND feature=?",
        {number(store.campaign()), number(entry->first_run), std::int64_t{entry->runs}, program,
         metric, feature});
    if (!put) return put;
  }
  return {};
}

Result<void> load_coverage(Store& store, CoverageTally& tally) {
  Result<void> loaded = store.database().each(
      "SELECT f.parts, c.first_run, c.runs, f.metric FROM covered c "
      "JOIN features f ON f.id=c.feature WHERE c.campaign=? ORDER BY c.first_run, f.id",
      {number(store.campaign())}, [&](const Row& row) {
        CoverageTally::Entry entry;
        const std::string parts = row.text(0);
        if (parts.size() != sizeof entry.task) return;
        std::memcpy(&entry.task, parts.data(), parts.size());
        const MetricCatalogRow* const metric = find_metric(row.text(3));
        if (metric == nullptr) return;
        entry.task.metric = static_cast<std::uint8_t>(metric - metric_catalog().data());
        entry.first_run = row.number(1);
        entry.runs = static_cast<std::uint32_t>(row.number(2));
        tally.load(entry);
      });
  if (!loaded) return loaded;
  return store.database().each(
      "SELECT kind, value, text FROM names WHERE program=?", {number(store.program())},
      [&](const Row& row) {
        tally.names().put({static_cast<PartKind>(row.number(0)), row.number(1)}, row.text(2));
      });
}

}  // namespace heddle::campaign
