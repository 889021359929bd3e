// Threads that wait inside the engine for what the world outside may bring: descriptors and signals.
#pragma once

#include <cstdint>

#include "runtime/controlled/engine.h"

namespace heddle::controlled {

struct WorldWaits {
  std::uint32_t descriptors;  // threads that wait for one
  std::uint32_t signals;
};
extern WorldWaits g_world_waits;

// Its wait_value is then the descriptor, shifted by 16, and poll's events.
bool waits_for_descriptor(const Task& task);

// Of a thread that is not running.
bool blocks_signal(const Task& task, int signal);

}  // namespace heddle::controlled
