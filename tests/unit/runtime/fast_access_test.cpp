#include "runtime/fast/access.h"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <memory>
#include <vector>

namespace {

struct Look {
  const void* address;
  std::size_t size;
  heddle::EventKind kind;
};
std::vector<Look> g_looks;

}  // namespace

// The two symbols that the stubs need from the runtime.
constinit thread_local heddle::runtime::FastState heddle_fast_state_v6{};
void heddle_access_slow_v6(const void* address, std::size_t size, unsigned kind, void*) {
  g_looks.push_back({address, size, static_cast<heddle::EventKind>(kind)});
}

namespace heddle::runtime {
namespace {

class FastAccess : public testing::Test {
 protected:
  void SetUp() override {
    heddle_fast_state_v6 = FastState{};
    g_looks.clear();
  }
  // Gives every granule of memory_ its own cell.
  void with_shadow(std::uint16_t owner) {
    FastState& state = heddle_fast_state_v6;
    state.skip = -1;
    state.shadow_base = shadow_;
    state.shadow_mask = 7;
    state.owner = owner;
  }
  std::uint16_t& cell(const void* address) {
    return shadow_[(reinterpret_cast<std::uint64_t>(address) >> 3) & 7];
  }
  template <std::size_t kSize, Alignment kAlignment = Alignment::natural>
  std::size_t looks_after(void* address, EventKind kind) {
    g_looks.clear();
    access<kSize, kAlignment>(address, kind, nullptr);
    return g_looks.size();
  }

  alignas(64) unsigned char memory_[64] = {};
  std::uint16_t shadow_[8] = {};
};

TEST_F(FastAccess, AsksOnceWhileNobodyHasSaidAnything) {
  EXPECT_EQ(looks_after<8>(memory_, EventKind::read), 1u);
  EXPECT_EQ(g_looks[0].address, memory_);
  EXPECT_EQ(g_looks[0].size, 8u);
  EXPECT_EQ(g_looks[0].kind, EventKind::read);
}

TEST_F(FastAccess, LetsAsManyPassAsItWasTold) {
  heddle_fast_state_v6.skip = 3;
  for (int i = 0; i < 3; ++i) EXPECT_EQ(looks_after<4>(memory_, EventKind::write), 0u);
  EXPECT_EQ(looks_after<4>(memory_, EventKind::write), 1u);
}

TEST_F(FastAccess, PassesAReadOfWhatThisPhaseHasToItself) {
  with_shadow(0x11);
  cell(memory_) = 0x10;  // read so far
  EXPECT_EQ(looks_after<8>(memory_, EventKind::read), 0u);
  EXPECT_EQ(looks_after<8>(memory_, EventKind::write), 1u) << "the first write must be seen";
  cell(memory_) = 0x11;  // written
  EXPECT_EQ(looks_after<8>(memory_, EventKind::read), 0u);
  EXPECT_EQ(looks_after<8>(memory_, EventKind::write), 0u);
  EXPECT_EQ(looks_after<8>(memory_, EventKind::read_write), 0u);
}

TEST_F(FastAccess, LooksAtWhatIsAnotherPhases) {
  with_shadow(0x11);
  cell(memory_) = 0x21;
  EXPECT_EQ(looks_after<1>(memory_, EventKind::read), 1u);
  EXPECT_EQ(looks_after<1>(memory_, EventKind::write), 1u);
}

TEST_F(FastAccess, NobodysOwnerMatchesNothing) {
  with_shadow(0);
  EXPECT_EQ(looks_after<8>(memory_, EventKind::read), 1u);
}

TEST_F(FastAccess, ChecksBothGranulesOfAnAccessThatSpansTwo) {
  with_shadow(0x11);
  cell(memory_) = 0x11;
  cell(memory_ + 8) = 0x21;
  EXPECT_EQ(looks_after<16>(memory_, EventKind::read), 1u);
  EXPECT_EQ((looks_after<4, Alignment::any>(memory_ + 6, EventKind::read)), 1u);
  EXPECT_EQ((looks_after<4, Alignment::any>(memory_ + 4, EventKind::read)), 0u);
  cell(memory_ + 8) = 0x11;
  EXPECT_EQ(looks_after<16>(memory_, EventKind::read), 0u);
}

// A stub that keeps accesses by itself: thread 1 in tick 1, which knows of thread 2's first tick.
class TrackedAccess : public FastAccess {
 protected:
  void SetUp() override {
    FastAccess::SetUp();
    arena_.begin_run(map, 64 << 20);
    void* const space = map(AccessCells::kDirectoryPages * sizeof(AccessCells::Directory));
    ASSERT_NE(space, nullptr);
    directory_ = static_cast<AccessCells::Directory*>(space);
    cells_->begin_run(arena_, directory_);
    cells_->page(AccessCells::page_of(where(memory_)));
    cells_->page(AccessCells::page_of(where(memory_ + 63)));
    FastState& state = heddle_fast_state_v6;
    state.skip = -1;
    state.tracked_pages = reinterpret_cast<void* const*>(directory_);
    state.tracked_limit = AccessCells::kDirectoryPages;
    state.tracked_who = AccessWord::who_of(ThreadId{1}, 1);
    state.tracked_clock = &clock_;
    state.sleeps_ended = &sleeps_;
    state.in_runtime = &in_runtime_;
  }
  void TearDown() override {
    heddle_fast_state_v6 = FastState{};
    munmap(directory_, AccessCells::kDirectoryPages * sizeof(AccessCells::Directory));
  }
  static void* map(std::size_t bytes) {
    void* const memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return memory == MAP_FAILED ? nullptr : memory;
  }
  static std::uint64_t where(const void* address) {
    return reinterpret_cast<std::uint64_t>(address);
  }
  bool is_kept(const void* address, EventKind kind, std::uint8_t mask = 0xff) {
    const auto& page = *cells_->page(AccessCells::page_of(where(address)));
    return AccessCells::knows(AccessCells::granule_in(page, where(address)),
                              {ThreadId{1}, 1, kind, mask});
  }
  void keep_of_thread_2(void* address, std::uint32_t tick) {
    auto& page = *cells_->page(AccessCells::page_of(where(address)));
    cells_->update(AccessCells::granule_in(page, where(address)),
                   {{ThreadId{2}, tick, EventKind::write, 0xff}, SiteId{2}},
                   [](AccessCell&) { return false; });
  }

