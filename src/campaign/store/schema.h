// The tables of campaign.sqlite, and how an older store becomes a present one (docs/formats/campaign.md).
#pragma once

#include "campaign/store/database.h"

namespace heddle::campaign {

inline constexpr int kStoreVersion = 5;

// Opens for reading and writing; makes the tables of a new store, migrates an older one, refuses a newer one.
Result<std::unique_ptr<Database>> open_current(const std::filesystem::path& file);

}  // namespace heddle::campaign
