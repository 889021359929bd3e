// Where the program was when it died. The tool sees a signal's number only, and two crashes are not one.
#pragma once

namespace heddle::runtime {

// For signals that the program leaves to the default: notes the place, and lets the default have its way.
void note_crashes();

}  // namespace heddle::runtime
