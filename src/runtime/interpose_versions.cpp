// Functions of which libc keeps an old version under the same name. A binary linked against libtsan asks for them without
// a version, because libtsan has none; with libtsan replaced by us the loader would give it the oldest, which behaves
// differently (realpath refuses a null buffer, posix_spawn runs scripts, fmemopen counts bytes otherwise). So we stand in
// with the present ones. Condition variables are the other such family: see interpose_cond.cpp.
#include <glob.h>
#include <regex.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>

#include "runtime/controlled/operations.h"
#include "runtime/inheritable.h"
#include "runtime/platform/export.h"
#include "runtime/platform/real.h"

using heddle::runtime::Real;

namespace {

HEDDLE_REAL Real<char*(const char*, char*)> real_realpath{"realpath", "GLIBC_2.3"};
HEDDLE_REAL Real<FILE*(void*, std::size_t, const char*)> real_fmemopen{"fmemopen", "GLIBC_2.22"};
HEDDLE_REAL Real<int(const regex_t*, const char*, std::size_t, regmatch_t*, int)> real_regexec{
    "regexec", "GLIBC_2.3.4"};
HEDDLE_REAL Real<int(const char*, int, int (*)(const char*, int), glob_t*)> real_glob{"glob",
                                                                                      "GLIBC_2.27"};
HEDDLE_REAL Real<int(const char*, int, int (*)(const char*, int), glob64_t*)> real_glob64{
    "glob64", "GLIBC_2.27"};
HEDDLE_REAL Real<int(pid_t*, const char*, const posix_spawn_file_actions_t*,
                     const posix_spawnattr_t*, char* const*, char* const*)>
    real_posix_spawn{"posix_spawn", "GLIBC_2.15"};
HEDDLE_REAL Real<int(pid_t*, const char*, const posix_spawn_file_actions_t*,
                     const posix_spawnattr_t*, char* const*, char* const*)>
    real_posix_spawnp{"posix_spawnp", "GLIBC_2.15"};

}  // namespace

HEDDLE_EXPORT char* realpath(const char* path, char* resolved) {
  return real_realpath(path, resolved);
}
HEDDLE_EXPORT FILE* fmemopen(void* buffer, std::size_t size, const char* mode) {
  return real_fmemopen(buffer, size, mode);
}
HEDDLE_EXPORT int regexec(const regex_t* expression, const char* text, std::size_t count,
                          regmatch_t* matches, int flags) {
  return real_regexec(expression, text, count, matches, flags);
}
HEDDLE_EXPORT int glob(const char* pattern, int flags, int (*on_error)(const char*, int),
                       glob_t* result) {
  return real_glob(pattern, flags, on_error, result);
}
HEDDLE_EXPORT int glob64(const char* pattern, int flags, int (*on_error)(const char*, int),
                         glob64_t* result) {
  return real_glob64(pattern, flags, on_error, result);
}
HEDDLE_EXPORT int posix_spawn(pid_t* child, const char* path,
                              const posix_spawn_file_actions_t* actions,
                              const posix_spawnattr_t* attributes, char* const* arguments,
                              char* const* environment) {
  const heddle::runtime::Inheritable during;
  heddle::controlled::note_child();
  return real_posix_spawn(child, path, actions, attributes, arguments, environment);
}
HEDDLE_EXPORT int posix_spawnp(pid_t* child, const char* file,
                               const posix_spawn_file_actions_t* actions,
                               const posix_spawnattr_t* attributes, char* const* arguments,
                               char* const* environment) {
  const heddle::runtime::Inheritable during;
  heddle::controlled::note_child();
  return real_posix_spawnp(child, file, actions, attributes, arguments, environment);
}
