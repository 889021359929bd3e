// SQLite with errors that a user can act on. The rest of the store speaks SQL through this; nobody else does.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "host/result.h"

struct sqlite3;
struct sqlite3_stmt;

namespace heddle::campaign {

// Bytes as such; a std::string is text.
struct Blob {
  std::string bytes;
};

using Value = std::variant<std::int64_t, double, std::string, Blob>;

// 64-bit numbers keep their bits: SQLite's are signed.
inline Value number(std::uint64_t value) { return static_cast<std::int64_t>(value); }

// One row of an answer; valid until the next.
class Row {
 public:
  explicit Row(sqlite3_stmt* statement) : statement_(statement) {}
  std::uint64_t number(int column) const;
  double real(int column) const;
  std::string text(int column) const;  // or the bytes of a blob
  bool is_null(int column) const;

 private:
  sqlite3_stmt* statement_;
};

class Database {
 public:
  enum class Access : std::uint8_t { read_only, read_write };
  static Result<std::unique_ptr<Database>> open(const std::filesystem::path& file, Access access);
  ~Database();
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  // `sql` is a literal: prepared once and kept under its text.
  Result<void> run(const char* sql, const std::vector<Value>& values = {});
  Result<void> each(const char* sql, const std::vector<Value>& values,
                    const std::function<void(const Row&)>& row);
  // The first column of the first row, 0 if there is none.
  Result<std::uint64_t> one(const char* sql, const std::vector<Value>& values = {});
  // The last call failed because another process had the store.
  bool busy() const;
  // Several statements without values, not kept.
  Result<void> script(const std::string& sql);

  std::uint64_t last_id() const;
  std::uint64_t changes() const;  // rows touched by the last statement

 private:
  explicit Database(std::string path) : path_(std::move(path)) {}
  Error error(std::string_view doing) const;
  Result<sqlite3_stmt*> prepared(const char* sql, const std::vector<Value>& values);

  sqlite3* handle_ = nullptr;
  std::string path_;
  std::map<std::string_view, sqlite3_stmt*> statements_;
};

// All or nothing: rolled back unless commit() was reached.
class Transaction {
 public:
  static Result<Transaction> begin(Database& database);
  Transaction(Transaction&& other) noexcept : database_(std::exchange(other.database_, nullptr)) {}
  Transaction& operator=(Transaction&&) = delete;
  ~Transaction();

  Result<void> commit();

 private:
  explicit Transaction(Database& database) : database_(&database) {}
  Database* database_;
};

}  // namespace heddle::campaign
