#include "base/arena.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <vector>

namespace heddle {
namespace {

constexpr std::size_t kMegabyte = std::size_t{1} << 20;

std::vector<std::size_t> g_pieces;
std::vector<void*> g_memory;

void* piece_of(std::size_t bytes) {
  g_pieces.push_back(bytes);
  g_memory.push_back(std::aligned_alloc(4096, bytes));
  return g_memory.back();
}

class ArenaTest : public testing::Test {
 protected:
  ~ArenaTest() override {
    for (void* const memory : g_memory) std::free(memory);
    g_memory.clear();
    g_pieces.clear();
  }
  Arena arena;
};

TEST_F(ArenaTest, TakesLargerPiecesOnceItHasTakenMuch) {
  arena.begin_run(piece_of, 8 * kMegabyte);
  while (arena.used() <= kMegabyte) ASSERT_NE(arena.allocate(64 << 10), nullptr);
  EXPECT_EQ(g_pieces, (std::vector<std::size_t>{kMegabyte / 4, kMegabyte / 4, kMegabyte / 4,
                                                kMegabyte / 4, 2 * kMegabyte}));
}

TEST_F(ArenaTest, UsesAllThatItMayHoweverLargeThePieces) {
  const std::uint64_t limit = 3 * kMegabyte + kMegabyte / 2;
  arena.begin_run(piece_of, limit);
  std::uint64_t given = 0;
  while (arena.allocate(64 << 10) != nullptr) given += 64 << 10;
  EXPECT_EQ(arena.used(), limit);
  EXPECT_EQ(given, limit);
  EXPECT_EQ(arena.refused(), 1u);
}

}  // namespace
}  // namespace heddle
