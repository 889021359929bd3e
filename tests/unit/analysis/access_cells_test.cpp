#include "analysis/access_cells.h"

#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <thread>
#include <vector>

#include "base/prng.h"
#include "event_feed.h"

namespace heddle {
namespace {

constexpr std::uint64_t kX = 0x10000;

AccessWord word(unsigned thread, unsigned tick, EventKind kind = EventKind::write,
                std::uint8_t mask = 0xff) {
  return {ThreadId{static_cast<std::uint16_t>(thread)}, tick, kind, mask};
}

TEST(AccessWord, KeepsEverythingItIsMadeOf) {
  for (const EventKind kind :
       {EventKind::read, EventKind::write, EventKind::read_write, EventKind::read_range,
        EventKind::write_range, EventKind::vptr_read, EventKind::freed, EventKind::atomic_load,
        EventKind::atomic_store, EventKind::atomic_rmw, EventKind::atomic_cas}) {
    AccessWord access = word(1023, 0xffffffff, kind, 0x5a);
    access.set_note(7);
    EXPECT_EQ(access.thread().value, 1023);
    EXPECT_EQ(access.tick(), 0xffffffffu);
    EXPECT_EQ(access.mask(), 0x5a);
    EXPECT_EQ(access.kind(), kind);
    EXPECT_EQ(access.note(), 7u);
    EXPECT_EQ(access.writes(), is_memory_write(kind));
    EXPECT_EQ(access.is_plain(), is_plain_access(kind));
  }
}

TEST(AccessWord, ANoteThatDoesNotFitIsTheLargest) {
  AccessWord access = word(1, 1);
  access.set_note(100'000);
  EXPECT_EQ(access.note(), AccessWord::kMostNote);
}

TEST(AccessWord, KnowsWhatTellsLessOfTheSameThreadAndTick) {
  EXPECT_TRUE(word(1, 5).knows(word(1, 5, EventKind::read, 0x0f)));
  EXPECT_TRUE(word(1, 5).knows(word(1, 5, EventKind::atomic_load, 0x0f)));
  EXPECT_FALSE(word(1, 5, EventKind::read).knows(word(1, 5)));
  EXPECT_FALSE(word(1, 5, EventKind::write, 0x0f).knows(word(1, 5, EventKind::write, 0x1f)));
  EXPECT_FALSE(word(1, 5, EventKind::atomic_rmw).knows(word(1, 5, EventKind::read)));
  EXPECT_FALSE(word(1, 5).knows(word(1, 6, EventKind::read)));
  EXPECT_FALSE(word(1, 5).knows(word(2, 5, EventKind::read)));
}

class AccessCellsTest : public testing::Test {
 protected:
  void SetUp() override {
    arena.begin_run(test::map_pages, 64 << 20);
    cells->begin_run(arena, nullptr);
  }
  AccessCells::Granule& granule(std::uint64_t address) {
    return AccessCells::granule_in(*cells->page(AccessCells::page_of(address)), address);
  }
  void keep(std::uint64_t address, AccessWord access, std::uint64_t site = 1) {
    cells->update(granule(address), {access, SiteId{site}}, [](AccessCell&) { return false; });
  }
  std::vector<AccessCell> kept(std::uint64_t address) {
    std::vector<AccessCell> all;
    // An access of nobody's: it takes a place of its own, which forget() gives back.
    cells->update(granule(address), {word(1023, 1), SiteId{0}}, [&](AccessCell& cell) {
      all.push_back(cell);
      return false;
    });
    return all;
  }

  Arena arena;
  std::unique_ptr<AccessCells> cells = std::make_unique<AccessCells>();
};

TEST_F(AccessCellsTest, ManyAccessesOfOneGranuleAreAllKept) {
  for (unsigned thread = 0; thread < 20; ++thread) keep(kX, word(thread, 1), 100 + thread);
  const std::vector<AccessCell> all = kept(kX);
  ASSERT_EQ(all.size(), 20u);
  for (const AccessCell& cell : all) EXPECT_EQ(cell.site.value, 100u + cell.access.thread().value);
}

TEST_F(AccessCellsTest, WhatLosesItsBytesIsGoneAndItsPlaceIsUsedAgain) {
  for (unsigned round = 1; round <= 1000; ++round) {
    for (unsigned thread = 0; thread < 8; ++thread) {
      cells->update(granule(kX), {word(thread, round), SiteId{1}}, [&](AccessCell& cell) {
        if (cell.access.thread().value == thread) cell.access.take_bytes(0xff);
        return false;
      });
    }
  }
  EXPECT_EQ(kept(kX).size(), 8u);
  EXPECT_LT(arena.used(), 1u << 20);
}

TEST_F(AccessCellsTest, TheSameInstructionFromByteToByteIsOneAccess) {
  for (unsigned byte = 0; byte < 8; ++byte) {
    keep(kX, word(1, 1, EventKind::write, static_cast<std::uint8_t>(1u << byte)), 5);
  }
  const std::vector<AccessCell> all = kept(kX);
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].access.mask(), 0xff);
}

TEST_F(AccessCellsTest, ForgetsBytesAndNotTheirNeighbours) {
  for (std::uint64_t at = kX; at < kX + 64; at += 8) keep(at, word(1, 1));
  cells->forget(kX + 4, 40);
  EXPECT_EQ(kept(kX).at(0).access.mask(), 0x0f);
  EXPECT_TRUE(kept(kX + 8).empty());
  EXPECT_EQ(kept(kX + 40).at(0).access.mask(), 0xf0);
  EXPECT_EQ(kept(kX + 48).at(0).access.mask(), 0xff);
}

TEST_F(AccessCellsTest, WholeGranulesAreFoundWhereTheyBeginAndAllAreInThePage) {
  const auto page = std::make_unique<AccessCells::Page>();
  const std::uint64_t last = kX + (std::uint64_t{1} << AccessCells::kPageShift) - 8;
  for (std::uint64_t address = kX; address < last + 8; ++address) {
    AccessCells::Granule* const one = AccessCells::find_whole<1>(*page, address);
    AccessCells::Granule* const two = AccessCells::find_whole<2>(*page, address);
    AccessCells::Granule* const there =
        address % 8 == 0 ? &AccessCells::granule_in(*page, address) : nullptr;
    ASSERT_EQ(one, there) << address;
    ASSERT_EQ(two, address == last ? nullptr : there) << address;
  }
}

TEST_F(AccessCellsTest, ADirectoryFindsTheSamePages) {
  void* const space =
      mmap(nullptr, AccessCells::kDirectoryPages * sizeof(AccessCells::Directory),
           PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  ASSERT_NE(space, MAP_FAILED);
  auto* const directory = static_cast<AccessCells::Directory*>(space);
  cells->begin_run(arena, directory);
  keep(kX, word(1, 1));
  AccessCells::Page* const page = cells->page(AccessCells::page_of(kX));
  EXPECT_EQ(directory[AccessCells::page_of(kX)], page);
  EXPECT_TRUE(AccessCells::knows(AccessCells::granule_in(*page, kX), word(1, 1)));
  munmap(space, AccessCells::kDirectoryPages * sizeof(AccessCells::Directory));
}

// The clock of a thread that knows threads 0 to 3 up to these ticks.
struct KnownTicks {
  std::uint32_t ticks[4];
  VectorClock clock{ticks, 4, 4};
};

TEST_F(AccessCellsTest, WhatIsOrderedAndSaysLessMakesWay) {
  KnownTicks known{{0, 5, 9, 0}};
  EXPECT_TRUE(cells->keep_simply(granule(kX), {word(1, 5), SiteId{10}}, known.clock));
  EXPECT_TRUE(cells->keep_simply(granule(kX), {word(2, 9), SiteId{20}}, known.clock));
  ASSERT_EQ(kept(kX).size(), 1u);
  EXPECT_EQ(kept(kX)[0].site.value, 20u);
}

TEST_F(AccessCellsTest, AReadLeavesTheWriteBeforeIt) {
  KnownTicks known{{0, 5, 9, 0}};
  keep(kX, word(1, 5), 10);
  EXPECT_TRUE(
      cells->keep_simply(granule(kX), {word(2, 9, EventKind::read), SiteId{20}}, known.clock));
  EXPECT_EQ(kept(kX).size(), 2u);
}

TEST_F(AccessCellsTest, AConflictIsNotSimpleAndChangesNothing) {
  KnownTicks known{{0, 4, 9, 0}};
  keep(kX, word(1, 5), 10);
  EXPECT_FALSE(cells->keep_simply(granule(kX), {word(2, 9), SiteId{20}}, known.clock));
  EXPECT_FALSE(
      cells->keep_simply(granule(kX), {word(3, 1, EventKind::read), SiteId{30}}, known.clock));
  ASSERT_EQ(kept(kX).size(), 1u);
  EXPECT_EQ(kept(kX)[0].site.value, 10u);
}

TEST_F(AccessCellsTest, AnUnorderedReadIsNotTakenAwayByAnother) {
  KnownTicks known{{0, 0, 9, 0}};
  keep(kX, word(1, 5, EventKind::read), 10);
  EXPECT_TRUE(
      cells->keep_simply(granule(kX), {word(2, 9, EventKind::read), SiteId{20}}, known.clock));
  EXPECT_EQ(kept(kX).size(), 2u);
}

TEST_F(AccessCellsTest, TheOwnThreadsWriteTakesThePlaceOfAllAndItsReadOfReads) {
  const auto own = [&](EventKind kind, unsigned tick, std::uint64_t site) {
    const AccessCell fresh{word(1, tick, kind), SiteId{site}};
    return kind == EventKind::write ? AccessCells::keep_own<true>(granule(kX), fresh)
                                    : AccessCells::keep_own<false>(granule(kX), fresh);
  };
  EXPECT_TRUE(own(EventKind::write, 1, 10));
  EXPECT_TRUE(own(EventKind::read, 2, 20));
  EXPECT_TRUE(own(EventKind::read, 3, 30));
  std::vector<AccessCell> all = kept(kX);
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].site.value, 10u);
  EXPECT_EQ(all[1].site.value, 30u);
  cells->forget(kX, 8);
  EXPECT_TRUE(own(EventKind::write, 3, 10));
  EXPECT_TRUE(own(EventKind::read, 4, 20));
  EXPECT_TRUE(own(EventKind::write, 5, 40));
  all = kept(kX);
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].site.value, 40u);
}