  Arena arena_;
  std::unique_ptr<AccessCells> cells_ = std::make_unique<AccessCells>();
  AccessCells::Directory* directory_ = nullptr;
  std::uint32_t ticks_[3] = {0, 1, 1};
  VectorClock clock_{ticks_, 3, 3};
  std::uint32_t sleeps_ = 0;
  bool in_runtime_ = false;
};

TEST_F(TrackedAccess, KeepsWhatIsSimpleAndAsksNobody) {
  EXPECT_EQ(looks_after<8>(memory_, EventKind::write), 0u);
  EXPECT_TRUE(is_kept(memory_, EventKind::write));
  EXPECT_EQ(looks_after<16>(memory_ + 16, EventKind::read), 0u);
  EXPECT_TRUE(is_kept(memory_ + 16, EventKind::read));
  EXPECT_TRUE(is_kept(memory_ + 24, EventKind::read));
  EXPECT_EQ(looks_after<2>(memory_ + 34, EventKind::read), 0u);
  EXPECT_TRUE(is_kept(memory_ + 34, EventKind::read, 0x0c));
  EXPECT_FALSE(is_kept(memory_ + 34, EventKind::read, 0x1c));
  EXPECT_FALSE(in_runtime_);
}

TEST_F(TrackedAccess, UnderControlPassesWhatIsPrivateAndKnownAndKeepsNothing) {
  FastState& state = heddle_fast_state_v6;
  EXPECT_EQ(looks_after<8>(memory_, EventKind::write), 0u);  // kept
  EXPECT_EQ(looks_after<1>(memory_ + 8, EventKind::read), 0u);
  state.tracked_limit = 0;
  state.private_limit = AccessCells::kDirectoryPages;
  with_shadow(0x11);
  for (std::uint16_t& each : shadow_) each = 0x11;
  EXPECT_EQ(looks_after<8>(memory_, EventKind::write), 0u);
  EXPECT_EQ(looks_after<4>(memory_ + 4, EventKind::read), 0u);
  EXPECT_EQ(looks_after<1>(memory_ + 8, EventKind::read), 0u);
  EXPECT_EQ(looks_after<1>(memory_ + 9, EventKind::read), 1u) << "private, but not known";
  EXPECT_EQ(looks_after<8>(memory_ + 16, EventKind::write), 1u);
  EXPECT_FALSE(is_kept(memory_ + 16, EventKind::write));
  cell(memory_) = 0x21;
  EXPECT_EQ(looks_after<8>(memory_, EventKind::write), 1u) << "known, but not private";
  cell(memory_) = 0x11;
  state.skip = kLongStretch;
  EXPECT_EQ(looks_after<8>(memory_, EventKind::write), 1u) << "after a long stretch one is a point";
}

TEST_F(TrackedAccess, AConflictIsTheRuntimes) {
  keep_of_thread_2(memory_, 2);
  EXPECT_EQ(looks_after<8>(memory_, EventKind::read), 1u);
  EXPECT_EQ(looks_after<4>(memory_, EventKind::write), 1u);
  keep_of_thread_2(memory_ + 8, 1);
  EXPECT_EQ(looks_after<8>(memory_ + 8, EventKind::write), 0u) << "it is ordered";
  EXPECT_EQ(looks_after<16>(memory_, EventKind::read), 1u) << "one of two";
}

TEST_F(TrackedAccess, InAPageOfItsOwnKeepsTheSameAndInAnothersAsks) {
  AccessCells::PageUser self, other;
  heddle_fast_state_v6.page_user = &self;
  AccessCells::Page& page = *cells_->page(AccessCells::page_of(where(memory_)));
  page.owner = &self;
  cells_->page(AccessCells::page_of(where(memory_ + 63)))->owner = &self;
  EXPECT_EQ(looks_after<8>(memory_, EventKind::write), 0u);
  EXPECT_TRUE(is_kept(memory_, EventKind::write));
  EXPECT_EQ(looks_after<16>(memory_ + 16, EventKind::read), 0u);
  EXPECT_TRUE(is_kept(memory_ + 24, EventKind::read));
  EXPECT_EQ(looks_after<2>(memory_ + 34, EventKind::read), 0u);
  EXPECT_TRUE(is_kept(memory_ + 34, EventKind::read, 0x0c));
  EXPECT_EQ(self.inside, nullptr);
  page.owner = &other;
  EXPECT_EQ(looks_after<8>(memory_ + 8, EventKind::write), 1u);
  EXPECT_FALSE(is_kept(memory_ + 8, EventKind::write));
  EXPECT_EQ(self.inside, nullptr);
  heddle_fast_state_v6.page_user = nullptr;
  EXPECT_EQ(looks_after<8>(memory_ + 8, EventKind::write), 1u) << "it can own none";
  EXPECT_FALSE(in_runtime_);
}

TEST_F(TrackedAccess, WhoIsElsewhereAsksWhereItIs) {
  void* frames[1] = {};
  heddle_fast_state_v6.stack_top = frames;
  EXPECT_EQ(looks_after<8>(memory_, EventKind::read), 1u);
  EXPECT_FALSE(is_kept(memory_, EventKind::read));
}

TEST_F(TrackedAccess, ASignalHandlerInsideTheRuntimeGoesUnseen) {
  in_runtime_ = true;
  EXPECT_EQ(looks_after<8>(memory_, EventKind::read), 0u);
  EXPECT_FALSE(is_kept(memory_, EventKind::read));
  EXPECT_TRUE(in_runtime_);
}

TEST_F(FastAccess, ARangeOfNothingIsNoAccess) {
  heddle_fast_state_v6.skip = -1;
  access_range(memory_, 0, EventKind::read_range, nullptr);
  EXPECT_TRUE(g_looks.empty());
  access_range(memory_, 40, EventKind::write_range, nullptr);
  ASSERT_EQ(g_looks.size(), 1u);
  EXPECT_EQ(g_looks[0].size, 40u);
}

TEST_F(FastAccess, TheShadowStackIsKeptOnlyOnRequest) {
  void* stack[4] = {};
  FastState& state = heddle_fast_state_v6;
  state.stack_top = stack;
  state.stack_limit = stack + 4;
  enter_function(&state);
  EXPECT_EQ(state.stack_top, stack);
  state.keep_stack = 1;
  enter_function(&state);
  EXPECT_EQ(state.stack_top, stack + 1);
  EXPECT_EQ(stack[0], &state);
  leave_function();
  EXPECT_EQ(state.stack_top, stack);
}

TEST_F(FastAccess, AFullShadowStackCountsWhatDoesNotFitAndComesBack) {
  void* stack[2] = {};
  FastState& state = heddle_fast_state_v6;
  state.keep_stack = 1;
  state.stack_top = stack;
  state.stack_limit = stack + 2;
  for (int i = 0; i < 5; ++i) enter_function(&state);
  EXPECT_EQ(state.stack_overflow, 3u);
  for (int i = 0; i < 5; ++i) leave_function();
  EXPECT_EQ(state.stack_overflow, 0u);
  EXPECT_EQ(state.stack_top, stack);
}

}  // namespace
}  // namespace heddle::runtime
