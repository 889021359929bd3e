#include "campaign/contended_accesses.h"

#include <gtest/gtest.h>

#include <vector>

namespace heddle::campaign {
namespace {

AccessProfile access(std::uint64_t path, std::uint64_t site, std::uint64_t object, EventKind kind) {
  AccessProfile result{};
  result.path_hash = path;
  result.site = SiteId{site};
  result.object = make_global(0, object);
  result.count = 1;
  result.kind = kind;
  return result;
}

TEST(ContendedAccesses, AnObjectOfOneThreadIsNot) {
  std::vector<AccessProfile> table = {access(1, 10, 5, EventKind::write),
                                      access(1, 11, 5, EventKind::read)};
  number_contended(table, {});
  EXPECT_EQ(contended_sites(table), 0u);
}

TEST(ContendedAccesses, AnObjectThatIsOnlyReadIsNot) {
  std::vector<AccessProfile> table = {access(1, 10, 5, EventKind::read),
                                      access(2, 11, 5, EventKind::atomic_load)};
  number_contended(table, {});
  EXPECT_EQ(contended_sites(table), 0u);
}

TEST(ContendedAccesses, GivingBackALockIsNoPlaceToWait) {
  std::vector<AccessProfile> table = {
      access(1, 10, 5, EventKind::mutex_lock), access(1, 11, 5, EventKind::mutex_unlock),
      access(2, 12, 5, EventKind::mutex_lock), access(2, 13, 5, EventKind::mutex_unlock)};
  number_contended(table, {});
  EXPECT_EQ(contended_sites(table), 2u);
  EXPECT_EQ(table[1].site_number, 0);
}

TEST(ContendedAccesses, SitesInsideAThreadComeBeforeItsFirst) {
  std::vector<AccessProfile> table = {
      access(1, 10, 5, EventKind::write), access(1, 11, 6, EventKind::write),
      access(2, 12, 5, EventKind::read), access(2, 13, 6, EventKind::read)};
  number_contended(table, {});
  EXPECT_EQ(table[1].site_number, 1);
  EXPECT_EQ(table[3].site_number, 2);
  EXPECT_EQ(table[0].site_number, 3);
  EXPECT_EQ(table[2].site_number, 4);
}

TEST(ContendedAccesses, ThreadsAreNumberedByTheProfile) {
  std::vector<AccessProfile> table = {access(7, 10, 5, EventKind::write),
                                      access(9, 10, 5, EventKind::write)};
  const std::vector<ThreadProfile> profile = {{9, 1, 1, 0}};
  number_contended(table, profile);
  EXPECT_EQ(table[0].thread_number, 0);
  EXPECT_EQ(table[1].thread_number, 1);
}

}  // namespace
}  // namespace heddle::campaign