TEST_F(AccessCellsTest, WhereAnotherThreadHasBeenNothingIsTheOwn) {
  keep(kX, word(2, 1, EventKind::read), 10);
  EXPECT_FALSE(AccessCells::keep_own<true>(granule(kX), {word(1, 1), SiteId{20}}));
  for (unsigned thread = 3; thread < 9; ++thread) keep(kX, word(thread, 1, EventKind::read));
  EXPECT_FALSE(AccessCells::keep_own<true>(granule(kX), {word(2, 1), SiteId{20}})) << "a list";
  EXPECT_EQ(kept(kX).size(), 7u);
}

// The long way of an access to all the bytes, where one thread runs at a time.
bool keep_the_long_way(AccessCells::Granule& granule, const AccessCell& fresh,
                       const VectorClock& clock) {
  if (AccessCells::knows(granule, fresh.access)) return true;
  const bool own = fresh.access.writes() ? AccessCells::keep_own<true, true>(granule, fresh)
                                         : AccessCells::keep_own<false, true>(granule, fresh);
  return own || AccessCells::keep_simply<true>(granule, fresh, clock);
}

bool same(const AccessCell& a, const AccessCell& b) {
  return a.access.word() == b.access.word() && (a.access.is_none() || a.site == b.site);
}

TEST_F(AccessCellsTest, TheShortWayOfWhoComesBackLeavesWhatTheLongOneLeaves) {
  Prng prng(1);
  unsigned renewed = 0;
  for (unsigned round = 0; round < 2000; ++round) {
    AccessCells::Granule now{};
    std::uint32_t ticks[3] = {1, 1, 1};
    KnownTicks known[3];
    for (KnownTicks& thread : known) thread = {{0, 0, 0, 0}, {thread.ticks, 4, 4}};
    for (unsigned step = 0; step < 30; ++step) {
      const auto thread = static_cast<unsigned>(prng.below(3));
      const auto other = static_cast<unsigned>(prng.below(3));
      if (prng.chance(1, 3)) ++ticks[thread];
      if (prng.chance(1, 2)) known[thread].ticks[other] = ticks[other] - prng.chance(1, 4);
      known[thread].ticks[thread] = ticks[thread];
      const EventKind kind = prng.chance(1, 3) ? EventKind::write : EventKind::read;
      const AccessCell fresh{word(thread, ticks[thread], kind), SiteId{step + 1}};
      AccessCells::Granule short_way = now;
      const bool shortly = AccessCells::renew(short_way, fresh, known[thread].clock);
      AccessCells::Granule& expected = now;  // unchanged, if it is not for the short way
      AccessCells::Granule long_way = now;
      const bool kept = keep_the_long_way(long_way, fresh, known[thread].clock);
      if (shortly) {
        ++renewed;
        ASSERT_TRUE(kept);
        expected = long_way;
      }
      ASSERT_TRUE(same(short_way.cells[0], expected.cells[0])) << round << "." << step;
      ASSERT_TRUE(same(short_way.cells[1], expected.cells[1])) << round << "." << step;
      now = long_way;
    }
  }
  EXPECT_GT(renewed, 1000u);
}

