// A finished run whose round is not over yet, as bytes: all that merging it needs.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "campaign/crew.h"

namespace heddle::campaign {

// Empty: this run is better made again than kept (it failed, so its capture is needed too).
std::string pending_bytes(const RunSlot& slot);

// Nothing, if these are no such bytes or were written for another plan.
std::optional<RunSlot> pending_slot(std::string_view bytes, const RunInput& input);

}  // namespace heddle::campaign
