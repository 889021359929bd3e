// Sites as people read them: function file:line, or module+offset where there is no debug information.
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "contract/control_block.h"

namespace heddle::campaign {

class SiteNames {
 public:
  explicit SiteNames(std::span<const ModuleRecord> modules) : modules_(modules) {}

  // "unknown place" for site 0. The innermost frame that is not a system header's: std::mutex::lock says little.
  const std::string& name(SiteId site);
  // All frames that were inlined there and are not a system header's, innermost first; empty if none is known.
  std::vector<std::string> places(SiteId site) const;
  // As name(), and where that is a system header's place (a container, a lock), the first of the calls that led there, innermost
  // first, and is not.
  std::string own(SiteId site, std::span<const SiteId> calls);
  std::string allocation(SiteId site, const AllocationCalls* calls);  // which may be null
  // Where it waits. Who waits for threads to end, one after the other, is named by the call alone: for which one it waits when
  // the others cannot go on is chance.
  std::string waiting(const BlockedThread& blocked);
  // Of a function's first instruction, such as a thread's start routine: its name alone.
  std::string function(SiteId site) const;

  // "table[2].next": a global variable, or one of main()'s own, as far as debug information tells; else empty.
  std::string variable(ObjectId object) const;
  // "function file:line" of the place and of what it was inlined into, innermost first; never empty for a known site.
  std::vector<std::string> frames(SiteId site) const;
  // Every name a site goes by: functions and files of its frames, and its module.
  std::vector<std::string> all_names(SiteId site) const;

  // "0003:0x1234": how schedule.json refers to a site beside its name.
  static std::string reference(SiteId site);
  static SiteId parse_reference(const std::string& text);

 private:
  std::string look_up(SiteId site) const;
  std::string local_of_main(ObjectId object) const;

  std::span<const ModuleRecord> modules_;
  std::map<SiteId, std::string> known_;
};

std::string build_id_text(const ModuleRecord& module);

}  // namespace heddle::campaign