TEST_F(AccessCellsTest, ThreadsSideBySideTakeTheirOwnPlacesAgain) {
  for (unsigned thread = 1; thread <= 4; ++thread) {
    keep(kX, word(thread, 1, EventKind::atomic_rmw), thread);
  }
  for (unsigned tick = 2; tick < 100; ++tick) {
    for (unsigned thread = 1; thread <= 4; ++thread) {
      EXPECT_EQ(cells->keep_beside(granule(kX),
                                   {word(thread, tick, EventKind::atomic_rmw), SiteId{thread}}, {}),
                AccessCells::Beside::kept_again);
    }
  }
  const std::vector<AccessCell> all = kept(kX);
  ASSERT_EQ(all.size(), 4u);
  for (const AccessCell& cell : all) {
    EXPECT_EQ(cell.access.tick(), 99u);
    EXPECT_EQ(cell.site.value, cell.access.thread().value);
  }
}

TEST_F(AccessCellsTest, APlainAccessAmongAtomicsIsNoNeighbour) {
  for (unsigned thread = 1; thread <= 4; ++thread)
    keep(kX, word(thread, 1, EventKind::atomic_load), thread);
  EXPECT_EQ(cells->keep_beside(granule(kX), {word(5, 1), SiteId{5}}, {}), AccessCells::Beside::no);
  keep(kX, word(6, 1), 6);
  const AccessCell again{word(1, 2, EventKind::atomic_load), SiteId{1}};
  EXPECT_EQ(cells->keep_beside(granule(kX), again, {}), AccessCells::Beside::no);
  std::uint32_t ticks[] = {0, 2, 0, 0, 0, 0, 1};  // ordered after it
  EXPECT_EQ(cells->keep_beside(granule(kX), again, {ticks, 7, 7}), AccessCells::Beside::kept_again);
}

