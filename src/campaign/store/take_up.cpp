// A campaign that was left is taken up again: Store::take_up and what it needs.
#include "campaign/store/store.h"
#include "host/text.h"

namespace heddle::campaign {

namespace {

// "3,8"
std::vector<std::uint64_t> numbers_in(const std::string& text) {
  std::vector<std::uint64_t> numbers;
  for (const std::string_view part : split(text, ',')) {
    if (const Result<std::uint64_t> one = parse_count(part, {0, ~std::uint64_t{0}})) {
      numbers.push_back(*one);
    }
  }
  return numbers;
}

}  // namespace

Result<std::optional<StoredCampaign>> Store::take_up(const CampaignRow& wanted, SeedWanted seed) {
  struct Candidate {
    std::uint64_t campaign, program;
    StoredCampaign stored;
  };
  std::optional<Candidate> last;
  Result<void> found = database_->each(
      "SELECT c.id, c.program, c.seed, coalesce(c.stopped_by,''), coalesce(c.seconds,0) "
      "FROM campaigns c JOIN programs p ON p.id=c.program "
      "JOIN configurations k ON k.id=c.configuration "
      "WHERE p.path=? AND p.build_id=? AND k.text=? AND (? OR c.seed=?) ORDER BY c.id",
      {wanted.program, wanted.build_id, wanted.configuration,
       std::int64_t{seed == SeedWanted::any ? 1 : 0}, number(wanted.seed)},
      [&](const Row& row) {
        last.emplace();
        last->campaign = row.number(0);
        last->program = row.number(1);
        last->stored.seed = row.number(2);
        last->stored.stopped_by = row.text(3);
        last->stored.seconds = row.real(4);
      });
  if (!found) return found.error();
  if (!last || !hold(last->campaign)) return std::optional<StoredCampaign>();
  StoredCampaign& stored = last->stored;
  const Value campaign = number(last->campaign);
  const auto ask = [&](const char* sql, const std::function<void(const Row&)>& each) {
    if (found) found = database_->each(sql, {campaign}, each);
  };
  ask("SELECT run, bytes FROM learned WHERE campaign=?", [&](const Row& row) {
    stored.merged = row.number(0);
    stored.learned = row.text(1);
  });
  ask("SELECT id, bytes FROM pending WHERE id >> 40 = ? ORDER BY id", [&](const Row& row) {
    const std::uint64_t run = row.number(0) - pending_id(last->campaign, 0);
    if (run > stored.merged) stored.pending.emplace_back(run, row.text(1));
  });
  ask("SELECT id, kind, message, signature, reproduced, first_run, count, summary FROM failures "
      "WHERE campaign=? ORDER BY first_run, id",
      [&](const Row& row) {
        stored.failures.push_back({row.text(0), row.text(1), row.text(2), row.text(3), row.text(4),
                                   row.number(5), row.number(6), row.text(7)});
      });
  ask("SELECT signature, finding, detector, message, first_run, count, failing, passing, "
      "confirmed_run, over_runs FROM findings "
      "WHERE campaign=? ORDER BY first_run, signature",
      [&](const Row& row) {
        stored.findings.push_back({row.text(0), row.text(1), row.text(2), row.text(3),
                                   row.number(4), row.number(5), row.number(6), row.number(7),
                                   row.number(8), numbers_in(row.text(9))});
      });
  if (found) {
    found = database_->run("UPDATE campaigns SET stopped_by=NULL WHERE id=?", {campaign});
  }
  if (!found) return found.error();
  campaign_ = last->campaign;
  program_ = last->program;
  return std::optional<StoredCampaign>(std::move(stored));
}

Result<std::string> Store::last_learned(const CampaignRow& row) {
  std::string learned;
  Result<void> found = database_->each(
      "SELECT l.bytes FROM learned l JOIN campaigns c ON c.id=l.campaign "
      "JOIN programs p ON p.id=c.program WHERE p.path=? AND p.build_id=? ORDER BY c.id DESC LIMIT "
      "1",
      {row.program, row.build_id}, [&](const Row& answer) { learned = answer.text(0); });
  if (!found) return found.error();
  return learned;
}

}  // namespace heddle::campaign
