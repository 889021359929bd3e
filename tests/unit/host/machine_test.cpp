#include "host/machine.h"

#include <gtest/gtest.h>
#include <sys/personality.h>

namespace heddle {
namespace {

TEST(CheckMachine, LeavesTheProcessAsItWas) {
  const int before = personality(0xffffffff);
  EXPECT_FALSE(check_machine().empty());
  EXPECT_EQ(personality(0xffffffff), before);
}

TEST(CheckMachine, SaysSomethingAboutEveryCheck) {
  for (const MachineCheck& check : check_machine()) {
    EXPECT_FALSE(check.name.empty());
    EXPECT_FALSE(check.finding.empty()) << check.name;
  }
}

}  // namespace
}  // namespace heddle