TEST_F(AccessCellsTest, WhatIsInABookIsThereForPlainAccesses) {
  BookEntry books[5];
  const auto atomic = [&](unsigned thread, unsigned tick, EventKind kind) {
    return AccessCell{word(thread, tick, kind), SiteId{10 * tick + thread}};
  };
  for (unsigned tick = 1; tick <= 2; ++tick) {
    for (unsigned thread = 1; thread <= 4; ++thread) {
      const AccessCell fresh = atomic(thread, tick, EventKind::atomic_rmw);
      if (cells->keep_beside(granule(kX), fresh, {}) == AccessCells::Beside::no) {
        keep(kX, fresh.access, fresh.site.value);
      }
      if (tick == 2) cells->book(granule(kX), fresh, kX, books[thread]);
    }
  }
  for (unsigned thread = 1; thread <= 4; ++thread) {
    ASSERT_TRUE(books[thread].is_about(kX, word(thread, 3)));
    EXPECT_TRUE(books[thread].keep(atomic(thread, 3, EventKind::atomic_store)));
    EXPECT_TRUE(books[thread].keep(atomic(thread, 4, EventKind::atomic_load)));
    EXPECT_TRUE(books[thread].knows(word(thread, 4, EventKind::atomic_load)));
    EXPECT_FALSE(books[thread].knows(word(thread, 4, EventKind::atomic_rmw)));
  }
  const std::vector<AccessCell> all = kept(kX);
  EXPECT_EQ(all.size(), 8u);  // of each thread, the store and the load
  for (const AccessCell& cell : all) {
    EXPECT_EQ(cell.access.tick(), cell.access.writes() ? 3u : 4u);
    EXPECT_EQ(cell.site.value, 10 * cell.access.tick() + cell.access.thread().value);
  }
  for (unsigned thread = 1; thread <= 4; ++thread) {
    EXPECT_FALSE(books[thread].keep(atomic(thread, 5, EventKind::atomic_store))) << "it was opened";
  }
}

