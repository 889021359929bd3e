#include "campaign/store/schema.h"

#include <fmt/core.h>

#include <chrono>
#include <thread>

namespace heddle::campaign {

namespace {

constexpr const char* kTables = R"(
CREATE TABLE programs(
  id INTEGER PRIMARY KEY, path TEXT NOT NULL, build_id TEXT NOT NULL, UNIQUE(build_id, path));
CREATE TABLE configurations(id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE);
CREATE TABLE strategies(id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE);
CREATE TABLE campaigns(
  id INTEGER PRIMARY KEY, program INTEGER NOT NULL REFERENCES programs(id),
  configuration INTEGER NOT NULL REFERENCES configurations(id), engine TEXT NOT NULL,
  strategy TEXT NOT NULL, seed INTEGER NOT NULL, stopped_by TEXT, seconds REAL);
CREATE TABLE runs(
  campaign INTEGER NOT NULL REFERENCES campaigns(id), run INTEGER NOT NULL, seed INTEGER NOT NULL,
  strategy INTEGER NOT NULL REFERENCES strategies(id), kind TEXT, failure TEXT,
  wait_status INTEGER NOT NULL, steps INTEGER NOT NULL, preemptions INTEGER NOT NULL,
  schedule_hash INTEGER NOT NULL, event_hash INTEGER NOT NULL, seconds REAL NOT NULL,
  PRIMARY KEY(campaign, run)) WITHOUT ROWID;
CREATE TABLE failures(
  campaign INTEGER NOT NULL REFERENCES campaigns(id), id TEXT NOT NULL, kind TEXT NOT NULL,
  message TEXT NOT NULL, signature TEXT NOT NULL, reproduced TEXT NOT NULL,
  first_run INTEGER NOT NULL, count INTEGER NOT NULL, summary TEXT NOT NULL,
  PRIMARY KEY(campaign, id)) WITHOUT ROWID;
CREATE TABLE findings(
  campaign INTEGER NOT NULL REFERENCES campaigns(id), signature TEXT NOT NULL,
  finding TEXT NOT NULL, detector TEXT NOT NULL, message TEXT NOT NULL,
  first_run INTEGER NOT NULL, count INTEGER NOT NULL,
  failing INTEGER NOT NULL DEFAULT 0, passing INTEGER NOT NULL DEFAULT 0,
  confirmed_run INTEGER NOT NULL DEFAULT 0, over_runs TEXT NOT NULL DEFAULT '',
  PRIMARY KEY(campaign, signature)) WITHOUT ROWID;
CREATE TABLE features(
  id INTEGER PRIMARY KEY, program INTEGER NOT NULL REFERENCES programs(id), metric TEXT NOT NULL,
  feature INTEGER NOT NULL, parts BLOB NOT NULL, UNIQUE(program, metric, feature));
CREATE TABLE covered(
  campaign INTEGER NOT NULL REFERENCES campaigns(id),
  feature INTEGER NOT NULL REFERENCES features(id), first_run INTEGER NOT NULL,
  runs INTEGER NOT NULL, PRIMARY KEY(campaign, feature)) WITHOUT ROWID;
CREATE TABLE names(
  program INTEGER NOT NULL REFERENCES programs(id), kind INTEGER NOT NULL, value INTEGER NOT NULL,
  text TEXT NOT NULL, PRIMARY KEY(program, kind, value)) WITHOUT ROWID;
CREATE TABLE schedules(
  campaign INTEGER NOT NULL REFERENCES campaigns(id), run INTEGER NOT NULL, why TEXT NOT NULL,
  decisions BLOB NOT NULL, PRIMARY KEY(campaign, run)) WITHOUT ROWID;
CREATE TABLE learned(
  campaign INTEGER PRIMARY KEY REFERENCES campaigns(id), run INTEGER NOT NULL, bytes BLOB NOT NULL);
CREATE TABLE pending(id INTEGER PRIMARY KEY, bytes BLOB NOT NULL);
CREATE TABLE lock_edges(
  id INTEGER PRIMARY KEY, program INTEGER NOT NULL REFERENCES programs(id),
  key INTEGER NOT NULL, campaign INTEGER NOT NULL REFERENCES campaigns(id),
  first_run INTEGER NOT NULL, parts BLOB NOT NULL, known BLOB NOT NULL, UNIQUE(program, key));
)";

// Version 1 named program and strategy in every row.
constexpr const char* kSetAside1 = R"(
ALTER TABLE campaigns RENAME TO campaigns_1;
ALTER TABLE runs RENAME TO runs_1;
ALTER TABLE failures RENAME TO failures_1;
)";
constexpr const char* kCopyFrom1 = R"(
INSERT INTO programs(path, build_id) SELECT DISTINCT program, build_id FROM campaigns_1;
INSERT INTO configurations(text) VALUES('unknown: from a store of version 1');
INSERT INTO strategies(text) SELECT DISTINCT strategy FROM runs_1;
INSERT INTO campaigns
  SELECT c.id, p.id, (SELECT id FROM configurations), c.engine, c.strategy, c.seed,
         coalesce(c.stopped_by, 'interrupted'), c.seconds
  FROM campaigns_1 c JOIN programs p ON p.path = c.program AND p.build_id = c.build_id;
