#include "campaign/store/database.h"

#include <fmt/core.h>
#include <sqlite3.h>

namespace heddle::campaign {

namespace {

constexpr int kPatienceMs = 20'000;  // another process may be writing to the same store

void bind(sqlite3_stmt* statement, int at, const Value& value) {
  if (const auto* integer = std::get_if<std::int64_t>(&value)) {
    sqlite3_bind_int64(statement, at, *integer);
  } else if (const auto* real = std::get_if<double>(&value)) {
    sqlite3_bind_double(statement, at, *real);
  } else if (const auto* text = std::get_if<std::string>(&value)) {
    sqlite3_bind_text(statement, at, text->data(), static_cast<int>(text->size()), SQLITE_STATIC);
  } else {
    const std::string& bytes = std::get<Blob>(value).bytes;
    sqlite3_bind_blob(statement, at, bytes.data(), static_cast<int>(bytes.size()), SQLITE_STATIC);
  }
}

}  // namespace

std::uint64_t Row::number(int column) const {
  return static_cast<std::uint64_t>(sqlite3_column_int64(statement_, column));
}

double Row::real(int column) const { return sqlite3_column_double(statement_, column); }

std::string Row::text(int column) const {
  const void* const bytes = sqlite3_column_blob(statement_, column);
  const int size = sqlite3_column_bytes(statement_, column);
  return bytes == nullptr
             ? std::string()
             : std::string(static_cast<const char*>(bytes), static_cast<std::size_t>(size));
}

bool Row::is_null(int column) const {
  return sqlite3_column_type(statement_, column) == SQLITE_NULL;
}

Result<std::unique_ptr<Database>> Database::open(const std::filesystem::path& file, Access access) {
  std::unique_ptr<Database> database(new Database(file.string()));
  const int flags = access == Access::read_only ? SQLITE_OPEN_READONLY
                                                : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
  if (sqlite3_open_v2(file.c_str(), &database->handle_, flags, nullptr) != SQLITE_OK) {
    return database->error("open");
  }
  sqlite3_busy_timeout(database->handle_, kPatienceMs);
  sqlite3_extended_result_codes(database->handle_, 1);
  return database;
}

Database::~Database() {
  for (const auto& [sql, statement] : statements_) sqlite3_finalize(statement);
  sqlite3_close(handle_);
}

Error Database::error(std::string_view doing) const {
  const int code = sqlite3_extended_errcode(handle_) & 0xff;
  if (code == SQLITE_FULL || code == SQLITE_IOERR) {
    return Error{fmt::format(
        "Cannot {} '{}': the disk is full or failing ({}). What was stored before is intact; "
        "free some space and go on with --resume, or choose another directory with --out.",
        doing, path_, sqlite3_errmsg(handle_))};
  }
  if (code == SQLITE_NOTADB || code == SQLITE_CORRUPT) {
    return Error{
        fmt::format("'{}' is no campaign of heddle's ({}). Move it away or choose another "
                    "directory with --out.",
                    path_, sqlite3_errmsg(handle_))};
  }
  return Error{fmt::format("Cannot {} '{}' ({}). Choose another directory with --out.", doing,
                           path_, sqlite3_errmsg(handle_))};
}

bool Database::busy() const { return (sqlite3_extended_errcode(handle_) & 0xff) == SQLITE_BUSY; }

Result<void> Database::script(const std::string& sql) {
  if (sqlite3_exec(handle_, sql.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK) {
    return error("write to");
  }
  return {};
}

Result<sqlite3_stmt*> Database::prepared(const char* sql, const std::vector<Value>& values) {
  const auto [at, fresh] = statements_.try_emplace(sql, nullptr);
  if (fresh && sqlite3_prepare_v2(handle_, sql, -1, &at->second, nullptr) != SQLITE_OK) {
    statements_.erase(at);
    return error("use");
  }
  for (std::size_t i = 0; i < values.size(); ++i) {
    bind(at->second, static_cast<int>(i) + 1, values[i]);
  }
  return at->second;
}

Result<void> Database::each(const char* sql, const std::vector<Value>& values,
                            const std::function<void(const Row&)>& row) {
  const Result<sqlite3_stmt*> statement = prepared(sql, values);
  if (!statement) return statement.error();
  int code = SQLITE_ROW;
  while ((code = sqlite3_step(*statement)) == SQLITE_ROW) {
    if (row) row(Row(*statement));
  }
  std::optional<Error> wrong;
  if (code != SQLITE_DONE) wrong = error("write to");
  sqlite3_reset(*statement);
  sqlite3_clear_bindings(*statement);
  if (wrong) return *wrong;
  return {};
}

Result<void> Database::run(const char* sql, const std::vector<Value>& values) {
  return each(sql, values, {});
}

Result<std::uint64_t> Database::one(const char* sql, const std::vector<Value>& values) {
  std::uint64_t result = 0;
  bool first = true;
  Result<void> done = each(sql, values, [&](const Row& row) {
    if (first) result = row.number(0);
    first = false;
  });
  if (!done) return done.error();
  return result;
}

std::uint64_t Database::last_id() const {
  return static_cast<std::uint64_t>(sqlite3_last_insert_rowid(handle_));
}

std::uint64_t Database::changes() const {
  return static_cast<std::uint64_t>(sqlite3_changes64(handle_));
}

Result<Transaction> Transaction::begin(Database& database) {
  if (Result<void> begun = database.run("BEGIN IMMEDIATE"); !begun) return begun.error();
  return Transaction(database);
}

Transaction::~Transaction() {
  if (database_ == nullptr) return;
  // SQLite itself rolls back on some errors; then there is nothing left to do.
  [[maybe_unused]] const Result<void> back = database_->run("ROLLBACK");
}

Result<void> Transaction::commit() {
  Result<void> done = database_->run("COMMIT");
  if (done) database_ = nullptr;
  return done;
}

}  // namespace heddle::campaign
