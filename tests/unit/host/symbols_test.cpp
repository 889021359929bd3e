// The test's own program is what it looks up.
#include "host/symbols.h"

#include <dlfcn.h>
#include <gtest/gtest.h>
#include <link.h>

#include <atomic>
#include <mutex>

#include "host/demangle.h"

namespace heddle::symbols_under_test {

struct Pair {
  int left;
  int right;
};
struct Account {
  long balance;
  Pair pairs[3];
  std::mutex lock;
  std::atomic<int> readers;
};
Account account;
int plain_counter = 1;
static int hidden_counter = 2;

struct Here {
  const void* address;
  int line;
};
__attribute__((noinline)) const void* return_address() { return __builtin_return_address(0); }
inline __attribute__((always_inline)) Here inlined_place() {
  const Here here{return_address(), __LINE__};
  return here;
}
__attribute__((noinline)) Here outer_place() {
  Here here = inlined_place();
  asm volatile("" : : "r"(&here) : "memory");
  return here;
}

// By the distance from the canonical frame address of the function that has them.
struct OnStack {
  std::int64_t balance;
  std::int64_t right;
  std::int64_t flag;
};

}  // namespace heddle::symbols_under_test

extern "C" __attribute__((noinline)) heddle::symbols_under_test::OnStack
symbols_under_test_on_stack() {
  heddle::symbols_under_test::Account savings;
  int flag = 0;
  const auto frame = reinterpret_cast<std::int64_t>(__builtin_dwarf_cfa());
  const auto from_frame = [&](void* address) {
    asm volatile("" : : "r"(address) : "memory");
    return reinterpret_cast<std::int64_t>(address) - frame;
  };
  return {from_frame(&savings.balance), from_frame(&savings.pairs[1].right), from_frame(&flag)};
}

namespace heddle {
namespace {

namespace subject = symbols_under_test;

std::uint64_t offset_of(const void* address) {
  Dl_info info{};
  link_map* map = nullptr;
  dladdr1(address, &info, reinterpret_cast<void**>(&map), RTLD_DL_LINKMAP);
  return reinterpret_cast<std::uint64_t>(address) - map->l_addr;
}

TEST(Symbols, NamesTheFunctionFileAndLineOfACall) {
  Symbols symbols;
  const subject::Here here = subject::outer_place();
  const std::vector<Frame> frames = symbols.frames("/proc/self/exe", offset_of(here.address));
  ASSERT_EQ(frames.size(), 2u);
  EXPECT_EQ(frames[0].function, "heddle::symbols_under_test::inlined_place");
  EXPECT_EQ(frames[0].line, here.line);
  EXPECT_TRUE(frames[0].inlined);
  EXPECT_EQ(frames[1].function, "heddle::symbols_under_test::outer_place");
  EXPECT_FALSE(frames[1].inlined);
  EXPECT_GT(frames[1].line, here.line);
}

TEST(Symbols, TakesAnEntryPointAsItIs) {
  Symbols symbols;
  const auto entry = reinterpret_cast<const void*>(&subject::outer_place);
  const std::vector<Frame> frames =
      symbols.frames("/proc/self/exe", offset_of(entry), CodeAddress::instruction);
  ASSERT_FALSE(frames.empty());
  EXPECT_EQ(frames.back().function, "heddle::symbols_under_test::outer_place");
}

TEST(Symbols, ShowsVariablesWithTheirFields) {
  Symbols symbols;
  const auto name = [&](const void* address) {
    return symbols.data("/proc/self/exe", offset_of(address));
  };
  const std::string scope = "heddle::symbols_under_test::";
  EXPECT_EQ(name(&subject::plain_counter), scope + "plain_counter");
  EXPECT_EQ(name(&subject::hidden_counter), scope + "hidden_counter");
  EXPECT_EQ(name(&subject::account.balance), scope + "account.balance");
  EXPECT_EQ(name(&subject::account.pairs[2].right), scope + "account.pairs[2].right");
  EXPECT_EQ(name(&subject::account.lock), scope + "account.lock");
  EXPECT_EQ(name(&subject::account.readers), scope + "account.readers");
}

TEST(Symbols, ShowsVariablesOnTheStackOfAFunction) {
  Symbols symbols;
  const subject::OnStack offsets = symbols_under_test_on_stack();
  const auto name = [&](std::int64_t offset) {
    return symbols.local("/proc/self/exe", "symbols_under_test_on_stack", offset);
  };
  EXPECT_EQ(name(offsets.balance), "savings.balance");
  EXPECT_EQ(name(offsets.right), "savings.pairs[1].right");
  EXPECT_EQ(name(offsets.flag), "flag");
  EXPECT_EQ(name(0), "") << "the caller's";
  EXPECT_EQ(symbols.local("/proc/self/exe", "no_such_function", -8), "");
}

TEST(Symbols, KnowNothingOfAMissingModule) {
  Symbols symbols;
  EXPECT_TRUE(symbols.frames("/nonexistent.so", 0x1000).empty());
  EXPECT_EQ(symbols.data("/nonexistent.so", 0x1000), "");
  EXPECT_EQ(symbols.place("/proc/self/exe", ~std::uint64_t{0} >> 16), "");
}

TEST(Symbols, ShowAPlaceOnOneLine) {
  EXPECT_EQ(show({"f", "/src/deep/a.c", 12, false}), "f a.c:12");
  EXPECT_EQ(show({"f", "", 0, false}), "f");
}

TEST(ShortFunctionName, DropsReturnTypesAndParameters) {
  EXPECT_EQ(short_function_name("main"), "main");
  EXPECT_EQ(short_function_name("ns::f(int, char*) const"), "ns::f");
  EXPECT_EQ(short_function_name("void ns::f<int, 3>(std::vector<int> const&)"), "ns::f<int, 3>");
  EXPECT_EQ(short_function_name(
                "Cache<std::string, std::map<std::string, std::string, std::less<std::string> > >"
                "::get(std::string const&)"),
            "Cache<\u2026>::get");
  EXPECT_EQ(short_function_name("std::vector<int, std::allocator<int> >::push_back(int&&)"),
            "std::vector<int, std::allocator<int> >::push_back");
  EXPECT_EQ(short_function_name("ns::operator<(ns::A const&, ns::A const&)"), "ns::operator<");
  EXPECT_EQ(short_function_name("(anonymous namespace)::take(int)"), "(anonymous namespace)::take");
  EXPECT_EQ(short_function_name("main::{lambda()#1}::operator()() const"),
            "main::{lambda()#1}::operator()");
  EXPECT_EQ(
      short_function_name("void f<main::{lambda()#1}::operator()() const::{lambda()#2}>(int)"),
      "f<main::{lambda()#1}::operator()() const::{lambda()#2}>");
  EXPECT_EQ(short_function_name("A::operator<(A const&)"), "A::operator<");
  EXPECT_EQ(short_function_name("A::operator->()"), "A::operator->");
  EXPECT_EQ(short_function_name("A::operator bool() const"), "A::operator bool");
}

}  // namespace
}  // namespace heddle