TEST_F(AccessCellsTest, ABookThatIsClosedLeavesWhatItSaid) {
  BookEntry book;
  keep(kX, word(2, 1, EventKind::atomic_load), 2);
  keep(kX, word(1, 1, EventKind::atomic_store), 1);
  const AccessCell fresh{word(1, 1, EventKind::atomic_store), SiteId{1}};
  cells->book(granule(kX), fresh, kX, book);
  ASSERT_TRUE(book.keep({word(1, 7, EventKind::atomic_cas), SiteId{70}}));
  cells->close(book);
  EXPECT_FALSE(book.is_marked());
  const std::vector<AccessCell> all = kept(kX);
  ASSERT_EQ(all.size(), 2u);
  for (const AccessCell& cell : all) {
    EXPECT_EQ(cell.site.value, cell.access.thread().value == 1 ? 70u : 2u);
  }
}

TEST(AtomicBook, DoesNotGiveAnEntryAwayEachTimeItIsWanted) {
  AtomicBook book;
  EXPECT_TRUE(book.has_room_for(kX));
  book.entry_for(kX).begin(kX, AccessWord::mark(word(1, 1)), nullptr);
  EXPECT_TRUE(book.has_room_for(kX));
  const std::uint64_t other = kX + 0x10000;
  ASSERT_EQ(&book.entry_for(other), &book.entry_for(kX));
  unsigned given = 0;
  for (unsigned i = 0; i < 64; ++i) given += book.has_room_for(other) ? 1 : 0;
  EXPECT_EQ(given, 4u);
}

TEST_F(AccessCellsTest, MemoryThatIsForgottenIsInNoBook) {
  BookEntry book;
  keep(kX, word(1, 1, EventKind::atomic_store, 0x0f), 1);
  cells->book(granule(kX), {word(1, 1, EventKind::atomic_store, 0x0f), SiteId{1}}, kX, book);
  ASSERT_TRUE(book.is_marked());
  cells->forget(kX, 2);
  EXPECT_FALSE(book.is_marked());
  const std::vector<AccessCell> all = kept(kX);
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].access.mask(), 0x0c);
}

