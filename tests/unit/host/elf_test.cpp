#include "host/elf.h"

#include <elf.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstring>

#include "host/elf_file.h"
#include "host/files.h"

namespace heddle {
namespace {

namespace fs = std::filesystem;
using testing::Contains;
using testing::HasSubstr;

class InspectProgram : public testing::Test {
 protected:
  void SetUp() override {
    Result<TemporaryDirectory> place = TemporaryDirectory::create();
    ASSERT_TRUE(place.ok());
    place_.emplace(std::move(*place));
  }

  std::string file(const std::string& contents, mode_t mode = 0755) {
    const fs::path path = place_->path() / "program";
    EXPECT_TRUE(write_file(path, contents).ok());
    EXPECT_EQ(chmod(path.c_str(), mode), 0);
    return path.string();
  }

  // This test's own program with its ELF header changed.
  template <typename Change>
  std::string changed_self(Change change) {
    std::string contents = *read_file("/proc/self/exe");
    change(*reinterpret_cast<Elf64_Ehdr*>(contents.data()));
    return file(contents);
  }

  static std::string refusal(const std::string& name) {
    const Result<ProgramFile> program = inspect_program(name);
    if (program.ok()) {
      return "accepted";
    }
    EXPECT_EQ(program.error().exit_status, kExitBadUsage);
    return program.error().sentence;
  }

  std::optional<TemporaryDirectory> place_;
};

TEST_F(InspectProgram, KnowsAPlainDynamicProgram) {
  const Result<ProgramFile> program = inspect_program("/proc/self/exe");
  ASSERT_TRUE(program.ok()) << program.error().sentence;
  EXPECT_EQ(program->kind, ProgramKind::plain);
  EXPECT_TRUE(program->uses_threads);
  EXPECT_THAT(program->needed, Contains("libc.so.6"));
}

TEST_F(InspectProgram, SearchesPathLikeAShell) {
  const Result<fs::path> found = find_program("sh");
  ASSERT_TRUE(found.ok());
  EXPECT_TRUE(found->is_absolute());
  EXPECT_THAT(refusal("no-such-program-anywhere"), HasSubstr("in PATH; check the name"));
}

TEST_F(InspectProgram, SaysWhatToDoWithWhatCannotBeStarted) {
  EXPECT_THAT(refusal("/nonexistent/prog"), HasSubstr("There is no program"));
  EXPECT_THAT(refusal("/"), HasSubstr("is a directory"));
  EXPECT_THAT(refusal(""), HasSubstr("name is empty"));
  EXPECT_THAT(refusal("/dev/null"), HasSubstr("not a file"));
  EXPECT_THAT(refusal(file("\x7f"
                           "ELF",
                           0644)),
              HasSubstr("chmod +x"));
  EXPECT_THAT(refusal(file("#!/bin/sh -e\necho\n")), HasSubstr("is a script (for /bin/sh -e)"));
  EXPECT_THAT(refusal(file("plain text")), HasSubstr("no ELF file"));
  EXPECT_THAT(refusal(file("")), HasSubstr("no ELF file"));
}

TEST_F(InspectProgram, RefusesOtherMachinesAndFormats) {
  EXPECT_THAT(refusal(changed_self([](Elf64_Ehdr& header) { header.e_machine = EM_AARCH64; })),
              HasSubstr("built for ARM 64"));
  EXPECT_THAT(refusal(changed_self([](Elf64_Ehdr& header) {
                header.e_machine = EM_386;
                header.e_ident[EI_CLASS] = ELFCLASS32;
              })),
              HasSubstr("built for 32-bit x86"));
  EXPECT_THAT(refusal(changed_self([](Elf64_Ehdr& header) { header.e_type = ET_REL; })),
              HasSubstr("object file"));
}

TEST_F(InspectProgram, SurvivesAFileThatWasCutShort) {
  const std::string contents = *read_file("/proc/self/exe");
  for (const std::size_t length : {4, 20, 64, 100, 500, 900, 5000}) {
    refusal(file(contents.substr(0, length)));
  }
}

TEST_F(InspectProgram, ReadsTheBuildIdAsHexadecimal) {
  const std::optional<ElfFile> elf = ElfFile::open(fs::canonical(*find_program("sh")));
  ASSERT_TRUE(elf.has_value());
  const std::string id = elf->build_id();
  EXPECT_EQ(id.find_first_not_of("0123456789abcdef"), std::string::npos);
}

// Its immediate bytes stand in this program once.
__attribute__((noinline)) unsigned marked() {
  unsigned mark = 0;
  asm volatile("movl $0x5eedc0de, %0" : "=r"(mark));
  return mark;
}

TEST_F(InspectProgram, FindsBytesInWhatIsExecutableOnly) {
  const std::optional<ElfFile> elf = ElfFile::open("/proc/self/exe");
  ASSERT_TRUE(elf.has_value());
  const unsigned mark = marked();
  const std::string bytes(reinterpret_cast<const char*>(&mark), sizeof mark);
  EXPECT_TRUE(elf->has_code(bytes));
  EXPECT_FALSE(elf->has_code("not executable"));  // this very text is in the file
}

TEST(PreloadFor, TakesThePlaceOfTheRightRuntime) {
  const RuntimeFiles files{.directory = "d",
                           .library = "ours",
                           .fast_archive = "fast",
                           .as_gcc_tsan = "gcc",
                           .as_clang_tsan = "clang"};
  EXPECT_EQ(preload_for(ProgramKind::plain, files), "ours");
  EXPECT_EQ(preload_for(ProgramKind::instrumented, files), "ours");
  EXPECT_EQ(preload_for(ProgramKind::gcc_tsan, files), "gcc");
  EXPECT_EQ(preload_for(ProgramKind::clang_tsan, files), "clang");
}

}  // namespace
}  // namespace heddle
