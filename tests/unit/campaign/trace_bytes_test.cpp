#include "campaign/trace_bytes.h"

#include <gtest/gtest.h>

namespace heddle::campaign {
namespace {

RunCapture sample() {
  RunCapture capture;
  capture.threads.resize(2);
  capture.threads[1].path_hash = 5;
  capture.modules.resize(1);
  capture.allocation_calls.resize(1);
  capture.allocation_calls[0].sites[0] = make_site(0, 9);
  capture.trace.resize(3);
  capture.trace[2].value = 77;
  capture.trace_count = 10;
  return capture;
}

TEST(TraceBytes, ComeBackAsTheyWereWritten) {
  const Result<TraceContents> read = parse_trace(trace_bytes(sample()), "x");
  ASSERT_TRUE(read);
  EXPECT_EQ(read->events_seen, 10u);
  ASSERT_EQ(read->events.size(), 3u);
  EXPECT_EQ(read->events[2].value, 77u);
  EXPECT_EQ(read->threads[1].path_hash, 5u);
  ASSERT_EQ(read->allocation_calls.size(), 1u);
  EXPECT_EQ(read->allocation_calls[0].sites[0], make_site(0, 9));
}

TEST(TraceBytes, OfBeforeThereWereAllocationCallsAreRead) {
  RunCapture old = sample();
  old.allocation_calls.clear();
  std::string bytes = trace_bytes(old);
  bytes.replace(56, 8, 8, '\0');
  const Result<TraceContents> read = parse_trace(bytes, "x");
  ASSERT_TRUE(read);
  EXPECT_EQ(read->events.size(), 3u);
  EXPECT_TRUE(read->allocation_calls.empty());
}

TEST(TraceBytes, CutOffAnywhereAreASentenceAndNoCrash) {
  const std::string whole = trace_bytes(sample());
  for (std::size_t length = 0; length < whole.size(); ++length) {
    EXPECT_FALSE(parse_trace(whole.substr(0, length), "x"));
  }
}

TEST(TraceBytes, WithAnAbsurdCountAreRefused) {
  std::string bytes = trace_bytes(sample());
  bytes[24 + 7] = 0x7f;  // top byte of event_count
  EXPECT_FALSE(parse_trace(bytes, "x"));
}

TEST(TraceBytes, OfAnotherVersionAreRefused) {
  std::string bytes = trace_bytes(sample());
  bytes[8] = 2;
  EXPECT_FALSE(parse_trace(bytes, "x"));
}

}  // namespace
}  // namespace heddle::campaign
