#include "campaign/findings.h"

#include <fmt/core.h>
#include <fmt/format.h>

#include <algorithm>

#include "campaign/finding_report.h"
#include "campaign/uninstrumented.h"
#include "detect/misuse_kind.h"

namespace heddle::campaign {

namespace {

// In the program's own code where the calls that led there are known.
std::string own_place(const RunRecord& record, SiteId site, std::uint16_t stack, SiteNames& sites) {
  return sites.own(site, calls_of(record, stack));
}
std::string first_place(const Finding& finding, const RunRecord& record, SiteNames& sites) {
  return own_place(record, finding.first_site, finding.first_stack, sites);
}
std::string second_place(const Finding& finding, const RunRecord& record, SiteNames& sites) {
  return own_place(record, finding.second_site, finding.second_stack, sites);
}

// "write by thread 1 in f a.c:3".
std::string first_side(const Finding& finding, const RunRecord& record, std::string_view what,
                       SiteNames& sites) {
  return fmt::format("{} by {} in {}", what, thread_text(record, finding.first_thread, sites),
                     first_place(finding, record, sites));
}
std::string second_side(const Finding& finding, const RunRecord& record, std::string_view what,
                        SiteNames& sites) {
  return fmt::format("{} by {} in {}", what, thread_text(record, finding.second_thread, sites),
                     second_place(finding, record, sites));
}

bool is_by(const Finding& finding, std::string_view detector) {
  return finding.detector < detector_catalog().size() &&
         detector_catalog()[finding.detector].name == detector;
}

// "no lock is held at every access to 'x': write by thread 1 in f a.c:3 with 'm', read by thread 2 in g a.c:9 with none".
std::string lock_discipline(const Finding& finding, const RunRecord& record, SiteNames& sites) {
  const auto with = [&](std::uint16_t stack) {
    if (stack == 0 || stack > record.stacks.size()) return std::string("with locks not known");
    const std::vector<std::string> locks = lock_names(record.stacks[stack - 1], sites);
    return locks.empty() ? "with none" : fmt::format("with {}", fmt::join(locks, " and "));
  };
  return fmt::format("no lock is held at every access to {}: {} {}, {} {}",
                     object_text(finding.object, sites),
                     first_side(finding, record, access_text(finding.first_kind), sites),
                     with(finding.first_stack),
                     second_side(finding, record, access_text(finding.second_kind), sites),
                     with(finding.second_stack));
}

std::string message_of(const Finding& finding, const RunRecord& record, SiteNames& sites) {
  const std::string object = object_text(finding.object, sites);
  if (is_lock_discipline(finding)) return lock_discipline(finding, record, sites);
  switch (finding.kind) {
    case FindingKind::race:
      return fmt::format("data race on {}: {}, {}", object,
                         first_side(finding, record, access_text(finding.first_kind), sites),
                         second_side(finding, record, access_text(finding.second_kind), sites));
    case FindingKind::atomicity:
      return fmt::format("atomicity of {} broken: between {} and {} of {} comes a {}", object,
                         sites.name(finding.begun_site), second_place(finding, record, sites),
                         thread_text(record, finding.second_thread, sites),
                         first_side(finding, record, access_text(finding.first_kind), sites));
    case FindingKind::lock_order:
      return fmt::format("locks are taken in a circle: {}, {}",
                         first_side(finding, record, "one", sites),
                         second_side(finding, record, "another", sites));
    case FindingKind::misuse:
    case FindingKind::leak: {
      const std::string_view what = misuse_text(static_cast<MisuseKind>(finding.detail));
      std::string text = second_side(finding, record, what, sites);
      if (finding.first_site.value != 0) {
        text += fmt::format("; before that, in {}", first_place(finding, record, sites));
      }
      return text;
    }
    case FindingKind::sleep_sync:
      return fmt::format("only the sleep in {} orders two accesses to {}: {}, {}",
                         sites.name(finding.begun_site), object,
                         first_side(finding, record, access_text(finding.first_kind), sites),
                         second_side(finding, record, access_text(finding.second_kind), sites));
    default:
      return fmt::format("{} in {}", finding_name(finding.kind),
                         second_place(finding, record, sites));
  }
}

}  // namespace

std::string_view finding_name(FindingKind kind) {
  switch (kind) {
    case FindingKind::none:
      return "none";
    case FindingKind::race:
      return "race";
    case FindingKind::atomicity:
      return "atomicity";
    case FindingKind::lock_order:
      return "lock-order";
    case FindingKind::misuse:
      return "misuse";
    case FindingKind::leak:
      return "leak";
    case FindingKind::sleep_sync:
      return "sleep-sync";
  }
  return "none";
}

FindingKinds failing_kinds(const RunOptions& options) {
  FindingKinds kinds = 0;
  for (const FindingKind kind : options.fail_on) kinds |= bit(kind);
  return kinds;
}

DetectorMask chosen_detectors(const RunOptions& options) {
  DetectorMask mask = 0;
  FindingKinds covered = 0;
  const std::span<const DetectorRow> rows = detector_catalog();
  for (const std::string& name : options.detectors) {
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (rows[i].name != name) continue;
      mask |= bit_of_row(i);
      covered |= rows[i].finds;
    }
  }
  FindingKinds asked = failing_kinds(options);
  if (options.confirm) asked |= bit(FindingKind::race) | bit(FindingKind::lock_order);
  return mask | detectors_for(asked & ~covered);
}

