#include "campaign/coverage_names.h"

#include <fmt/core.h>

#include <algorithm>

#include "campaign/site_names.h"
#include "coverage/catalog.h"

namespace heddle::campaign {

namespace {

// Finds names for one run's new tasks.
class Namer {
 public:
  Namer(const RunCoverage& coverage, std::span<const ModuleRecord> modules)
      : coverage_(coverage), sites_(modules) {}

  std::string name(PartKey key) {
    switch (key.first) {
      case PartKind::place:
        return key.second == 0 ? "its thread" : sites_.name(SiteId{key.second});
      case PartKind::function:
        return function(SiteId{key.second});
      case PartKind::object:
        return object(ObjectId{key.second});
      case PartKind::thread:
        return thread(key.second);
      case PartKind::word:
      case PartKind::none:
        break;
    }
    return {};
  }

 private:
  // "push queue.cpp:12" without the line.
  std::string function(SiteId site) {
    const std::string& place = sites_.name(site);
    const std::size_t space = place.rfind(' ');
    return space == std::string::npos ? place : place.substr(0, space);
  }

  std::string object(ObjectId id) {
    const auto known =
        std::ranges::find_if(coverage_.objects, [&](const auto& o) { return o.id == id; });
    switch (object_kind(id)) {
      case ObjectKind::global: {
        const std::string variable = sites_.variable(id);
        return variable.empty() ? fmt::format("static data +{:#x}", id.value & 0xffff'ffff'ffffULL)
                                : variable;
      }
      case ObjectKind::heap: {
        if (known == coverage_.objects.end()) return "a heap block";
        const std::string at = known->offset == 0 ? "" : fmt::format("+{}", known->offset);
        return fmt::format("[{} B from {}]{}", known->size,
                           sites_.allocation(known->site, &known->calls), at);
      }
      case ObjectKind::stack: {
        if (const std::string name = sites_.variable(id); !name.empty()) return name;
        if (known == coverage_.objects.end()) return "a local";
        const std::string owner = known->site.value == 0 ? "main" : start(known->site);
        return fmt::format("local {} of {}", known->offset, owner);
      }
      default:
        return "mapped memory";
    }
  }

  std::string start(SiteId site) {
    const std::string routine = sites_.function(site);
    return routine.empty() ? sites_.name(site) : routine;
  }

  // "worker (fill, push)": where it began, and the functions it was in while it made its first calls.
  std::string thread(std::uint64_t id) {
    const auto known =
        std::ranges::find_if(coverage_.threads, [&](const auto& t) { return t.id == id; });
    if (known == coverage_.threads.end()) return "a thread";
    std::string text = known->start.value == 0 ? "main" : start(known->start);
    std::vector<std::string> calls;
    for (std::uint64_t i = 0; i < std::min<std::uint64_t>(known->call_count, kFirstCalls); ++i) {
      calls.push_back(sites_.name(known->calls[i]));
    }
    if (calls.empty()) return text;
    // All of them make it what it is; the last one tells most.
    std::uint64_t hash = 0;
    for (const std::string& call : calls)
      hash = combine(hash, hash_bytes(call.data(), call.size()));
    return fmt::format("{} ({} calls to {}, {:04x})", text, calls.size(), calls.back(),
                       hash & 0xffff);
  }

  const RunCoverage& coverage_;
  SiteNames sites_;
};

}  // namespace

std::string_view word_of(std::string_view words, std::uint64_t number) {
  for (; number > 0; --number) {
    const std::size_t bar = words.find('|');
    if (bar == std::string_view::npos) return "?";
    words.remove_prefix(bar + 1);
  }
  return words.substr(0, words.find('|'));
}

void CoverageNames::learn(const RunCoverage& coverage, std::span<const ModuleRecord> modules) {
  Namer namer(coverage, modules);
  for (const TaskRecord& task : coverage.tasks) {
    for (std::size_t i = 0; i < task.part_count && i < kMostParts; ++i) {
      const PartKey key{task.kinds[i], task.parts[i]};
      if (key.first == PartKind::word || names_.contains(key)) continue;
      names_[key] = namer.name(key);
      new_.push_back(key);
    }
  }
}

std::string_view CoverageNames::name(PartKey key) const {
  const auto known = names_.find(key);
  return known == names_.end() ? std::string_view("?") : std::string_view(known->second);
}

std::string CoverageNames::text(const TaskRecord& task) const {
  if (task.metric >= metric_catalog().size()) return "?";
  const MetricCatalogRow& row = metric_catalog()[task.metric];
  const auto part = [&](std::size_t i) {
    if (i >= task.part_count) return std::string();
    if (task.kinds[i] == PartKind::word) return std::string(word_of(row.words, task.parts[i]));
    return std::string(name({task.kinds[i], task.parts[i]}));
  };
  std::string text;
  std::string_view form = row.form;
  while (!form.empty()) {
    const std::size_t open = form.find('{');
    text += form.substr(0, open);
    if (open == std::string_view::npos) break;
    const auto number = static_cast<std::size_t>(form[open + 1] - '0');
    if (form[open + 2] != '*') {
      text += part(number);
    } else if (number >= task.part_count) {
      text += "nothing";
    } else {
      for (std::size_t i = number; i < task.part_count; ++i) {
        text += (i == number ? "" : " + ") + part(i);
      }
    }
    form.remove_prefix(form.find('}', open) + 1);
  }
  return text;
}

}  // namespace heddle::campaign
