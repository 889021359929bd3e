#include "campaign/noise_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "noise/catalog.h"

namespace heddle {
namespace {

using ::testing::HasSubstr;

NoiseSettings parsed(std::string_view text) {
  const auto request = parse_noise(text);
  EXPECT_TRUE(request) << text << ": " << (request ? "" : request.error().sentence);
  return request ? request->settings : NoiseSettings{};
}

std::string refusal(std::string_view text) {
  const auto request = parse_noise(text);
  if (request) return "accepted";
  EXPECT_EQ(request.error().exit_status, kExitBadUsage);
  const std::string& sentence = request.error().sentence;
  EXPECT_TRUE(sentence.ends_with('.') || sentence.ends_with('?')) << sentence;
  EXPECT_EQ(sentence.find('\n'), std::string::npos);
  return sentence;
}

TEST(NoiseText, ReadsEveryPartOfAConfiguration) {
  const NoiseSettings settings =
      parsed("placement=random-all,when=both,seeding=sleep,frequency=200,strength=5..20");
  EXPECT_STREQ(settings.placement, "random-all");
  EXPECT_EQ(settings.when, NoiseWhen::both);
  EXPECT_EQ(settings.frequency, 200u);
  EXPECT_STREQ(settings.seeding.name, "sleep");
  EXPECT_EQ(settings.seeding.strength.low, 5u);
  EXPECT_EQ(settings.seeding.strength.high, 20u);
  EXPECT_EQ(settings.budget_percent, 0u);
}

TEST(NoiseText, FillsInWhatIsNotGiven) {
  EXPECT_EQ(noise_text(parsed("frequency=300")),
            "placement=random-all,when=before,frequency=300,seeding=sleep,strength=1..20");
  EXPECT_EQ(noise_text(parsed("seeding=yield")),
            "placement=random-all,when=before,frequency=150,seeding=yield,strength=1..20");
  EXPECT_EQ(noise_text(parsed("strength=7")),
            "placement=random-all,when=before,frequency=150,seeding=sleep,strength=7");
}

TEST(NoiseText, TakesTheStrengthAfterTheSeedingOrWithItsUnit) {
  EXPECT_EQ(noise_text(parsed("seeding=sleep:20")),
            noise_text(parsed("seeding=sleep,strength=20ms")));
  EXPECT_EQ(noise_text(parsed("strength=3,seeding=yield")), noise_text(parsed("seeding=yield:3")));
}

TEST(NoiseText, TakesAnIntervalWithDotsOrADash) {
  EXPECT_EQ(noise_text(parsed("strength=5-20")), noise_text(parsed("strength=5..20")));
  EXPECT_NE(refusal("strength=5-"), "accepted");
  EXPECT_NE(refusal("strength=-5"), "accepted");
}

TEST(NoiseText, ReadsTheSeedingsOfReadsWritesAndSynchronisation) {
  const NoiseSettings settings = parsed("reads=yield:10,writes=sleep:20@300,sync=none");
  EXPECT_STREQ(settings.placement, "read/write");
  EXPECT_STREQ(settings.reads.name, "yield");
  EXPECT_EQ(settings.reads.strength.low, 10u);
  EXPECT_STREQ(settings.writes.name, "sleep");
  EXPECT_EQ(settings.writes.frequency, 300u);
  EXPECT_STREQ(settings.sync.name, "none");
}

TEST(NoiseText, ReadsWhatCombinesWithASeeding) {
  const NoiseSettings settings = parsed(
      "haltOneThread=on,inverseNoise=20,timeoutTamper=0..50%,repeat=500,budget=20%,quiet=50:700");
  EXPECT_EQ(settings.halt_one_thread.strength.low, 100u);
  EXPECT_EQ(settings.inverse_noise.strength.high, 20u);
  EXPECT_EQ(settings.timeout_tamper.strength.high, 50u);
  EXPECT_EQ(settings.repeat, 500u);
  EXPECT_EQ(settings.budget_percent, 20u);
  EXPECT_EQ(settings.quiet, 50u);
  EXPECT_EQ(settings.quiet_length, 700u);
}

TEST(NoiseText, NoneIsNoNoise) {
  EXPECT_EQ(parsed("none").placement[0], '\0');
  EXPECT_EQ(noise_text(NoiseSettings{}), "none");
  EXPECT_THAT(refusal("none,frequency=3"), HasSubstr("stands alone"));
}

TEST(NoiseText, WrittenSettingsReadTheSame) {
  for (const char* text :
       {"none", "seeding=busyWait:2", "reads=yield:10@70,writes=sleep:2..20,sync=none,when=both",
        "seeding=none,inverseNoise=20", "haltOneThread=50..90,timeoutTamper=on,seeding=mixed",
        "repeat=999,quiet=1000:1,budget=1000%", "frequency=0"}) {
    const std::string written = noise_text(parsed(text));
    EXPECT_EQ(noise_text(parsed(written)), written);
  }
}

TEST(NoiseText, SaysWhatAFrequencyMayBe) {
  EXPECT_EQ(refusal("frequency=5000"), "frequency is per mille, 0..1000, not 5000.");
  EXPECT_EQ(refusal("frequency=15%"), "frequency is per mille, 0..1000, not 15%.");
  EXPECT_EQ(refusal("frequency=-1"), "frequency is per mille, 0..1000, not -1.");
  EXPECT_EQ(refusal("frequency="), "frequency is per mille, 0..1000, not nothing.");
}

TEST(NoiseText, OffersTheNearestName) {
  EXPECT_EQ(refusal("placement=random-al"),
            "There is no placement 'random-al'. Did you mean 'random-all'?");
  EXPECT_EQ(refusal("seeding=sleeep"), "There is no seeding 'sleeep'. Did you mean 'sleep'?");
  EXPECT_EQ(refusal("seedling=sleep"), "Noise has no key 'seedling'. Did you mean 'seeding'?");
  EXPECT_THAT(refusal("seeding=qqqqqqqqqq"), HasSubstr("Known are: sleep, yield"));
}

TEST(NoiseText, SaysWhereALonelyNameBelongs) {
  EXPECT_EQ(refusal("sleep"), "Write seeding=sleep for the seeding sleep.");
  EXPECT_EQ(refusal("random-all"), "Write placement=random-all for the placement random-all.");
  EXPECT_EQ(refusal("timeoutTamper"), "Write timeoutTamper=on for timeoutTamper.");
  EXPECT_THAT(refusal("loud"), HasSubstr("list of key=value"));
  EXPECT_THAT(refusal(""), HasSubstr("needs a value"));
  EXPECT_THAT(refusal("frequency=3,"), HasSubstr("list of key=value"));
}

TEST(NoiseText, RefusesAStrengthOfTheWrongKind) {
  EXPECT_EQ(
      refusal("seeding=yield,strength=20ms"),
      "The strength of yield is in yields, a whole number up to 100000 or an interval such as "
      "1..20, not '20ms'.");
  EXPECT_THAT(refusal("seeding=sleep,strength=2s"), HasSubstr("milliseconds"));
  EXPECT_THAT(refusal("seeding=sleep,strength=strong"), HasSubstr("milliseconds"));
  EXPECT_THAT(refusal("seeding=sleep,strength=1.5"), HasSubstr("milliseconds"));
  EXPECT_THAT(refusal("inverseNoise=20ms"), HasSubstr("operations"));
  EXPECT_THAT(refusal("timeoutTamper=200"), HasSubstr("up to 100"));
  EXPECT_THAT(refusal("seeding=sleep:99999999"), HasSubstr("up to 60000"));
  EXPECT_EQ(refusal("strength=20..5"), "The interval 20..5 runs backwards; write 5..20.");
  EXPECT_THAT(refusal("seeding=sleep:5,strength=6"), HasSubstr("given twice"));
}

TEST(NoiseText, RefusesCombinationsThatMakeNoSense) {
  EXPECT_THAT(refusal("frequency=1,frequency=2"), HasSubstr("frequency= twice"));
  EXPECT_THAT(refusal("seeding=none"), HasSubstr("makes no noise"));
  EXPECT_THAT(refusal("seeding=none,strength=5"), HasSubstr("nothing to act on"));
  EXPECT_THAT(refusal("placement=random-all,reads=sleep"),
              HasSubstr("go with placement=read/write"));
  EXPECT_THAT(refusal("placement=read/write"), HasSubstr("needs reads="));
  EXPECT_THAT(refusal("seeding=barrier,when=after"), HasSubstr("leave when= out"));
  EXPECT_THAT(refusal("seeding=priority,repeat=500"), HasSubstr("can happen again"));
  EXPECT_THAT(refusal("seeding=inverseNoise,inverseNoise=3"), HasSubstr("named twice"));
  EXPECT_THAT(refusal("seeding=timeoutTamper"), HasSubstr("seeding=none,timeoutTamper=on"));
  EXPECT_THAT(refusal("placement=coverage,when=after"), HasSubstr("before events only"));
  EXPECT_THAT(refusal("placement=sync,seeding=barrier"), HasSubstr("never at synchronisation"));
}

TEST(NoiseText, RefusesOtherValuesOutOfRange) {
  EXPECT_THAT(refusal("when=during"), HasSubstr("before, after or both"));
  EXPECT_THAT(refusal("budget=0%"), HasSubstr("1%..1000%"));
  EXPECT_THAT(refusal("budget=fast"), HasSubstr("1%..1000%"));
  EXPECT_THAT(refusal("repeat=1000"), HasSubstr("0..999"));
  EXPECT_THAT(refusal("quiet=50:0"), HasSubstr("50:1000"));
  EXPECT_THAT(refusal("reads=sleep:3@2000"), HasSubstr("0..1000"));
  EXPECT_THAT(refusal("seeding=sleep@30"), HasSubstr("frequency=30"));
  EXPECT_THAT(refusal("sync=none:3"), HasSubstr("no seeding"));
}

TEST(RandomNoise, IsTheSameForTheSameSeedAndDiffersBetweenRuns) {
  const auto request = parse_noise("random");
  ASSERT_TRUE(request);
  std::set<std::string> seen;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const std::string text = noise_text(noise_of_run(*request, seed));
    EXPECT_EQ(text, noise_text(noise_of_run(*request, seed)));
    seen.insert(text);
  }
  EXPECT_GT(seen.size(), 190u);
}

TEST(RandomNoise, DrawsOnlyWhatTheUserCouldHaveWritten) {
  const auto request = parse_noise("random");
  ASSERT_TRUE(request);
  std::set<std::string> names;
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    const NoiseSettings settings = noise_of_run(*request, seed);
    const std::string text = noise_text(settings);
    ASSERT_NE(text, "none");
    ASSERT_EQ(noise_text(parsed(text)), text);
    ASSERT_GE(settings.frequency, 50u);
    ASSERT_LE(settings.frequency, 500u);
    names.insert({settings.placement, settings.seeding.name, settings.halt_one_thread.name,
                  settings.timeout_tamper.name});
  }
  for (const NoiseRow& row : noise_catalog()) {
    EXPECT_TRUE(names.count(std::string(row.name))) << row.name << " was never drawn";
  }
}

TEST(RandomNoise, KeepsWhatIsGivenBesideIt) {
  const auto request = parse_noise("random,seeding=sleep:3,when=before,budget=20%");
  ASSERT_TRUE(request);
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const NoiseSettings settings = noise_of_run(*request, seed);
    EXPECT_STREQ(settings.seeding.name, "sleep");
    EXPECT_EQ(settings.seeding.strength.high, 3u);
    EXPECT_EQ(settings.when, NoiseWhen::before);
    EXPECT_EQ(settings.budget_percent, 20u);
  }
  EXPECT_THAT(refusal("random,placement=coverage,when=after"), HasSubstr("does not go together"));
  EXPECT_THAT(refusal("random,strength=4"), HasSubstr("needs seeding="));
}

}  // namespace
}  // namespace heddle
