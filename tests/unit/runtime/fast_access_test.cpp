#include "runtime/fast/access.h"

#include <gtest/gtest.h>

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
constinit thread_local heddle::runtime::FastState heddle_fast_state_v3{};
void heddle_access_slow_v3(const void* address, std::size_t size, unsigned kind, void*) {
  g_looks.push_back({address, size, static_cast<heddle::EventKind>(kind)});
}

namespace heddle::runtime {
namespace {

class FastAccess : public testing::Test {
 protected:
  void SetUp() override {
    heddle_fast_state_v3 = FastState{};
    g_looks.clear();
  }
  // Gives every granule of memory_ its own cell.
  void with_shadow(std::uint16_t owner) {
    FastState& state = heddle_fast_state_v3;
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
  heddle_fast_state_v3.skip = 3;
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

TEST_F(FastAccess, ARangeOfNothingIsNoAccess) {
  heddle_fast_state_v3.skip = -1;
  access_range(memory_, 0, EventKind::read_range, nullptr);
  EXPECT_TRUE(g_looks.empty());
  access_range(memory_, 40, EventKind::write_range, nullptr);
  ASSERT_EQ(g_looks.size(), 1u);
  EXPECT_EQ(g_looks[0].size, 40u);
}

TEST_F(FastAccess, TheShadowStackIsKeptOnlyOnRequest) {
  void* stack[4] = {};
  FastState& state = heddle_fast_state_v3;
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
  FastState& state = heddle_fast_state_v3;
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
