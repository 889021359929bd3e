#include "campaign/store/lock_rows.h"

#include <cstring>

namespace heddle::campaign {

Result<void> put_lock_edges(Store& store, LockGraph& graph) {
  for (const LockGraph::Row& row : graph.take_new()) {
    std::string known(row.known.size() * sizeof(KnownThread), '\0');
    if (!known.empty()) std::memcpy(known.data(), row.known.data(), known.size());
    Result<void> put = store.database().run(
        "INSERT OR IGNORE INTO lock_edges(program, key, campaign, first_run, parts, known) "
        "VALUES(?,?,?,?,?,?)",
        {number(store.program()), number(row.key), number(store.campaign()), number(row.edge.run),
         Blob{std::string(reinterpret_cast<const char*>(&row.edge), sizeof row.edge)},
         Blob{std::move(known)}});
    if (!put) return put;
  }
  return {};
}

Result<void> load_lock_edges(Store& store, LockGraph& graph) {
  return store.database().each(
      "SELECT key, parts, known, campaign FROM lock_edges WHERE program=? ORDER BY id",
      {number(store.program())}, [&](const Row& row) {
        LockGraph::Row edge{};
        edge.key = row.number(0);
        const std::string parts = row.text(1);
        const std::string known = row.text(2);
        // Another build of the tool may have kept it in another form.
        if (parts.size() != sizeof edge.edge || known.size() % sizeof(KnownThread) != 0) return;
        std::memcpy(&edge.edge, parts.data(), parts.size());
        edge.known.resize(known.size() / sizeof(KnownThread));
        if (!known.empty()) std::memcpy(edge.known.data(), known.data(), known.size());
        graph.load(edge, row.number(3) == store.campaign());
      });
}

}  // namespace heddle::campaign
