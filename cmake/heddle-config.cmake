# find_package(heddle), then heddle_instrument(target ...): executables and libraries that heddle sees into.
#
# Targets keep their compiler, gcc or clang. The flags are those of `heddle cc` (docs/manual.md): instrumentation
# when compiling, heddle's runtime instead of the sanitizer's when linking. A target's own options come later and win.
get_filename_component(HEDDLE_PREFIX "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
set(HEDDLE_EXECUTABLE "${HEDDLE_PREFIX}/bin/heddle")
set(HEDDLE_LIBRARY_DIR "${HEDDLE_PREFIX}/lib/heddle")
foreach(part ${HEDDLE_EXECUTABLE} ${HEDDLE_LIBRARY_DIR}/libheddle_rt.so ${HEDDLE_LIBRARY_DIR}/libheddle_fast.a)
  if(NOT EXISTS ${part})
    set(heddle_FOUND FALSE)
    set(heddle_NOT_FOUND_MESSAGE "${part} is missing; install heddle again.")
    return()
  endif()
endforeach()

set(HEDDLE_GNU_FLAGS -fsanitize=thread -fno-tree-loop-im -fno-ipa-reference -Wno-tsan
    "SHELL:--param tsan-distinguish-volatile=1"
    -fno-builtin-memset -fno-builtin-memcpy -fno-builtin-memmove -g "SHELL:-isystem ${HEDDLE_LIBRARY_DIR}/include")
set(HEDDLE_CLANG_FLAGS -fsanitize=thread "SHELL:-mllvm -disable-licm-promotion"
    "SHELL:-mllvm -tsan-distinguish-volatile" -g "SHELL:-isystem ${HEDDLE_LIBRARY_DIR}/include")

function(heddle_instrument)
  foreach(compiler "${CMAKE_C_COMPILER}" "${CMAKE_CXX_COMPILER}")
    get_filename_component(name "${compiler}" NAME)
    if(name MATCHES "^heddle(-cc|-c\\+\\+)?$")
      return()  # the wrapper does it already
    endif()
  endforeach()
  foreach(target IN LISTS ARGN)
    get_target_property(kind ${target} TYPE)
    if(kind STREQUAL "INTERFACE_LIBRARY")
      message(FATAL_ERROR "heddle_instrument(${target}): an interface library has nothing to compile; "
                          "instrument the targets that use it.")
    endif()
    foreach(language C CXX)
      target_compile_options(${target} BEFORE PRIVATE
        "$<$<COMPILE_LANG_AND_ID:${language},GNU>:${HEDDLE_GNU_FLAGS}>"
        "$<$<COMPILE_LANG_AND_ID:${language},Clang>:${HEDDLE_CLANG_FLAGS}>"
        # A build type that optimises has chosen; without one, -O1 keeps the accesses of the source.
        "$<$<AND:$<COMPILE_LANGUAGE:${language}>,$<CONFIG:>>:-O1>")
    endforeach()
    set_target_properties(${target} PROPERTIES INTERPROCEDURAL_OPTIMIZATION OFF)
    if(NOT kind STREQUAL "STATIC_LIBRARY" AND NOT kind STREQUAL "OBJECT_LIBRARY")
      # First on the line: the runtime's symbols must come before libc's, and the stubs before the runtime's.
      target_link_options(${target} BEFORE PRIVATE
        "LINKER:--push-state,--no-as-needed" "${HEDDLE_LIBRARY_DIR}/libheddle_rt.so"
        "LINKER:--whole-archive" "${HEDDLE_LIBRARY_DIR}/libheddle_fast.a" "LINKER:--pop-state"
        "LINKER:-rpath,${HEDDLE_LIBRARY_DIR}")
    endif()
  endforeach()
endfunction()
