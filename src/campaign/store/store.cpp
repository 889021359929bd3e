#include "campaign/store/store.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <variant>

namespace heddle::campaign {

namespace {

constexpr const char* kSchema = R"(
CREATE TABLE campaigns(
  id INTEGER PRIMARY KEY, program TEXT NOT NULL, build_id TEXT NOT NULL, engine TEXT NOT NULL,
  strategy TEXT NOT NULL, seed INTEGER NOT NULL, stopped_by TEXT, seconds REAL);
CREATE TABLE runs(
  campaign INTEGER NOT NULL REFERENCES campaigns(id), run INTEGER NOT NULL, seed INTEGER NOT NULL,
  strategy TEXT NOT NULL, kind TEXT, failure TEXT, wait_status INTEGER NOT NULL,
  steps INTEGER NOT NULL, preemptions INTEGER NOT NULL, schedule_hash INTEGER NOT NULL,
  event_hash INTEGER NOT NULL, seconds REAL NOT NULL,
  PRIMARY KEY(campaign, run)) WITHOUT ROWID;
CREATE TABLE failures(
  campaign INTEGER NOT NULL REFERENCES campaigns(id), id TEXT NOT NULL, kind TEXT NOT NULL,
  message TEXT NOT NULL, signature TEXT NOT NULL, reproduced TEXT NOT NULL,
  first_run INTEGER NOT NULL, count INTEGER NOT NULL,
  PRIMARY KEY(campaign, id)) WITHOUT ROWID;
)";

constexpr int kPatienceMs = 10'000;  // another process may be writing to the same store

using Value = std::variant<std::int64_t, double, std::string>;

Value number(std::uint64_t value) { return static_cast<std::int64_t>(value); }

}  // namespace

struct Store::Connection {
  sqlite3* handle = nullptr;
  std::string path;

  ~Connection() { sqlite3_close(handle); }

  Error error(std::string_view doing) const {
    const int code = sqlite3_extended_errcode(handle) & 0xff;
    if (code == SQLITE_FULL || code == SQLITE_IOERR) {
      return Error{
          fmt::format("Cannot {} '{}': the disk is full or failing ({}). Free some space or "
                      "choose another directory with --out.",
                      doing, path, sqlite3_errmsg(handle))};
    }
    if (code == SQLITE_NOTADB || code == SQLITE_CORRUPT) {
      return Error{
          fmt::format("'{}' is no campaign of heddle's ({}). Move it away or choose another "
                      "directory with --out.",
                      path, sqlite3_errmsg(handle))};
    }
    return Error{fmt::format("Cannot {} '{}' ({}). Choose another directory with --out.", doing,
                             path, sqlite3_errmsg(handle))};
  }

  Result<void> execute(const char* sql) {
    if (sqlite3_exec(handle, sql, nullptr, nullptr, nullptr) != SQLITE_OK) return error("write");
    return {};
  }

  // Runs a statement; returns the first column of the first row, 0 if there is none.
  Result<std::int64_t> query(const char* sql, const std::vector<Value>& values = {}) {
    sqlite3_stmt* statement = nullptr;
    if (sqlite3_prepare_v2(handle, sql, -1, &statement, nullptr) != SQLITE_OK) return error("use");
    const std::unique_ptr<sqlite3_stmt, int (*)(sqlite3_stmt*)> owner(statement, &sqlite3_finalize);
    return step(statement, values);
  }

  Result<std::int64_t> step(sqlite3_stmt* statement, const std::vector<Value>& values) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      const int at = static_cast<int>(i) + 1;
      if (const auto* integer = std::get_if<std::int64_t>(&values[i])) {
        sqlite3_bind_int64(statement, at, *integer);
      } else if (const auto* real = std::get_if<double>(&values[i])) {
        sqlite3_bind_double(statement, at, *real);
      } else {
        const std::string& text = std::get<std::string>(values[i]);
        sqlite3_bind_text(statement, at, text.data(), static_cast<int>(text.size()),
                          SQLITE_TRANSIENT);
      }
    }
    const int code = sqlite3_step(statement);
    if (code != SQLITE_ROW && code != SQLITE_DONE) return error("write");
    return code == SQLITE_ROW ? sqlite3_column_int64(statement, 0) : std::int64_t{0};
  }
};

Store::Store(std::unique_ptr<Connection> connection) : connection_(std::move(connection)) {}
Store::~Store() = default;

