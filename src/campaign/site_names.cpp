#include "campaign/site_names.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "host/symbols.h"

namespace heddle::campaign {

namespace {

// Opened modules are kept from failure to failure. Used by the campaign's own thread only.
Symbols& symbols() {
  static Symbols opened;
  return opened;
}

}  // namespace

std::string SiteNames::function(SiteId site) const {
  const std::size_t index = site_module(site);
  if (site.value == 0 || index >= modules_.size()) return {};
  const std::vector<Frame> frames =
      symbols().frames(modules_[index].path, site_offset(site), CodeAddress::instruction);
  return frames.empty() ? std::string() : frames.back().function;
}

std::string SiteNames::variable(ObjectId object) const {
  if (object_kind(object) == ObjectKind::stack) return local_of_main(object);
  const std::size_t index = (object.value >> 48) & 0xfff;
  if (object_kind(object) != ObjectKind::global || index >= modules_.size()) return {};
  return symbols().data(modules_[index].path, object.value & 0xffff'ffff'ffffULL);
}

std::string SiteNames::local_of_main(ObjectId object) const {
  const std::uint64_t owner = (object.value >> 44) & 0xffff;
  if (owner != 0 || modules_.empty() || modules_[0].main_frame == 0) return {};
  const auto below = static_cast<std::int64_t>(object.value & 0xfff'ffff'ffffULL);
  return symbols().local(modules_[0].path, "main", modules_[0].main_frame - below);
}

std::vector<std::string> SiteNames::frames(SiteId site) const {
  const std::size_t index = site_module(site);
  if (site.value == 0 || index >= modules_.size()) return {};
  std::vector<std::string> shown;
  for (const Frame& frame : symbols().frames(modules_[index].path, site_offset(site))) {
    shown.push_back(show(frame));
  }
  if (shown.empty()) shown.push_back(look_up(site));
  return shown;
}

std::vector<std::string> SiteNames::all_names(SiteId site) const {
  const std::size_t index = site_module(site);
  if (site.value == 0 || index >= modules_.size()) return {};
  std::vector<std::string> names{modules_[index].path};
  for (const Frame& frame : symbols().frames(modules_[index].path, site_offset(site))) {
    names.push_back(frame.function);
    names.push_back(frame.file);
  }
  return names;
}

const std::string& SiteNames::name(SiteId site) {
  const auto [at, fresh] = known_.try_emplace(site);
  if (fresh) at->second = look_up(site);
  return at->second;
}

std::string SiteNames::own(SiteId site, std::span<const SiteId> calls) {
  if (std::vector<std::string> here = places(site); !here.empty()) return std::move(here.front());
  for (const SiteId call : calls) {
    std::vector<std::string> caller = places(call);
    if (!caller.empty()) return std::move(caller.front());
  }
  return name(site);
}

std::string SiteNames::allocation(SiteId site, const AllocationCalls* calls) {
  return own(site, calls == nullptr ? std::span<const SiteId>() : std::span(calls->sites));
}

std::string SiteNames::waiting(const BlockedThread& blocked) {
  if (blocked.waiting_in == EventKind::thread_join) return name(blocked.site);
  return own(blocked.site, blocked.calls.sites);
}

std::vector<std::string> SiteNames::places(SiteId site) const {
  std::vector<std::string> shown;
  const std::size_t index = site_module(site);
  if (site.value == 0 || index >= modules_.size()) return shown;
  // libc may have debug information of its own: who calls main() and a thread's function tells nobody anything.
  std::string_view module = modules_[index].path;
  module.remove_prefix(module.rfind('/') + 1);  // npos + 1 is 0
  if (module.starts_with("libc.") || module.starts_with("libstdc++.")) return shown;
  for (const Frame& frame : symbols().frames(modules_[index].path, site_offset(site))) {
    if (!frame.file.starts_with("/usr/") && frame.line > 0) shown.push_back(show(frame));
  }
  return shown;
}

std::string SiteNames::look_up(SiteId site) const {
  if (site.value == 0) return "unknown place";
  const std::size_t index = site_module(site);
  if (index >= modules_.size()) return fmt::format("module {}+{:#x}", index, site_offset(site));
  std::string_view path = modules_[index].path;
  const std::vector<Frame> frames = symbols().frames(path, site_offset(site));
  for (const Frame& frame : frames) {
    if (!frame.file.starts_with("/usr/") && frame.line > 0) return show(frame);
  }
  if (!frames.empty()) return show(frames.front());
  path.remove_prefix(path.rfind('/') + 1);  // npos + 1 is 0
  return fmt::format("{}+{:#x}", path, site_offset(site));
}

std::string SiteNames::reference(SiteId site) {
  return fmt::format("{}:{:#x}", site_module(site), site_offset(site));
}

SiteId SiteNames::parse_reference(const std::string& text) {
  const std::size_t colon = text.find(':');
  if (colon == std::string::npos) return SiteId{0};
  return make_site(std::strtoull(text.c_str(), nullptr, 10),
                   std::strtoull(text.c_str() + colon + 1, nullptr, 0));
}

std::string build_id_text(const ModuleRecord& module) {
  std::string text;
  const std::size_t size = std::min<std::size_t>(module.build_id_size, sizeof module.build_id);
  for (std::size_t i = 0; i < size; ++i) text += fmt::format("{:02x}", module.build_id[i]);
  return text;
}

}  // namespace heddle::campaign
