#include "runtime/heap_registry.h"

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <random>

namespace heddle::runtime {
namespace {

HeapBlock block(std::uint64_t start, std::uint64_t size, std::uint64_t hash = 1) {
  HeapBlock result{};
  result.start = start;
  result.size = size;
  result.hash = hash;
  return result;
}

constexpr std::uint64_t kBase = 0x5555'0000'0000;

// Too large for a stack, and made for static storage.
std::unique_ptr<HeapRegistry> registry() { return std::make_unique<HeapRegistry>(); }

TEST(HeapRegistry, FindsABlockByEveryAddressInsideIt) {
  const auto heap = registry();
  ASSERT_TRUE(heap->insert(block(kBase + 16, 40, 7)));
  for (std::uint64_t at = kBase + 16; at < kBase + 56; ++at) {
    ASSERT_NE(heap->find(at), nullptr);
    EXPECT_EQ(heap->find(at)->hash, 7u);
  }
  EXPECT_EQ(heap->find(kBase + 15), nullptr);
  EXPECT_EQ(heap->find(kBase + 56), nullptr);
}

TEST(HeapRegistry, CountsWhatMayChangeAnAnswer) {
  const auto heap = registry();
  const std::uint64_t before = heap->changes();
  ASSERT_TRUE(heap->insert(block(kBase, 16)));
  const std::uint64_t inserted = heap->changes();
  EXPECT_NE(inserted, before);
  heap->find(kBase);
  EXPECT_EQ(heap->changes(), inserted);
  heap->erase(kBase);
  EXPECT_NE(heap->changes(), inserted);
}

TEST(HeapRegistry, KnowsAnEmptyBlockByItsStart) {
  const auto heap = registry();
  ASSERT_TRUE(heap->insert(block(kBase, 0)));
  EXPECT_NE(heap->find(kBase), nullptr);
  EXPECT_EQ(heap->find(kBase + 1), nullptr);
  EXPECT_EQ(heap->erase(kBase), 0u);
  EXPECT_EQ(heap->find(kBase), nullptr);
}

TEST(HeapRegistry, KnowsTheLatestThatWereGivenBack) {
  const auto heap = registry();
  EXPECT_EQ(heap->find_freed(kBase), nullptr);
  ASSERT_TRUE(heap->insert(block(kBase, 32, 1)));
  EXPECT_EQ(heap->find_freed(kBase), nullptr);
  heap->erase(kBase);
  ASSERT_TRUE(heap->insert(block(kBase + 16, 32, 2)));
  heap->erase(kBase + 16);
  ASSERT_NE(heap->find_freed(kBase + 8), nullptr);
  EXPECT_EQ(heap->find_freed(kBase + 8)->hash, 1u);
  EXPECT_EQ(heap->find_freed(kBase + 24)->hash, 2u) << "the later one";
  EXPECT_EQ(heap->find_freed(kBase + 48), nullptr);
  for (std::uint64_t i = 1; i < 1000; ++i) {
    ASSERT_TRUE(heap->insert(block(kBase + i * 64, 32, 3)));
    heap->erase(kBase + i * 64);
  }
  EXPECT_EQ(heap->find_freed(kBase + 8), nullptr);
}

TEST(HeapRegistry, ForgetsAReleasedBlockWithoutClearingItsEntries) {
  const auto heap = registry();
  ASSERT_TRUE(heap->insert(block(kBase, 100'000, 1)));
  EXPECT_EQ(heap->erase(kBase), 100'000u);
  EXPECT_EQ(heap->find(kBase + 50'000), nullptr);
  // The record is used again, for a block elsewhere: the old entries must not lead to it.
  ASSERT_TRUE(heap->insert(block(kBase + (1 << 20), 32, 2)));
  EXPECT_EQ(heap->find(kBase + 50'000), nullptr);
  EXPECT_EQ(heap->erase(kBase), 0u);
}

TEST(HeapRegistry, ReleasesOnlyByTheStartOfABlock) {
  const auto heap = registry();
  ASSERT_TRUE(heap->insert(block(kBase, 64)));
  EXPECT_EQ(heap->erase(kBase + 16), 0u);
  EXPECT_NE(heap->find(kBase), nullptr);
}

TEST(HeapRegistry, FindsSmallBlocksWhereALargeOneWas) {
  const auto heap = registry();
  ASSERT_TRUE(heap->insert(block(kBase, 1 << 20, 1)));
  heap->erase(kBase);
  ASSERT_TRUE(heap->insert(block(kBase + 8192, 24, 2)));
  ASSERT_NE(heap->find(kBase + 8200), nullptr);
  EXPECT_EQ(heap->find(kBase + 8200)->hash, 2u);
  heap->erase(kBase + 8192);
  ASSERT_TRUE(heap->insert(block(kBase, 1 << 20, 3)));
  EXPECT_EQ(heap->find(kBase + 8200)->hash, 3u);
}

TEST(HeapRegistry, FindsALiveBlockByItsHash) {
  const auto heap = registry();
  ASSERT_TRUE(heap->insert(block(kBase, 64, 11)));
  ASSERT_TRUE(heap->insert(block(kBase + 64, 64, 12)));
  ASSERT_NE(heap->find_hash(12), nullptr);
  EXPECT_EQ(heap->find_hash(12)->start, kBase + 64);
  heap->erase(kBase + 64);
  EXPECT_EQ(heap->find_hash(12), nullptr);
}

TEST(HeapRegistry, AgreesWithAnOrderedMapOverManyRandomSteps) {
  const unsigned seed = 20'261'115;
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937_64 random(seed);
  const auto heap = registry();
  std::map<std::uint64_t, std::uint64_t> model;  // start -> size
  for (int step = 0; step < 200'000; ++step) {
    const std::uint64_t start = kBase + random() % (4 << 20) / 16 * 16;
    auto after = model.lower_bound(start);
    if (random() % 2 == 0) {
      const std::uint64_t size = random() % (random() % 8 == 0 ? 40'000 : 200) + 1;
      const bool free_above =
          after == model.end() || start + ((size + 15) & ~15ull) <= after->first;
      const bool free_below =
          after == model.begin() ||
          std::prev(after)->first + ((std::prev(after)->second + 15) & ~15ull) <= start;
      if (!free_above || !free_below) continue;
      ASSERT_TRUE(heap->insert(block(start, size, start)));
      model[start] = size;
    } else if (after != model.end()) {
      ASSERT_EQ(heap->erase(after->first), after->second);
      model.erase(after);
    }
    const std::uint64_t probe = kBase + random() % (4 << 20);
    after = model.upper_bound(probe);
    const bool inside =
        after != model.begin() && probe - std::prev(after)->first < std::prev(after)->second;
    const HeapBlock* const found = heap->find(probe);
    ASSERT_EQ(found != nullptr, inside);
    if (inside) {
      ASSERT_EQ(found->start, std::prev(after)->first);
    }
  }
}

}  // namespace
}  // namespace heddle::runtime
