// The configurations that `heddle compare` puts side by side.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "campaign/noise_text.h"
#include "host/result.h"

namespace heddle::campaign {

struct Configuration {
  std::string text;    // as --noise takes it: its name in tables and files
  NoiseRequest noise;  // `none`: settings without a placement
};

// The 81 of Fiedor et al. 2014, §4.4.1: five placements at 15 % and 30 %, four seedings weak and strong, and no noise.
// read/write has the strong noise before writes and the weak one before reads, or the other way round; the paper does not
// say what synchronisation gets: here the weak one.
std::vector<Configuration> paper_grid();

Result<Configuration> parse_configuration(std::string_view text);

// One configuration a line; what follows # is a remark. `where` names the file in errors.
Result<std::vector<Configuration>> parse_grid(std::string_view text, std::string_view where);

}  // namespace heddle::campaign
