// Pages that a thread has to itself, and how they are taken away (access_cells.h).
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <thread>
#include <vector>

#include "analysis/access_cells.h"
#include "event_feed.h"
#include "runtime/platform/process_barrier.h"

namespace heddle {
namespace {

constexpr std::uint64_t kPageBytes = std::uint64_t{1} << AccessCells::kPageShift;
constexpr std::uint64_t kFirstPage = 16;

AccessCell write_of(unsigned thread, unsigned tick, std::uint64_t site) {
  return {{ThreadId{static_cast<std::uint16_t>(thread)}, tick, EventKind::write, 0xff},
          SiteId{site}};
}

class PageOwner : public testing::Test {
 protected:
  void SetUp() override {
    barrier = runtime::process_barrier();
    if (barrier == nullptr) GTEST_SKIP() << "this kernel has no membarrier: no page has an owner";
    arena.begin_run(test::map_pages, 256 << 20);
    cells->begin_run(arena, nullptr, barrier);
  }
  std::vector<AccessCell> kept(AccessCells::Granule& granule) {
    std::vector<AccessCell> all;
    cells->update(granule, write_of(1023, 1, 0), [&](AccessCell& cell) {
      all.push_back(cell);
      return false;
    });
    return all;
  }

  runtime::ProcessBarrier barrier = nullptr;
  Arena arena;
  std::unique_ptr<AccessCells> cells = std::make_unique<AccessCells>();
  AccessCells::PageUser users[3];
};

TEST_F(PageOwner, IsWhoAsksFirstUntilAnotherDoes) {
  AccessCells::Page& page = *cells->page_for(kFirstPage, &users[0]);
  EXPECT_FALSE(AccessCells::enter(page, users[1]));
  EXPECT_EQ(users[1].inside, nullptr);
  ASSERT_TRUE(AccessCells::enter(page, users[0]));
  EXPECT_EQ(users[0].inside, &page);
  AccessCells::leave(users[0]);
  EXPECT_EQ(cells->page_for(kFirstPage, &users[0]), &page);
  EXPECT_FALSE(AccessCells::is_shared(page)) << "only its owner has asked";
  EXPECT_EQ(cells->page_for(kFirstPage, &users[1]), &page);
  EXPECT_TRUE(AccessCells::is_shared(page));
  EXPECT_FALSE(AccessCells::enter(page, users[0]));
  EXPECT_FALSE(AccessCells::enter(page, users[1]));
  EXPECT_EQ(cells->page_for(kFirstPage, &users[0]), &page);
  EXPECT_TRUE(AccessCells::is_shared(page)) << "for good";
}

TEST_F(PageOwner, IsNobodyWhereNobodySaysWhoItIs) {
  EXPECT_TRUE(AccessCells::is_shared(*cells->page_for(kFirstPage, nullptr)));
  EXPECT_TRUE(AccessCells::is_shared(*cells->page(kFirstPage + 1)));
}

TEST_F(PageOwner, LosesItWhenAnotherForgetsSomeOfIt) {
  AccessCells::Page& page = *cells->page_for(kFirstPage, &users[0]);
  cells->forget(kFirstPage * kPageBytes + 8, 8, &users[0]);
  EXPECT_FALSE(AccessCells::is_shared(page));
  cells->forget(kFirstPage * kPageBytes + 8, 8, &users[1]);
  EXPECT_TRUE(AccessCells::is_shared(page));
}

TEST_F(PageOwner, IsNotWaitedForForEver) {
  AccessCells::Page& page = *cells->page_for(kFirstPage, &users[0]);
  ASSERT_TRUE(AccessCells::enter(page, users[0]));  // and a signal handler jumps away
  cells->page_for(kFirstPage, &users[1]);
  EXPECT_TRUE(AccessCells::is_shared(page));
}

// As the stubs do it: without locks as long as the page is its own.
void keep_as_owner(AccessCells& cells, AccessCells::Page& page, AccessCells::PageUser& user,
                   AccessCells::Granule& granule, const AccessCell& fresh) {
  if (AccessCells::enter(page, user)) {
    const bool kept = AccessCells::keep_own<true, true>(granule, fresh);
    AccessCells::leave(user);
    if (kept) return;
  }
  cells.page_for(kFirstPage, &user);
  cells.update(granule, fresh, [&](AccessCell& cell) {
    if (cell.access.is_of_thread_of(fresh.access)) cell.access.take_bytes(0xff);
    return false;
  });
}

// One goes through its page again and again, and two others come at the same moment, each to leave something in every granule.
TEST_F(PageOwner, LosesNothingWhenThePageIsTakenFromUnderIt) {
  constexpr unsigned kRounds = 300, kGranules = 32;
  // Where others have the processors, the three meet seldom, and wait for each other long.
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(5);
  for (unsigned round = 0; round < kRounds && std::chrono::steady_clock::now() < deadline;
       ++round) {
    cells->begin_run(arena, nullptr, barrier);
    AccessCells::Page& page = *cells->page_for(kFirstPage, &users[0]);
    std::atomic<unsigned> there{0};
    std::atomic<unsigned> done{0};
    std::vector<std::thread> others;
    for (unsigned thread = 1; thread <= 2; ++thread) {
      others.emplace_back([&, thread] {
        ++there;
        while (there < 3) std::this_thread::yield();
        cells->page_for(kFirstPage, &users[thread]);
        for (unsigned i = 0; i < kGranules; ++i) {
          cells->update(page.granules[i], write_of(thread, 1, 100 + thread),
                        [](AccessCell&) { return false; });
        }
        ++done;
      });
    }
    unsigned tick = 0;
    ++there;
    while (done < 2) {
      ++tick;
      for (unsigned i = 0; i < kGranules; ++i) {
        keep_as_owner(*cells, page, users[0], page.granules[i], write_of(0, tick, tick));
      }
    }
    for (std::thread& other : others) other.join();
    EXPECT_TRUE(AccessCells::is_shared(page));
    for (unsigned i = 0; i < kGranules; ++i) {
      const std::vector<AccessCell> all = kept(page.granules[i]);
      ASSERT_EQ(all.size(), 3u) << "round " << round << ", granule " << i;
      for (const AccessCell& cell : all) {
        const unsigned thread = cell.access.thread().value;
        ASSERT_EQ(cell.access.tick(), thread == 0 ? tick : 1u) << round;
        ASSERT_EQ(cell.site.value, thread == 0 ? tick : 100 + thread) << round;
      }
    }
  }
}

}  // namespace
}  // namespace heddle
