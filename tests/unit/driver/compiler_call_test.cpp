#include "driver/compiler_call.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "host/files.h"

namespace heddle {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using Words = std::vector<std::string>;

InstrumentedCall translated(const Words& words, CompilerFamily family = CompilerFamily::gcc) {
  const Result<CompilerCall> call = read_compiler_call(words);
  EXPECT_TRUE(call.ok());
  const Result<InstrumentedCall> result = instrument(*call, family, "/lib/heddle");
  EXPECT_TRUE(result.ok());
  return *result;
}

Words arguments_for(const Words& words, CompilerFamily family = CompilerFamily::gcc) {
  return translated(words, family).arguments;
}

std::size_t position(const Words& words, const std::string& word) {
  return static_cast<std::size_t>(std::ranges::find(words, word) - words.begin());
}

const std::string kRuntime = "/lib/heddle/libheddle_rt.so";
const std::string kStubs = "/lib/heddle/libheddle_fast.a";

TEST(CompilerWrapper, CompilesWithInstrumentationAndDoesNotLink) {
  const Words words = arguments_for({"-c", "a.c", "-o", "a.o"});
  EXPECT_THAT(words, Contains("-fsanitize=thread"));
  EXPECT_THAT(words, Contains("-fno-tree-loop-im"));
  EXPECT_THAT(words, Contains("-fno-ipa-reference"));
  EXPECT_THAT(words, Contains("-fno-builtin-memset"));
  EXPECT_THAT(words, Contains("-O1"));
  EXPECT_EQ(words[position(words, "-isystem") + 1], "/lib/heddle/include");
  EXPECT_THAT(words, Not(Contains(kRuntime)));
}

TEST(CompilerWrapper, GivesClangItsOwnCures) {
  const Words words = arguments_for({"-c", "a.cpp"}, CompilerFamily::clang);
  EXPECT_THAT(words, Contains("-disable-licm-promotion"));
  EXPECT_THAT(words, Contains("-tsan-distinguish-volatile"));
  EXPECT_THAT(words, Not(Contains("-Wno-tsan")));
}

TEST(CompilerWrapper, LinksOursFirstAndNeverTheRealRuntime) {
  const Words words = arguments_for({"a.o", "-fsanitize=thread", "-o", "a", "-lfoo"});
  EXPECT_THAT(words, Not(Contains("-fsanitize=thread")));
  EXPECT_THAT(words, Contains(kStubs));
  EXPECT_LT(position(words, kRuntime), position(words, "a.o"));
  EXPECT_THAT(words, Contains("-Wl,-rpath,/lib/heddle"));
  EXPECT_THAT(words, Not(Contains("-O1")));
}

TEST(CompilerWrapper, HidesTheFlagFromTheDriverWhenOneCallDoesBoth) {
  const Words gcc = arguments_for({"a.c", "-o", "a"});
  EXPECT_EQ(gcc[position(gcc, "-fsanitize=thread") - 1], "-Xpreprocessor");
  const Words clang = arguments_for({"a.c", "-o", "a"}, CompilerFamily::clang);
  EXPECT_EQ(clang[position(clang, "-fsanitize=thread") - 1], "-Xclang");
  EXPECT_THAT(gcc, Contains(kRuntime));
}

TEST(CompilerWrapper, LetsTheUsersFlagsWin) {
  EXPECT_THAT(arguments_for({"-O2", "-c", "a.c"}), Not(Contains("-O1")));
  const Words words = arguments_for({"-c", "a.c", "-g0", "-ftree-loop-im"});
  EXPECT_LT(position(words, "-g"), position(words, "-g0"));
  EXPECT_LT(position(words, "-fno-tree-loop-im"), position(words, "-ftree-loop-im"));
  EXPECT_THAT(arguments_for({"-fno-sanitize=thread", "-c", "a.c"}),
              Not(Contains("-fsanitize=thread")));
}

TEST(CompilerWrapper, PassesQuestionsUnchanged) {
  for (const Words& words :
       {Words{"--version"}, Words{"-v"}, Words{"-print-prog-name=ld"}, Words{"-dumpmachine"},
        Words{}, Words{"-Wl,--version"}, Words{"-fsanitize=thread", "-print-search-dirs"}}) {
    EXPECT_EQ(arguments_for(words), words);
  }
}

TEST(CompilerWrapper, DoesNotTakeAnOptionsValueForAnInput) {
  EXPECT_EQ(arguments_for({"-I", "x.c", "-D", "y.cpp"}), (Words{"-I", "x.c", "-D", "y.cpp"}));
  EXPECT_THAT(arguments_for({"-include", "x.h", "a.o"}), Contains(kRuntime));
}

TEST(CompilerWrapper, LeavesAssemblerAlone) {
  EXPECT_EQ(arguments_for({"-c", "a.s"}), (Words{"-c", "a.s"}));
  EXPECT_EQ(arguments_for({"-c", "a.S"}), (Words{"-c", "a.S"}));
  EXPECT_EQ(arguments_for({"-c", "-x", "assembler", "a"}), (Words{"-c", "-x", "assembler", "a"}));
}

TEST(CompilerWrapper, ReadsTheLanguageOfStandardInput) {
  EXPECT_THAT(arguments_for({"-x", "c", "-c", "-"}), Contains("-fsanitize=thread"));
  EXPECT_THAT(arguments_for({"-xc++", "-E", "-"}), Contains("-fsanitize=thread"));
}

TEST(CompilerWrapper, TreatsASharedLibraryLikeAProgram) {
  const Words words = arguments_for({"-shared", "a.o", "-o", "liba.so"});
  EXPECT_THAT(words, Contains(kRuntime));
  EXPECT_THAT(words, Contains(kStubs));
}

TEST(CompilerWrapper, AddsNothingToARelocatableOrAFreestandingLink) {
  EXPECT_EQ(arguments_for({"-r", "a.o", "b.o"}), (Words{"-r", "a.o", "b.o"}));
  EXPECT_EQ(arguments_for({"-nostdlib", "a.o"}), (Words{"-nostdlib", "a.o"}));
  EXPECT_EQ(arguments_for({"-ffreestanding", "-c", "a.c"}), (Words{"-ffreestanding", "-c", "a.c"}));
}

TEST(CompilerWrapper, LinksOursWhereLibtoolNamesLibcItself) {
  EXPECT_THAT(arguments_for({"-shared", "-nostdlib", "crti.o", "a.o", "-lstdc++", "-lc"}),
              Contains(kRuntime));
}

TEST(CompilerWrapper, LeavesStaticOutAndSaysSo) {
  const InstrumentedCall call = translated({"-static", "a.c", "-o", "a"});
  EXPECT_THAT(call.arguments, Not(Contains("-static")));
  ASSERT_EQ(call.notes.size(), 1u);
  EXPECT_THAT(translated({"-static", "-c", "a.c"}).notes, IsEmpty());
  EXPECT_THAT(translated({"-static-pie", "a.o"}).arguments, Contains("-pie"));
}

TEST(CompilerWrapper, NeverLosesTheFlagToASeparatePreprocessor) {
  EXPECT_EQ(translated({"-save-temps", "a.c", "-o", "a"}).notes.size(), 1u);
  EXPECT_THAT(arguments_for({"-save-temps", "-c", "a.c"}), Contains("-save-temps"));
}

TEST(CompilerWrapper, RefusesASanitizerThatExcludesOurs) {
  const Result<CompilerCall> call = read_compiler_call({"-fsanitize=address", "-c", "a.c"});
  const Result<InstrumentedCall> result = instrument(*call, CompilerFamily::gcc, "/lib/heddle");
  ASSERT_FALSE(result.ok());
  EXPECT_THAT(result.error().sentence, HasSubstr("-fsanitize=address"));
}

TEST(CompilerWrapper, KeepsSanitizersThatGoTogether) {
  const Words words = arguments_for({"-fsanitize=thread,undefined", "a.o"});
  EXPECT_THAT(words, Contains("-fsanitize=undefined"));
}

TEST(CompilerWrapper, CompilesWithoutLinkTimeOptimisation) {
  EXPECT_THAT(arguments_for({"-flto=auto", "-c", "a.c"}), Not(Contains("-flto=auto")));
  EXPECT_THAT(arguments_for({"-flto", "a.o"}), Contains("-flto"));
}

TEST(CompilerWrapper, KeepsAResponseFileUnlessItHoldsSomethingToChange) {
  Result<TemporaryDirectory> place = TemporaryDirectory::create();
  ASSERT_TRUE(place.ok());
  const std::string harmless = (place->path() / "a.rsp").string();
  const std::string changed = (place->path() / "b.rsp").string();
  ASSERT_TRUE(write_file(harmless, "-c \"a b.c\" -DX='\"q\"'\n").ok());
  ASSERT_TRUE(write_file(changed, "a.o -fsanitize=thread -o out\\ put").ok());
  EXPECT_THAT(arguments_for({"@" + harmless}), Contains("@" + harmless));
  EXPECT_THAT(arguments_for({"@" + harmless}), Contains("-fsanitize=thread"));
  const Words words = arguments_for({"@" + changed});
  EXPECT_THAT(words, Not(Contains("@" + changed)));
  EXPECT_THAT(words, Contains("out put"));
  EXPECT_THAT(words, Contains(kRuntime));
}

TEST(CompilerWrapper, LeavesAnUnreadableResponseFileToTheCompiler) {
  EXPECT_THAT(arguments_for({"@/nonexistent.rsp", "a.o"}), Contains("@/nonexistent.rsp"));
}

TEST(CompilerFamilyName, TellsFamiliesByNameOrByVersion) {
  CompilerFamily family{};
  EXPECT_TRUE(family_from_name("/usr/bin/clang++-19", family));
  EXPECT_EQ(family, CompilerFamily::clang);
  EXPECT_TRUE(family_from_name("x86_64-linux-gnu-g++-12", family));
  EXPECT_EQ(family, CompilerFamily::gcc);
  EXPECT_FALSE(family_from_name("cc", family));
  EXPECT_EQ(family_from_version("Debian clang version 14.0.6\n"), CompilerFamily::clang);
  EXPECT_EQ(family_from_version("cc (Debian 12.2.0-14) 12.2.0\n"), CompilerFamily::gcc);
}

}  // namespace
}  // namespace heddle