INSERT INTO runs
  SELECT r.campaign, r.run, r.seed, s.id, r.kind, r.failure, r.wait_status, r.steps, r.preemptions,
         r.schedule_hash, r.event_hash, r.seconds
  FROM runs_1 r JOIN strategies s ON s.text = r.strategy;
INSERT INTO failures
  SELECT campaign, id, kind, message, signature, reproduced, first_run, count, '' FROM failures_1;
DROP TABLE failures_1;
DROP TABLE runs_1;
DROP TABLE campaigns_1;
)";

// Version 2 did not know in which runs a finding was seen.
constexpr const char* kFrom2 = R"(
ALTER TABLE findings ADD COLUMN failing INTEGER NOT NULL DEFAULT 0;
ALTER TABLE findings ADD COLUMN passing INTEGER NOT NULL DEFAULT 0;
)";

// Version 3 kept pending runs in an index, where a new row moves its neighbours.
constexpr const char* kFrom3 = R"(
ALTER TABLE pending RENAME TO pending_3;
CREATE TABLE pending(id INTEGER PRIMARY KEY, bytes BLOB NOT NULL);
INSERT INTO pending SELECT (campaign << 40) + run, bytes FROM pending_3;
DROP TABLE pending_3;
)";

// Version 4 did not put the lock orders of runs together, nor tell what was confirmed.
constexpr const char* kFrom4 = R"(
ALTER TABLE findings ADD COLUMN confirmed_run INTEGER NOT NULL DEFAULT 0;
ALTER TABLE findings ADD COLUMN over_runs TEXT NOT NULL DEFAULT '';
CREATE TABLE lock_edges(
  id INTEGER PRIMARY KEY, program INTEGER NOT NULL REFERENCES programs(id),
  key INTEGER NOT NULL, campaign INTEGER NOT NULL REFERENCES campaigns(id),
  first_run INTEGER NOT NULL, parts BLOB NOT NULL, known BLOB NOT NULL, UNIQUE(program, key));
)";

Result<void> change_tables(Database& database, std::uint64_t version) {
  if (version == 2) {
    if (Result<void> done = database.script(kFrom2); !done) return done;
  }
  if (version == 2 || version == 3) {
    if (Result<void> done = database.script(kFrom3); !done) return done;
  }
  if (version >= 2 && version <= 4) return database.script(kFrom4);
  if (version == 1) {
    if (Result<void> done = database.script(kSetAside1); !done) return done;
  }
  if (Result<void> made = database.script(kTables); !made) return made;
  if (version == 1) return database.script(kCopyFrom1);
  return {};
}

Result<void> bring_up_to_date(Database& database, std::uint64_t version) {
  if (Result<void> done = change_tables(database, version); !done) return done;
  return database.script(fmt::format("PRAGMA user_version={}", kStoreVersion));
}

// SQLite does not wait here as it does elsewhere: while another process changes the journal, this one is refused at once.
Result<void> change_journal(Database& database) {
  constexpr int kTries = 2000;
  constexpr std::chrono::milliseconds kPause{10};
  for (int i = 1; i < kTries; ++i) {
    if (database.script("PRAGMA journal_mode=WAL")) return {};
    if (!database.busy()) break;
    std::this_thread::sleep_for(kPause);
  }
  return database.script("PRAGMA journal_mode=WAL");
}

}  // namespace

Result<std::unique_ptr<Database>> open_current(const std::filesystem::path& file) {
  Result<std::unique_ptr<Database>> opened = Database::open(file, Database::Access::read_write);
  if (!opened) return opened.error();
  Database& database = **opened;
  // Asked first, so that a newer store is left exactly as it was.
  Result<std::uint64_t> version = database.one("PRAGMA user_version");
  if (!version) return version.error();
  if (*version > kStoreVersion) {
    return Error{
        fmt::format("'{}' was written by a newer heddle (store version {}, this one knows "
                    "{}); use that version or another directory with --out.",
                    file.string(), *version, kStoreVersion)};
  }
  // WAL with NORMAL: a killed process loses nothing that was committed; only a power cut may lose the latest commits.
  // Copying the log back waits for the disk, so it comes seldom.
  if (Result<void> set = change_journal(database); !set) return set.error();
  if (Result<void> set =
          database.script("PRAGMA synchronous=NORMAL; PRAGMA wal_autocheckpoint=8000");
      !set) {
    return set.error();
  }
  if (*version == kStoreVersion) return opened;
  // Two processes may create the same store: whoever gets the lock makes the tables.
  Result<Transaction> transaction = Transaction::begin(database);
  if (!transaction) return transaction.error();
  version = database.one("PRAGMA user_version ");
  if (!version) return version.error();
  if (*version < kStoreVersion) {
    if (Result<void> made = bring_up_to_date(database, *version); !made) return made.error();
  }
  if (Result<void> done = transaction->commit(); !done) return done.error();
  return opened;
}

}  // namespace heddle::campaign
