// What detectors reported in a run, in words: which detectors to run, names, messages and signatures.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "campaign/failure.h"
#include "campaign/lock_graph.h"
#include "campaign/options.h"
#include "campaign/site_names.h"
#include "contract/finding.h"
#include "detect/catalog.h"

namespace heddle::campaign {

// As in --fail-on and in JSON; a contract on disk.
std::string_view finding_name(FindingKind kind);

// Those named by --detect, and for each kind of --fail-on that none of them finds, its default.
DetectorMask chosen_detectors(const RunOptions& options);
FindingKinds failing_kinds(const RunOptions& options);

// A race whose two accesses stood side by side in this run (schedule/confirm.h).
bool side_by_side(const RunOutcome& outcome, const Finding& finding);

// Eraser's: it knows locks and no other order, so what it finds is a candidate, whatever the two accesses are.
bool is_lock_discipline(const Finding& finding);

// The signature is the same for the two places in either order.
Judgement describe_finding(const Finding& finding, const RunRecord& record, SiteNames& sites);
// The signature is that of the same circle in one run.
Judgement describe_circle(const LockGraph::Circle& circle, SiteNames& sites);
// "in runs 3 and 8 together"; 0 is an earlier campaign.
std::string together_text(std::span<const std::uint64_t> runs);

}  // namespace heddle::campaign