// Either the one who keeps it sees that its mark is gone, or the one who took that sees what it kept.
TEST_F(AccessCellsTest, WhatIsWrittenIntoABookIsSeenByOneOfTwo) {
  constexpr unsigned kRounds = 20'000;
  // Where others have the processors, the two meet seldom, and wait for each other long.
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(5);
  BookEntry book;
  keep(kX, word(2, 1, EventKind::atomic_load), 2);
  unsigned untold = 0;
  std::uint32_t told = 0;   // the highest tick that the plain access saw
  std::uint32_t ended = 0;  // halves of rounds
  bool over = false;
  std::thread other([&] {
    for (unsigned round = 1;; ++round) {
      while (__atomic_load_n(&ended, __ATOMIC_ACQUIRE) != 2 * round - 1) {
        if (__atomic_load_n(&over, __ATOMIC_ACQUIRE)) return;
        std::this_thread::yield();
      }
      std::uint32_t highest = 0;
      cells->update(granule(kX), {word(3, round), SiteId{3}}, [&](AccessCell& cell) {
        if (cell.access.thread().value == 1) {
          if (cell.access.tick() > highest) highest = cell.access.tick();
          EXPECT_EQ(cell.site.value, cell.access.tick());
          cell.access.take_bytes(0xff);
        } else if (cell.access.thread().value == 3) {
          cell.access.take_bytes(0xff);
        }
        return false;
      });
      told = highest;
      __atomic_store_n(&ended, 2 * round, __ATOMIC_RELEASE);
    }
  });
  std::uint32_t tick = 1;
  for (unsigned round = 1; round <= kRounds && std::chrono::steady_clock::now() < deadline;
       ++round) {
    const AccessCell first{word(1, ++tick, EventKind::atomic_rmw), SiteId{tick}};
    keep(kX, first.access, first.site.value);
    if (book.start() != 0) cells->close(book);
    cells->book(granule(kX), first, kX, book);
    __atomic_store_n(&ended, 2 * round - 1, __ATOMIC_RELEASE);
    std::uint32_t last = tick;  // that nobody said was not kept
    bool marked = true;
    for (unsigned i = 0; i < 50 && marked; ++i) {
      ++tick;
      marked = book.keep({word(1, tick, EventKind::atomic_rmw), SiteId{tick}});
      if (marked) last = tick;
    }
    while (__atomic_load_n(&ended, __ATOMIC_ACQUIRE) != 2 * round) std::this_thread::yield();
    untold += told < last ? 1 : 0;
  }
  __atomic_store_n(&over, true, __ATOMIC_RELEASE);
  other.join();
  EXPECT_EQ(untold, 0u);
}

// Threads that really run in parallel: nothing may be lost, and no access may come with another's place.
TEST_F(AccessCellsTest, NothingIsLostWhenThreadsComeAtTheSameTime) {
  constexpr unsigned kThreads = 4, kRounds = 20'000;
  std::vector<std::thread> threads;
  for (unsigned thread = 0; thread < kThreads; ++thread) {
    threads.emplace_back([this, thread] {
      for (unsigned round = 1; round <= kRounds; ++round) {
        cells->update(granule(kX), {word(thread, round), SiteId{1000 + thread}},
                      [&](AccessCell& cell) {
                        if (cell.access.thread().value == thread) cell.access.take_bytes(0xff);
                        return false;
                      });
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  const std::vector<AccessCell> all = kept(kX);
  ASSERT_EQ(all.size(), kThreads);
  for (const AccessCell& cell : all) {
    EXPECT_EQ(cell.access.tick(), kRounds);
    EXPECT_EQ(cell.site.value, 1000u + cell.access.thread().value);
  }
}

// Each takes a place for its own unless it sees that the other was there; so both must be there in the end.
TEST_F(AccessCellsTest, OfTwoThatTakeAPlaceForTheirOwnNoneIsLost) {
  constexpr unsigned kPlaces = 20'000;
  for (unsigned i = 0; i < kPlaces; ++i) granule(kX + 8 * i);
  unsigned at[2] = {};
  const auto go_through = [&](unsigned thread) {
    for (unsigned i = 0; i < kPlaces; ++i) {
      AccessCells::Granule& place = granule(kX + 8 * i);
      __atomic_store_n(&at[thread], i, __ATOMIC_SEQ_CST);
      for (unsigned looks = 0; __atomic_load_n(&at[1 - thread], __ATOMIC_SEQ_CST) < i; ++looks) {
        if (looks > 1000) std::this_thread::yield();  // together, if the machine has room for two
      }
      for (unsigned tick = 1; tick <= 3; ++tick) {
        const AccessCell fresh{word(thread, tick), SiteId{thread}};
        if (AccessCells::keep_own<true>(place, fresh)) continue;
        cells->update(place, fresh, [&](AccessCell& cell) {
          if (cell.access.thread().value == thread) cell.access.take_bytes(0xff);
          return false;
        });
      }
    }
  };
  std::thread other(go_through, 1);
  go_through(0);
  other.join();
  for (unsigned i = 0; i < kPlaces; ++i) {
    const std::vector<AccessCell> all = kept(kX + 8 * i);
    ASSERT_EQ(all.size(), 2u) << i;
    for (const AccessCell& cell : all) {
      EXPECT_EQ(cell.access.tick(), 3u);
      EXPECT_EQ(cell.site.value, cell.access.thread().value);
    }
  }
}

}  // namespace
}  // namespace heddle
