// Reads, writes and synchronisation each with a seeding, strength and frequency of their own
// (Fiedor and Vojnar 2012; Fiedor et al. 2014, §4.1): strong noise before one kind of access and
// weak noise before the other keeps one side of a race waiting for the other. The places are all
// there are; who gets what is the mixer's choice (NoiseSettings::reads, writes, sync). An access
// that reads and writes counts as a write.
#pragma once

#include "noise/heuristic.h"

namespace heddle {

Placement& read_write();

}  // namespace heddle
