// Threads, objects and places of a trace as a programmer calls them.
#pragma once

#include <map>
#include <span>
#include <string>

#include "campaign/run_record.h"
#include "campaign/site_names.h"

namespace heddle::campaign {

class EventNames {
 public:
  struct HeapList {
    std::span<const HeapRecord> blocks;
    std::span<const AllocationCalls> calls;
  };
  EventNames(std::span<const ModuleRecord> modules, std::span<const ThreadRecord> threads,
             const HeapList& heap)
      : modules_(modules), threads_(threads), heap_(heap), sites_(modules) {}

  // A thread as an object is known by an address of the runtime's: its creation says which it is.
  void learn_threads(std::span<const Event> events);

  // "main", "T2 increase".
  std::string thread(ThreadId thread);
  // "counter", "forks[2]", "[24 B from make node.cpp:7]+8", "local 0x40 of T1"; main()'s own variables by name.
  const std::string& object(ObjectId object);
  // "increase counter.c:13".
  const std::string& place(SiteId site) { return sites_.name(site); }
  // The same; where that is a system header's, the first of the calls that led there and is not.
  std::string own_place(SiteId site, std::span<const SiteId> calls) {
    return sites_.own(site, calls);
  }
  std::string waiting_place(const BlockedThread& blocked) { return sites_.waiting(blocked); }
  // The same with what it was inlined into, without system headers; empty if nothing is known.
  std::vector<std::string> places(SiteId site) const { return sites_.places(site); }
  // "increase": empty if not known.
  std::string function(SiteId site) { return function_of(place(site)); }
  // Of "increase counter.c:13".
  static std::string function_of(const std::string& place);
  // "counter.c:13": empty if not known.
  std::string line(SiteId site);
  // Of "increase counter.c:13".
  static std::string line_of(const std::string& place);

 private:
  std::string look_up(ObjectId object);

  std::span<const ModuleRecord> modules_;
  std::span<const ThreadRecord> threads_;
  HeapList heap_;
  SiteNames sites_;
  std::map<ObjectId, std::string> objects_;
};

}  // namespace heddle::campaign