bool is_lock_discipline(const Finding& finding) { return is_by(finding, "eraser"); }

bool side_by_side(const RunOutcome& outcome, const Finding& finding) {
  const auto [a, b] = std::pair(outcome.met[0], outcome.met[1]);
  return finding.kind == FindingKind::race && a.value != 0 &&
         ((a == finding.first_site && b == finding.second_site) ||
          (b == finding.first_site && a == finding.second_site));
}

// A lock in one of them may keep the accesses apart.
static std::string unseen_libraries(const Finding& finding, const RunRecord& record) {
  if (finding.kind != FindingKind::race) return {};
  const std::vector<std::string> names = uninstrumented_libraries(record.modules);
  return names.empty() ? "" : fmt::format("; not instrumented: {}", few_of(names));
}

Judgement describe_finding(const Finding& finding, const RunRecord& record, SiteNames& sites) {
  Judgement judgement;
  judgement.kind = FailureKind::finding;
  judgement.finding = finding_name(finding.kind);
  judgement.detector = finding.detector < detector_catalog().size()
                           ? detector_catalog()[finding.detector].name
                           : "unknown";
  judgement.message = message_of(finding, record, sites) + unseen_libraries(finding, record);
  judgement.evidence = evidence_of(finding, record, sites);
  std::string first = first_place(finding, record, sites);
  std::string second = second_place(finding, record, sites);
  if (second < first) std::swap(first, second);
  judgement.signature = fmt::format("finding | {} | {} | {} | {}", judgement.finding,
                                    judgement.detector, first, second);
  if (finding.kind == FindingKind::misuse || finding.kind == FindingKind::leak) {
    judgement.signature +=
        fmt::format(" | {}", misuse_text(static_cast<MisuseKind>(finding.detail)));
  }
  return judgement;
}

std::string together_text(std::span<const std::uint64_t> runs) {
  std::vector<std::string> names;
  for (const std::uint64_t run : runs) {
    if (run != 0) names.push_back(fmt::format("run {}", run));
  }
  if (!runs.empty() && runs.front() == 0) names.emplace_back("an earlier campaign");
  std::string text = "in ";
  for (std::size_t i = 0; i < names.size(); ++i) {
    text += (i == 0 ? "" : i + 1 == names.size() ? " and " : ", ") + names[i];
  }
  return text + " together";
}

Judgement describe_circle(const LockGraph::Circle& circle, SiteNames& sites) {
  Judgement judgement = describe_finding(circle.finding, circle.evidence, sites);
  judgement.message += "; " + together_text(circle.runs);
  return judgement;
}

}  // namespace heddle::campaign
