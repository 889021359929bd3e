# The runtime as compilers and programs see it: the names it exports, the stubs, and programs that use every primitive and
# must get the results they would get without us, not under test and in both engines.
set(abi ${CMAKE_CURRENT_LIST_DIR})

foreach(library heddle_rt heddle_rt_as_gcc_tsan heddle_rt_as_clang_tsan)
  add_test(NAME runtime_abi.${library}_exports_what_compilers_emit
           COMMAND ${abi}/check_exports.sh $<TARGET_FILE:${library}> ${abi}/emitted-by-compilers.txt
                   ${abi}/exported-by-libtsan.txt ${abi}/emitted-on-request.txt)
endforeach()
execute_process(COMMAND ${CMAKE_CXX_COMPILER} -print-file-name=libtsan.so.2 OUTPUT_VARIABLE gcc_tsan OUTPUT_STRIP_TRAILING_WHITESPACE)
add_test(NAME runtime_abi.heddle_rt_as_gcc_tsan_stands_in
         COMMAND ${abi}/check_stands_in.sh $<TARGET_FILE:heddle_rt_as_gcc_tsan> ${gcc_tsan})
set_tests_properties(runtime_abi.heddle_rt_as_gcc_tsan_stands_in PROPERTIES LABELS programs SKIP_RETURN_CODE 77)
add_test(NAME runtime_abi.stubs_are_hidden COMMAND ${abi}/check_stubs.sh $<TARGET_FILE:heddle_fast>)

# One run of a program in an engine, without the tool.
add_executable(heddle_abi_under ${abi}/under.cpp)
target_include_directories(heddle_abi_under PRIVATE ${CMAKE_SOURCE_DIR}/src)

set(abi_programs pthread_primitives.cpp c11_threads.c atomics.cpp standard_library.cpp blocking_calls.cpp annotations.cpp
    pipes_between_threads.cpp)
function(heddle_abi_program program way compiler)
  if(program MATCHES "\\.c$")
    string(REPLACE "clang++" "clang" compiler ${compiler})
    string(REPLACE "g++" "gcc" compiler ${compiler})
  endif()
  find_program(HEDDLE_COMPILER_${compiler} ${compiler})
  if(NOT HEDDLE_COMPILER_${compiler})
    return()
  endif()
  string(REPLACE ";" "" flags "${ARGN}")
  set(test runtime_abi.${program}.${compiler}${flags}.${way})
  add_test(NAME ${test} COMMAND ${abi}/build_and_run.sh ${HEDDLE_LIB_DIR} ${abi}/${program} ${way} ${compiler} ${ARGN})
  set_tests_properties(${test} PROPERTIES LABELS programs TIMEOUT 180 ENVIRONMENT "UNDER=$<TARGET_FILE:heddle_abi_under>")
endfunction()
set(HEDDLE_LIB_DIR ${CMAKE_BINARY_DIR}/lib/heddle)
foreach(program IN LISTS abi_programs)
  heddle_abi_program(${program} linked g++ -O1)
  heddle_abi_program(${program} linked clang++-14 -O1)
  heddle_abi_program(${program} linked clang++-19 -O2)
  heddle_abi_program(${program} swapped g++ -O2)
  heddle_abi_program(${program} free g++ -O1)
  heddle_abi_program(${program} controlled g++ -O1)
endforeach()
set_tests_properties(runtime_abi.stubs_are_hidden runtime_abi.heddle_rt_exports_what_compilers_emit
  runtime_abi.heddle_rt_as_gcc_tsan_exports_what_compilers_emit
  runtime_abi.heddle_rt_as_clang_tsan_exports_what_compilers_emit PROPERTIES LABELS programs)
