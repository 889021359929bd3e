// How soon another process acts is chance. Where a thread waits for what a child of the program's may give, nobody else runs for
// a little while, so that what they do meanwhile is no matter of chance. Where the child does not answer that costs time; after
// a few such times in a run nobody waits like that any more (docs/decisions/0018-children-are-given-a-moment.md).
#pragma once

#include <cstdint>

#include "runtime/controlled/task.h"

namespace heddle::controlled {

enum class ProcessState : std::uint8_t { working, asleep, ended, gone, unknown };

// Of a thread, as the kernel tells it. Who waits for a processor works, too.
ProcessState state_of(long process, long thread);

// Counts moments, not time: on a machine that has other things to do they are longer, and so are the child's. About 50 ms; more
// while a child works or wants to, and a second in a run.
class Moments {
 public:
  explicit Moments(std::uint64_t length_ns) : length_ns_(length_ns) {}
  // False when it was long enough: then this counts as no answer.
  bool more();
  std::uint64_t length_ns() const { return length_ns_; }

 private:
  std::uint64_t length_ns_;
  std::uint64_t waited_ns_ = 0;
};

// One that runs or was not waited for. A system call.
bool has_child_now();

// One that runs. Some system calls, where the program has had children.
bool child_runs();

// Somebody whom the engine does not see may let a thread go on that waits for what is the program's own: a thread that libc made, or
// a handler that a child has called, by its end or by a signal. Many system calls.
bool unseen_may_act();

// The program has had children, and they answered so far.
bool children_answer();

// The object is one that a child may act on, and none of our threads holds it.
bool is_with_child(const void* object);

// A thread of ours holds a lock that a child may wait for, and would have to run first.
bool child_may_wait_for_us();

// By the thread that has control: waits for a child until `ready`. False if it is not, or would not be by a child.
bool await_child(const Task& self, bool (*ready)(const Task&));

}  // namespace heddle::controlled
