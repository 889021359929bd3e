#include "campaign/explain_finding.h"

#include <fmt/core.h>

#include "campaign/explain_names.h"
#include "campaign/finding_report.h"
#include "campaign/findings.h"

namespace heddle::campaign {

namespace {

BugClass class_of(FindingKind kind) {
  switch (kind) {
    case FindingKind::race:
      return BugClass::data_race;
    case FindingKind::atomicity:
      return BugClass::atomicity;
    case FindingKind::lock_order:
      return BugClass::deadlock;
    case FindingKind::sleep_sync:
      return BugClass::sleep_as_synchronisation;
    default:
      return BugClass::unknown;
  }
}

std::string sentence_for(const Finding& finding, const std::string& object,
                         const std::string& message) {
  if (is_lock_discipline(finding)) {
    return fmt::format(
        "no lock is held at every access to {}. That is a candidate: eraser knows locks and "
        "nothing "
        "else, so something else may order the accesses.",
        object);
  }
  switch (finding.kind) {
    case FindingKind::race:
      return fmt::format(
          "nothing orders the two accesses to {}: no lock in common, no atomic, creation or "
          "joining "
          "between them.",
          object);
    case FindingKind::lock_order:
      return "each thread takes a lock while it holds one that another asks for; in another "
             "schedule they wait for each other for ever.";
    default:
      return message + ".";
  }
}

struct Place {
  ThreadId thread;
  SiteId site;
  std::uint64_t step;  // 0: the detector does not know; the last one before `limit`
  std::uint64_t limit;
};

DecisiveEvent event_of(const ExplainRequest& request, const Place& wanted, EventNames& names) {
  DecisiveEvent event;
  event.thread = wanted.thread;
  event.thread_name = names.thread(wanted.thread);
  event.function = names.function(wanted.site);
  event.place = names.place(wanted.site);
  const std::vector<Event>& trace = request.capture->trace;
  for (std::size_t i = 0; i < trace.size(); ++i) {
    const Event& seen = trace[i];
    if (seen.thread != wanted.thread || seen.site != wanted.site) continue;
    if (wanted.step == 0 ? seen.step < wanted.limit : seen.step == wanted.step) event.number = i;
  }
  return event;
}

}  // namespace

std::optional<Explanation> explain_finding(const ExplainRequest& request) {
  const RunRecord& record = *request.record;
  SiteNames sites(record.modules);
  for (const Finding& finding : record.findings) {
    const Judgement judgement = describe_finding(finding, record, sites);
    if (judgement.signature != request.expected.signature) continue;
    EventNames names(request.capture->modules, request.capture->threads,
                     {request.capture->heap, request.capture->allocation_calls});
    Explanation explanation;
    if (is_lock_discipline(finding)) {
      explanation.detail = "lock discipline";
    } else {
      explanation.bug = class_of(finding.kind);
    }
    explanation.sentence =
        sentence_for(finding, object_text(finding.object, sites), judgement.message);
    if (finding.first_site.value != 0) {
      const Place first{finding.first_thread, finding.first_site, finding.first_step,
                        finding.second_step};
      const Place second{finding.second_thread, finding.second_site, finding.second_step, 0};
      explanation.decisive.push_back(event_of(request, first, names));
      explanation.decisive.push_back(event_of(request, second, names));
      for (DecisiveEvent& event : explanation.decisive) event.object = names.object(finding.object);
    }
    return explanation;
  }
  return std::nullopt;
}

}  // namespace heddle::campaign
