#include "coverage/catalog.h"

#include "coverage/avio.h"
#include "coverage/concur_pairs.h"
#include "coverage/du_pairs.h"
#include "coverage/eraser.h"
#include "coverage/goldilocks.h"
#include "coverage/goodlock.h"
#include "coverage/hb_pairs.h"
#include "coverage/method.h"
#include "coverage/sync.h"

namespace heddle {
namespace {

template <class T>
struct Only {
  static constinit T object;
  static Metric& instance() { return object; }
};
template <class T>
constinit T Only<T>::object{};

constexpr std::string_view kEraserStates = "virgin|exclusive|exclusive'|shared|modified|race";

constexpr MetricCatalogRow kRows[] = {
    {"method", "functions that were interrupted by a switch, and that were not", "{0} {1}",
     "not interrupted|interrupted", Growth::early, false, &Only<MethodCoverage>::instance},
    {"method-pair", "a function that was interrupted and one that ran meanwhile",
     "{0} interrupted by {1}", "", Growth::early, false, &Only<MethodCoverage>::instance},
    {"ConcurPairs", "places passed one after the other, with or without a switch between them",
     "{0} then {1}, {2}", "same thread|switch", Growth::too_fine, true,
     &Only<ConcurPairs>::instance},
    {"DUPairs", "where a value is written and where it is read", "{0} written {1}, read {2}", "",
     Growth::early, true, &Only<DefinitionUsePairs>::instance},
    {"DUPairs*", "the same, with both threads", "{0} written {1} by {3}, read {2} by {4}", "",
     Growth::good, true, &Only<DefinitionUsePairs>::instance},
    {"reads-from", "every read with the write it sees", "{0} read {2} sees {1} {3}",
     "the initial value|of its own thread|of another thread", Growth::early, true,
     &Only<DefinitionUsePairs>::instance},
    {"Sync", "synchronisation that was visited, that blocked another, that was blocked", "{0} {1}",
     "visited|blocking|blocked", Growth::early, false, &Only<SyncCoverage>::instance},
    {"Eraser", "where a variable is used, in which of Eraser's states and under which locks",
     "{0} uses {1}, {2}, guarded by {3*}", kEraserStates, Growth::early, true,
     &Only<EraserCoverage>::instance},
    {"Eraser*", "the same, with the thread", "{0} uses {1} in {3}, {2}, guarded by {4*}",
     kEraserStates, Growth::good, true, &Only<EraserCoverage>::instance},
    {"GoldiLock", "where a variable is used, and who owns it by Goldilocks' rules",
     "{0} uses {1}, owned by {2*}", "", Growth::good, true, &Only<GoldilocksCoverage>::instance},
    {"GoldiLock*", "the same, with the thread", "{0} uses {1} in {2}, owned by {3*}", "",
     Growth::too_fine, true, &Only<GoldilocksCoverage>::instance},
    {"GoldiLockSC", "how Goldilocks decided; weighs 1 (SCT), 5 (SCL, LS), 10 (E: a race)",
     "{0} uses {1}: {2}, {3*}", "SCT|SCL|LS|E", Growth::good, true,
     &Only<GoldilocksCoverage>::instance},
    {"Avio", "two accesses of one thread and another thread's between them",
     "{3} used {0}, {2} by another thread, {1}", "", Growth::early, true,
     &Only<AvioCoverage>::instance},
    {"Avio*", "the same, with both threads", "{3} used {0} by {4}, {2} by {5}, {1} by {4}", "",
     Growth::good, true, &Only<AvioCoverage>::instance},
    {"GoodLock", "a lock is held and another asked for", "{2} taken {0}, then {3} asked for {1}",
     "", Growth::early, false, &Only<GoodlockCoverage>::instance},
    {"GoodLock*", "the same, with the thread", "{2} taken {0}, then {3} asked for {1} by {4}", "",
     Growth::good, false, &Only<GoodlockCoverage>::instance},
    {"HBPair", "two places of different threads that an object synchronised",
     "{0} before {1} through {2}", "the start of a thread|the end of a thread", Growth::early,
     false, &Only<HappensBeforePairs>::instance},
    {"HBPair*", "the same, with both threads", "{0} by {3} before {1} by {4} through {2}",
     "the start of a thread|the end of a thread", Growth::good, false,
     &Only<HappensBeforePairs>::instance},
};

}  // namespace

std::span<const MetricCatalogRow> metric_catalog() { return kRows; }

const MetricCatalogRow* find_metric(std::string_view name) {
  for (const MetricCatalogRow& row : kRows) {
    if (row.name == name) return &row;
  }
  return nullptr;
}

}  // namespace heddle