Result<std::unique_ptr<Store>> Store::open(const std::filesystem::path& file) {
  auto connection = std::make_unique<Connection>();
  connection->path = file.string();
  if (sqlite3_open_v2(file.c_str(), &connection->handle, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE,
                      nullptr) != SQLITE_OK) {
    return connection->error("open");
  }
  sqlite3_busy_timeout(connection->handle, kPatienceMs);
  sqlite3_extended_result_codes(connection->handle, 1);
  // WAL with NORMAL: a killed process loses nothing that was committed; only a power cut may lose the latest commits.
  if (Result<void> set = connection->execute("PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL");
      !set) {
    return set.error();
  }
  // Two processes may create the same store: whoever gets the lock makes the tables.
  if (Result<void> locked = connection->execute("BEGIN IMMEDIATE"); !locked) return locked.error();
  const Result<std::int64_t> version = connection->query("PRAGMA user_version");
  if (!version) return version.error();
  if (*version > kStoreVersion) {
    return Error{
        fmt::format("'{}' was written by a newer heddle (store version {}, this one knows "
                    "{}); use that version or another directory with --out.",
                    file.string(), *version, kStoreVersion)};
  }
  if (*version == 0) {
    if (Result<void> made = connection->execute(kSchema); !made) return made.error();
    const std::string set = fmt::format("PRAGMA user_version={}", kStoreVersion);
    if (Result<void> done = connection->execute(set.c_str()); !done) return done.error();
  }
  if (Result<void> done = connection->execute("COMMIT"); !done) return done.error();
  return std::unique_ptr<Store>(new Store(std::move(connection)));
}

Result<void> Store::begin_campaign(const CampaignRow& row) {
  const Result<std::int64_t> added = connection_->query(
      "INSERT INTO campaigns(program, build_id, engine, strategy, seed) VALUES(?,?,?,?,?)",
      {row.program, row.build_id, row.engine, row.strategy, number(row.seed)});
  if (!added) return added.error();
  campaign_ = static_cast<std::uint64_t>(sqlite3_last_insert_rowid(connection_->handle));
  return {};
}

Result<void> Store::add_runs(const std::vector<RunRow>& rows) {
  if (rows.empty()) return {};
  if (Result<void> begun = connection_->execute("BEGIN IMMEDIATE"); !begun) return begun;
  sqlite3_stmt* statement = nullptr;
  sqlite3_prepare_v2(
      connection_->handle,
      "INSERT OR REPLACE INTO runs VALUES(?,?,?,?,nullif(?,''),nullif(?,''),?,?,?,?,?,?)", -1,
      &statement, nullptr);
  const std::unique_ptr<sqlite3_stmt, int (*)(sqlite3_stmt*)> owner(statement, &sqlite3_finalize);
  for (const RunRow& row : rows) {
    const Result<std::int64_t> added = connection_->step(
        statement,
        {number(campaign_), number(row.run), number(row.seed), row.strategy, row.kind,
         row.failure_id, std::int64_t{row.wait_status}, number(row.steps), number(row.preemptions),
         number(row.schedule_hash), number(row.event_hash), row.seconds});
    sqlite3_reset(statement);
    if (!added) {
      [[maybe_unused]] const Result<void> back = connection_->execute("ROLLBACK");
      return added.error();
    }
  }
  return connection_->execute("COMMIT");
}

Result<void> Store::put_failure(const FailureRow& row) {
  const Result<std::int64_t> put =
      connection_->query("INSERT OR REPLACE INTO failures VALUES(?,?,?,?,?,?,?,?)",
                         {number(campaign_), row.id, row.kind, row.message, row.signature,
                          row.reproduced, number(row.first_run), number(row.count)});
  if (!put) return put.error();
  return {};
}

Result<void> Store::end_campaign(const std::string& stopped_by, double seconds) {
  const Result<std::int64_t> done =
      connection_->query("UPDATE campaigns SET stopped_by=?, seconds=? WHERE id=?",
                         {stopped_by, seconds, number(campaign_)});
  if (!done) return done.error();
  return {};
}

Result<std::uint64_t> Store::count_runs() {
  const Result<std::int64_t> count =
      connection_->query("SELECT count(*) FROM runs WHERE campaign=?", {number(campaign_)});
  if (!count) return count.error();
  return static_cast<std::uint64_t>(*count);
}

}  // namespace heddle::campaign
