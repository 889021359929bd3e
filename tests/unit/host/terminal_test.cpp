#include "host/terminal.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

namespace heddle {
namespace {

TEST(Terminal, WritesNoColourAndNoStatusLineIntoAPipe) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  {
    Terminal terminal(ends[1]);
    EXPECT_FALSE(terminal.interactive());
    EXPECT_EQ(terminal.paint(Paint::red, "text"), "text");
    StatusLine line(ends[1]);
    line.show("never seen");
  }
  close(ends[1]);
  char byte;
  EXPECT_EQ(read(ends[0], &byte, 1), 0);
  close(ends[0]);
}

TEST(Terminal, PaintsWhenAskedTo) {
  EXPECT_EQ(Terminal(-1, Colour::always).paint(Paint::red, "x"), "\033[31mx\033[0m");
}

TEST(CutToColumns, NeverSplitsACharacter) {
  EXPECT_EQ(cut_to_columns("abc", 5), "abc");
  EXPECT_EQ(cut_to_columns("abc", 2), "ab");
  EXPECT_EQ(cut_to_columns("\u00e4\u00f6\u00fc", 2), "\u00e4\u00f6");
}

}  // namespace
}  // namespace heddle
