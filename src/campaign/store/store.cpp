#include "campaign/store/store.h"

#include <fcntl.h>
#include <unistd.h>

namespace heddle::campaign {

Store::Store(std::unique_ptr<Database> database, std::filesystem::path lock_file)
    : database_(std::move(database)), lock_file_(std::move(lock_file)) {}

Store::~Store() {
  if (lock_ >= 0) close(lock_);
}

Result<std::unique_ptr<Store>> Store::open(const std::filesystem::path& file) {
  Result<std::unique_ptr<Database>> database = open_current(file);
  if (!database) return database.error();
  return std::unique_ptr<Store>(
      new Store(*std::move(database), std::filesystem::path(file).replace_extension("lock")));
}

bool Store::hold(std::uint64_t campaign) {
  if (lock_ < 0) lock_ = ::open(lock_file_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (lock_ < 0) return true;  // a file system without room or locks: better unguarded than not
  struct flock range {};
  range.l_type = F_WRLCK;
  range.l_whence = SEEK_SET;
  range.l_start = static_cast<off_t>(campaign);
  range.l_len = 1;
  return fcntl(lock_, F_OFD_SETLK, &range) == 0 || (errno != EAGAIN && errno != EACCES);
}

Result<std::uint64_t> Store::id_of(const char* insert, const char* select,
                                   const std::vector<Value>& values) {
  if (Result<void> there = database_->run(insert, values); !there) return there.error();
  return database_->one(select, values);
}

Result<void> Store::begin_campaign(const CampaignRow& row) {
  Result<Transaction> transaction = Transaction::begin(*database_);
  if (!transaction) return transaction.error();
  const Result<std::uint64_t> program =
      id_of("INSERT OR IGNORE INTO programs(path, build_id) VALUES(?,?)",
            "SELECT id FROM programs WHERE path=? AND build_id=?", {row.program, row.build_id});
  if (!program) return program.error();
  const Result<std::uint64_t> configuration =
      id_of("INSERT OR IGNORE INTO configurations(text) VALUES(?)",
            "SELECT id FROM configurations WHERE text=?", {row.configuration});
  if (!configuration) return configuration.error();
  Result<void> added = database_->run(
      "INSERT INTO campaigns(program, configuration, engine, strategy, seed) VALUES(?,?,?,?,?)",
      {number(*program), number(*configuration), row.engine, row.strategy, number(row.seed)});
  if (!added) return added;
  const std::uint64_t campaign = database_->last_id();
  hold(campaign);
  if (Result<void> done = transaction->commit(); !done) return done;
  campaign_ = campaign;
  program_ = *program;
  return {};
}

// Found by looking first: a row that is rolled back must not be remembered.
Result<std::uint64_t> Store::strategy_id(const std::string& text) {
  if (const auto known = strategies_.find(text); known != strategies_.end()) return known->second;
  Result<std::uint64_t> id = database_->one("SELECT id FROM strategies WHERE text=?", {text});
  if (id && *id != 0) strategies_.emplace(text, *id);
  if (!id || *id != 0) return id;
  if (Result<void> added = database_->run("INSERT INTO strategies(text) VALUES(?)", {text});
      !added) {
    return added.error();
  }
  return database_->last_id();
}

Result<void> Store::put_run(const RunRow& row) {
  const Result<std::uint64_t> strategy = strategy_id(row.strategy);
  if (!strategy) return strategy.error();
  return database_->run(
      "INSERT OR REPLACE INTO runs VALUES(?,?,?,?,nullif(?,''),nullif(?,''),?,?,?,?,?,?)",
      {number(campaign_), number(row.run), number(row.seed), number(*strategy), row.kind,
       row.failure_id, std::int64_t{row.wait_status}, number(row.steps), number(row.preemptions),
       number(row.schedule_hash), number(row.event_hash), row.seconds});
}

Result<void> Store::add_run(const RunRow& row, const std::string& pending) {
  Result<Transaction> transaction = Transaction::begin(*database_);
  if (!transaction) return transaction.error();
  if (Result<void> put = put_run(row); !put) return put;
  if (!pending.empty()) {
    Result<void> kept = database_->run("INSERT OR REPLACE INTO pending VALUES(?,?)",
                                       {number(pending_id(campaign_, row.run)), Blob{pending}});
    if (!kept) return kept;
  }
  return transaction->commit();
}

namespace {

std::string list_text(const std::vector<std::uint64_t>& numbers) {
  std::string text;
  for (const std::uint64_t one : numbers) text += (text.empty() ? "" : ",") + std::to_string(one);
  return text;
}

}  // namespace

Result<void> Store::end_round(const RoundRows& round, const std::function<Result<void>()>& more) {
  Result<Transaction> transaction = Transaction::begin(*database_);
  if (!transaction) return transaction.error();
  for (const RunRow& row : round.failing) {
    if (Result<void> put = put_run(row); !put) return put;
  }
  for (const FailureRow& row : round.failures) {
    if (Result<void> put = put_failure(row); !put) return put;
  }
  for (const FindingRow& row : round.findings) {
    Result<void> put =
        database_->run("INSERT OR REPLACE INTO findings VALUES(?,?,?,?,?,?,?,?,?,?,?)",
                       {number(campaign_), row.signature, row.finding, row.detector, row.message,
                        number(row.first_run), number(row.count), number(row.failing),
                        number(row.passing), number(row.confirmed_run), list_text(row.over_runs)});
    if (!put) return put;
  }
  Result<void> done = database_->run("DELETE FROM runs WHERE campaign=? AND run>?",
                                     {number(campaign_), number(round.last)});
  if (!done) return done;
  done = database_->run("DELETE FROM pending WHERE id BETWEEN ? AND ?",
                        {number(pending_id(campaign_, 0)), number(pending_id(campaign_ + 1, 0))});
  if (!done) return done;
  done = database_->run("INSERT OR REPLACE INTO learned VALUES(?,?,?)",
                        {number(campaign_), number(round.last), Blob{round.learned}});
  if (!done) return done;
  if (more) {
    if (Result<void> put = more(); !put) return put;
  }
  return transaction->commit();
}

Result<void> Store::put_failure(const FailureRow& row) {
  return database_->run("INSERT OR REPLACE INTO failures VALUES(?,?,?,?,?,?,?,?,?)",
                        {number(campaign_), row.id, row.kind, row.message, row.signature,
                         row.reproduced, number(row.first_run), number(row.count), row.summary});
}

Result<void> Store::end_campaign(const std::string& stopped_by, double seconds) {
  return database_->run("UPDATE campaigns SET stopped_by=?, seconds=? WHERE id=?",
                        {stopped_by, seconds, number(campaign_)});
}

Result<std::uint64_t> Store::count_runs() {
  return database_->one("SELECT count(*) FROM runs WHERE campaign=?", {number(campaign_)});
}

Result<void> Store::each_schedule_hash(std::uint64_t last,
                                       const std::function<void(std::uint64_t)>& hash) {
  return database_->each("SELECT schedule_hash FROM runs WHERE campaign=? AND run<=? ORDER BY run",
                         {number(campaign_), number(last)},
                         [&](const Row& row) { hash(row.number(0)); });
}

}  // namespace heddle::campaign
