// What detectors reported in a run, in words: which detectors to run, names, messages and signatures.
#pragma once

#include <string>
#include <string_view>

#include "campaign/failure.h"
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

// The signature is the same for the two places in either order.
Judgement describe_finding(const Finding& finding, const RunRecord& record, SiteNames& sites);

}  // namespace heddle::campaign
