// What a program itself said of its failure.
#pragma once

#include <string>
#include <string_view>

#include "campaign/run_record.h"

namespace heddle::campaign {

struct LastWords {
  std::string
      place;  // "queue_test.cc:42: Failure", an assertion's line: the same whenever the same check fails
  std::string
      rest;  // what it goes on to say; else the last line of the output, if nothing there tells of a check

  bool known_check() const { return !place.empty(); }
  // In a line; empty if it said nothing.
  std::string line() const;
  // As part of a signature.
  std::string signature() const;
};

// The first check that failed, since what comes after it is teardown: assert's, GoogleTest's, Catch2's, doctest's and
// Boost.Test's are known. Else the last line of stderr, else of stdout.
LastWords last_words(const RunCapture& capture);
LastWords last_words(std::string_view text);

// Numbers and addresses become '#', so that "lost 3 of 2000" and "lost 4 of 2000" are the same failure.
std::string normalise(std::string_view line);

}  // namespace heddle::campaign
