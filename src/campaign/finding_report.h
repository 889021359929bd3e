// The evidence behind a finding, in words: both accesses with their call stacks and the locks held, where the memory comes
// from, where the threads were created.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "campaign/failure.h"
#include "campaign/site_names.h"
#include "contract/finding.h"

namespace heddle::campaign {

// "the main thread", "thread 2 (worker)", with the name that the program gave it if it did.
std::string thread_text(const RunRecord& record, ThreadId thread, const SiteNames& sites);
// "'table[2].next'", "a heap block (byte 8)", "the stack of thread 1".
std::string object_text(ObjectId object, const SiteNames& sites);
// "'m'", "'table' to read": what was held there.
std::vector<std::string> lock_names(const StackRecord& stack, SiteNames& sites);
// "write", "atomic read".
std::string_view access_text(EventKind kind);

// The place itself, then the calls that led there; empty if they are not known.
std::span<const SiteId> calls_of(const RunRecord& record, std::uint16_t stack);

std::vector<Evidence> evidence_of(const Finding& finding, const RunRecord& record,
                                  SiteNames& sites);

}  // namespace heddle::campaign
