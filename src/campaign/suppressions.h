// Findings the user does not want to hear of, in the file format of ThreadSanitizer: a line `type:pattern` each.
//
// Types: race (data races, atomicity, sleeps that order), race_top (the same, by the innermost frame of an access alone),
// deadlock (lock order), mutex (misuse), thread (leaks), called_from_lib (any finding in that library), signal (nothing
// here: heddle has no such finding). A pattern matches anywhere in the name of a function, a source file
// or a module; * stands for anything, ^ and $ for the ends. Lines that begin with # are comments.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "contract/finding.h"
#include "host/result.h"

namespace heddle::campaign {

class Suppressions {
 public:
  static Result<Suppressions> parse(std::string_view text, std::string_view where);

  bool empty() const { return rules_.empty(); }
  // Functions, files and modules of both places: of all calls that led there, and of the innermost frames alone.
  struct Names {
    std::vector<std::string> all;
    std::vector<std::string> innermost;
  };
  bool match(FindingKind kind, const Names& names) const;

 private:
  struct Rule {
    std::string type;
    std::string pattern;
  };
  std::vector<Rule> rules_;
};

// ThreadSanitizer's matching of one name.
bool matches_pattern(std::string_view pattern, std::string_view name);

// A race inside a standard library that its users can do nothing about: both accesses are within std::atomic<shared_ptr>,
// whose lock libstdc++ 12 gives back with a relaxed store.
bool is_library_race(const std::vector<std::string>& first, const std::vector<std::string>& second);

}  // namespace heddle::campaign
