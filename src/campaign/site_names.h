// Sites as people read them: function file:line, or module+offset where there is no debug information.
#pragma once

#include <map>
#include <span>
#include <string>

#include "contract/control_block.h"

namespace heddle::campaign {

class SiteNames {
 public:
  explicit SiteNames(std::span<const ModuleRecord> modules) : modules_(modules) {}

  // "unknown place" for site 0.
  const std::string& name(SiteId site);

  // "0003:0x1234": how schedule.json refers to a site beside its name.
  static std::string reference(SiteId site);
  static SiteId parse_reference(const std::string& text);

 private:
  std::string look_up(SiteId site) const;

  std::span<const ModuleRecord> modules_;
  std::map<SiteId, std::string> known_;
};

std::string build_id_text(const ModuleRecord& module);

}  // namespace heddle::campaign
