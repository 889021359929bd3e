// The environment of the program under test: without a trace of us, and with its own TMPDIR.
#pragma once

#include <cstddef>

namespace heddle::runtime {

// Value of NAME in an environment array, or null.
char* find_variable(char** environment, const char* name);

// Takes NAME out; the array keeps its place, one entry shorter.
void remove_variable(char** environment, const char* name);

// Sets NAME; the text must live for ever. `room`: the array has place for one more entry.
bool set_variable(char** environment, const char* name, char* whole_entry, bool room);

// Takes `library` out of a list separated by blanks or colons, in place. True if nothing is left.
bool remove_from_list(char* list, const char* library);

// `text` with every "{run}" replaced, in our own memory; `text` itself if there is none.
char* with_run_number(char* text, unsigned long run);

}  // namespace heddle::runtime
