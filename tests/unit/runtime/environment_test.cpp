#include "runtime/environment.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace heddle::runtime {
namespace {

// An environment as the kernel lays it out: pointers, ended by null.
class Environment {
 public:
  explicit Environment(std::vector<std::string> entries) : texts_(std::move(entries)) {
    for (auto& text : texts_) array_.push_back(text.data());
    array_.push_back(nullptr);
    array_.push_back(nullptr);
  }
  char** array() { return array_.data(); }
  std::vector<std::string> entries() const {
    std::vector<std::string> result;
    for (char* const* entry = array_.data(); *entry != nullptr; ++entry)
      result.emplace_back(*entry);
    return result;
  }

 private:
  std::vector<std::string> texts_;
  std::vector<char*> array_;
};

TEST(EnvironmentOfTheProgram, FindsAVariableByItsWholeName) {
  Environment environment({"AB=1", "A=2", "ABC=3"});
  EXPECT_STREQ(find_variable(environment.array(), "A"), "2");
  EXPECT_EQ(find_variable(environment.array(), "B"), nullptr);
}

TEST(EnvironmentOfTheProgram, RemovesEveryEntryOfAName) {
  Environment environment({"A=1", "B=2", "A=3", "C=4"});
  remove_variable(environment.array(), "A");
  EXPECT_EQ(environment.entries(), (std::vector<std::string>{"B=2", "C=4"}));
}

TEST(EnvironmentOfTheProgram, ReplacesOrAppends) {
  Environment environment({"A=1"});
  char first[] = "A=9";
  char second[] = "T=x";
  EXPECT_TRUE(set_variable(environment.array(), "A", first, false));
  EXPECT_FALSE(set_variable(environment.array(), "T", second, false));
  EXPECT_TRUE(set_variable(environment.array(), "T", second, true));
  EXPECT_EQ(environment.entries(), (std::vector<std::string>{"A=9", "T=x"}));
}

TEST(PreloadList, KeepsTheUsersEntriesInOrder) {
  char list[] = "/lib/a.so:/ours.so /lib/b.so:/ours.so2";
  EXPECT_FALSE(remove_from_list(list, "/ours.so"));
  EXPECT_STREQ(list, "/lib/a.so:/lib/b.so:/ours.so2");
}

TEST(PreloadList, IsEmptyWhenOnlyWeWereThere) {
  char list[] = ":/ours.so ";
  EXPECT_TRUE(remove_from_list(list, "/ours.so"));
  EXPECT_STREQ(list, "");
}

TEST(RunNumber, ReplacesEveryMark) {
  char text[] = "{run}-{run}.{ru}";
  EXPECT_STREQ(with_run_number(text, 18'446'744'073'709'551'615u),
               "18446744073709551615-18446744073709551615.{ru}");
}

TEST(RunNumber, LeavesOtherTextWhereItIs) {
  char text[] = "{Run}";
  EXPECT_EQ(with_run_number(text, 1), text);
}

}  // namespace
}  // namespace heddle::runtime
