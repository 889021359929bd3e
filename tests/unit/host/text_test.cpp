#include "host/text.h"

#include <gtest/gtest.h>

#include <array>

namespace heddle {
namespace {

using namespace std::chrono_literals;

constexpr std::array<std::string_view, 5> kNames{"random", "round-robin", "pct", "pos",
                                                 "portfolio"};

TEST(EditDistance, CountsSwappedNeighboursOnce) {
  EXPECT_EQ(edit_distance("", ""), 0u);
  EXPECT_EQ(edit_distance("abc", ""), 3u);
  EXPECT_EQ(edit_distance("pct", "ptc"), 1u);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3u);
}

TEST(NearestName, OffersTheNameWithATypo) {
  EXPECT_EQ(nearest_name("ramdon", kNames), "random");
  EXPECT_EQ(nearest_name("roundrobin", kNames), "round-robin");
  EXPECT_EQ(nearest_name("port", kNames), "portfolio");
}

TEST(NearestName, OffersNothingForAnUnrelatedWord) {
  EXPECT_EQ(nearest_name("genetic", kNames), "");
  EXPECT_EQ(nearest_name("foo", kNames), "");
  EXPECT_EQ(nearest_name("", kNames), "");
}

TEST(NameHint, ListsAllNamesWhenNoneIsNear) {
  EXPECT_EQ(name_hint("pcr", kNames), " Did you mean 'pct'?");
  EXPECT_EQ(name_hint("genetic", kNames), " Known are: random, round-robin, pct, pos, portfolio.");
}

TEST(ParseDuration, TakesEveryUnit) {
  EXPECT_EQ(*parse_duration("60s"), 60s);
  EXPECT_EQ(*parse_duration("500ms"), 500ms);
  EXPECT_EQ(*parse_duration("2m"), 2min);
  EXPECT_EQ(*parse_duration("1.5h"), 90min);
  EXPECT_EQ(*parse_duration("20us"), 20us);
  EXPECT_EQ(*parse_duration("7"), 7s);
  EXPECT_EQ(*parse_duration("0"), 0s);
}

TEST(ParseDuration, RefusesWhatIsNone) {
  for (const char* text : {"", "s", "-1s", "1 s", "5parsecs", "1e3s", "nan", "inf", "0x10s"}) {
    EXPECT_FALSE(parse_duration(text).ok()) << text;
  }
  EXPECT_FALSE(parse_duration("99999999999999999h").ok());
}

TEST(ParseSize, UsesPowersOf1024) {
  EXPECT_EQ(*parse_size("100"), 100u);
  EXPECT_EQ(*parse_size("4k"), 4096u);
  EXPECT_EQ(*parse_size("512M"), 512u << 20);
  EXPECT_FALSE(parse_size("12Q").ok());
  EXPECT_FALSE(parse_size("-1").ok());
}

TEST(ParseSeed, TakesAll64Bits) {
  EXPECT_EQ(*parse_seed("18446744073709551615"), ~std::uint64_t{0});
  EXPECT_EQ(*parse_seed("0xffffffffffffffff"), ~std::uint64_t{0});
  EXPECT_FALSE(parse_seed("18446744073709551616").ok());
  EXPECT_FALSE(parse_seed("-1").ok());
  EXPECT_FALSE(parse_seed("0x").ok());
}

TEST(ParseCount, NamesItsBounds) {
  EXPECT_EQ(*parse_count("12", {.least = 1, .most = 20}), 12u);
  const Result<std::uint64_t> refused = parse_count("0", {.least = 1, .most = 20});
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().sentence, "'0' is not a whole number from 1 to 20.");
}

TEST(ShellCommand, QuotesOnlyWhatNeedsIt) {
  const std::array<std::string, 4> words{"./a.out", "two words", "it's", ""};
  EXPECT_EQ(shell_command(words), "./a.out 'two words' 'it'\\''s' ''");
}

TEST(ShowDuration, PicksAReadableUnit) {
  EXPECT_EQ(show_duration(300ms), "300 ms");
  EXPECT_EQ(show_duration(999'999'900ns), "1 s");
  EXPECT_EQ(show_duration(1500ms), "1.5 s");
  EXPECT_EQ(show_duration(125s), "2 min 5 s");
}

TEST(Split, KeepsEmptyParts) {
  EXPECT_EQ(split("a,,b", ','), (std::vector<std::string_view>{"a", "", "b"}));
  EXPECT_EQ(split("", ',').size(), 1u);
}

TEST(Utf8, ShowsOtherBytesAsReplacements) {
  EXPECT_EQ(as_utf8("Gr\xc3\xb6\xc3\x9f"
                    "e"),
            "Gr\xc3\xb6\xc3\x9f"
            "e");
  EXPECT_EQ(as_utf8("Gr\xf6\xdf"
                    "e"),
            "Gr\xef\xbf\xbd\xef\xbf\xbd"
            "e");
  EXPECT_EQ(as_utf8("\xe2\x82"), "\xef\xbf\xbd\xef\xbf\xbd") << "cut off";
  EXPECT_EQ(as_utf8("\xc0\xaf"), "\xef\xbf\xbd\xef\xbf\xbd") << "too long";
  EXPECT_EQ(as_utf8("\xed\xa0\x80").size(), 9u) << "a surrogate";
  EXPECT_EQ(as_utf8("\xf0\x9f\xa7\xb5"), "\xf0\x9f\xa7\xb5");
}

TEST(Utf8, GivesAnyBytesBack) {
  std::string all;
  for (int byte = 0; byte < 256; ++byte) all += static_cast<char>(byte);
  const std::string texts[] = {"",
                               "plain",
                               all,
                               all + all,
                               "\xef\x9e\x80 \xef\x9f\xbf",
                               "\xef\x9e",
                               "\xef",
                               "\xf0\x9f\xa7\xb5\xff"};
  for (const std::string& text : texts) {
    const std::string stored = bytes_to_utf8(text);
    EXPECT_EQ(as_utf8(stored), stored) << "it is UTF-8";
    EXPECT_EQ(utf8_to_bytes(stored), text);
  }
  EXPECT_EQ(bytes_to_utf8("Gr\xc3\xb6\xc3\x9f"
                          "e"),
            "Gr\xc3\xb6\xc3\x9f"
            "e");
}

}  // namespace
}  // namespace heddle
