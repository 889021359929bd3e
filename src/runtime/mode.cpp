#include "runtime/mode.h"

namespace heddle::runtime {

EngineKind g_engine = EngineKind::inactive;
Level g_level = Level::sync;
ControlBlock* g_control = nullptr;

}  // namespace heddle::runtime
