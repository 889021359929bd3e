#include "campaign/campaign.h"

namespace heddle::campaign {

std::string_view stopped_by_name(StoppedBy reason) {
  switch (reason) {
    case StoppedBy::failure:
      return "failure";
    case StoppedBy::budget:
      return "budget";
    case StoppedBy::saturation:
      return "saturation";
    case StoppedBy::exhausted:
      return "exhausted";
    case StoppedBy::interrupted:
      return "interrupted";
  }
  return "budget";
}

double CampaignTotals::control_percent() const {
  const std::uint64_t all = controlled_calls + uncontrolled_calls;
  if (all == 0) return 100.0;
  return 100.0 * static_cast<double>(controlled_calls) / static_cast<double>(all);
}

double CampaignTotals::fidelity_percent() const {
  if (checks == 0) return 100.0;
  return 100.0 * static_cast<double>(checks_same) / static_cast<double>(checks);
}

}  // namespace heddle::campaign
