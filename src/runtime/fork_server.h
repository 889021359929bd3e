// Runs by fork, before main (contract/control_block.h has the protocol).
#pragma once

namespace heddle::runtime {

struct Pipes {
  int command;
  int status;
};

void say_hello(const Pipes& pipes);

// Returns only in the process of a run, which leads its own process group and has neither pipe.
void serve(const Pipes& pipes);

// Both ends of the conversation are closed: the program is on its own.
void close_pipes(const Pipes& pipes);

}  // namespace heddle::runtime
