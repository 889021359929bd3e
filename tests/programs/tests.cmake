# Every program of the corpus is built once, through the wrapper, and is a test of its own: does what heddle says of it
# agree with the verdict at its head? The target `programs` builds them all; the tests build it first, as a fixture.
find_package(Python3 REQUIRED COMPONENTS Interpreter)
set(corpus ${CMAKE_CURRENT_LIST_DIR})
set(corpus_binaries ${CMAKE_BINARY_DIR}/programs)
file(MAKE_DIRECTORY ${corpus_binaries})

file(GLOB_RECURSE corpus_sources CONFIGURE_DEPENDS ${corpus}/*.c ${corpus}/*.cpp)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${corpus_sources} ${corpus}/header.py)
execute_process(COMMAND ${Python3_EXECUTABLE} -B ${corpus}/list_programs.py ${corpus}
                OUTPUT_VARIABLE corpus_list OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
string(REPLACE ";" "\t" corpus_list "${corpus_list}")
string(REPLACE "\n" ";" corpus_list "${corpus_list}")

# What of heddle ends up in a binary: not the whole tool, a change of which would rebuild them all for nothing.
set(instrumented_program_needs heddle_fast ${CMAKE_SOURCE_DIR}/src/driver/compiler_call.cpp
    ${CMAKE_SOURCE_DIR}/src/runtime/fast/include/bits/c++config.h)
set(corpus_outputs)
foreach(line IN LISTS corpus_list)
  string(REPLACE "\t" ";" columns "${line}")
  list(GET columns 0 name)
  list(GET columns 1 source)
  list(GET columns 2 verdict)
  list(GET columns 3 runs)
  list(GET columns 4 flags)
  list(GET columns 5 link)
  separate_arguments(flags)
  separate_arguments(link)
  if(source MATCHES "\\.c$")
    set(compile cc -std=gnu11)
  else()
    set(compile c++ -std=c++20)
  endif()
  set(binary ${corpus_binaries}/${name})
  add_custom_command(OUTPUT ${binary}
    COMMAND $<TARGET_FILE:heddle> ${compile} -g -pthread ${flags} ${source} -o ${binary} ${link}
    DEPENDS ${instrumented_program_needs} ${source} COMMENT "Building program ${name} through the wrapper" VERBATIM)
  list(APPEND corpus_outputs ${binary})

  if(runs GREATER 0)
    add_test(NAME programs.${name} COMMAND ${Python3_EXECUTABLE} -B ${corpus}/check_program.py
             --heddle $<TARGET_FILE:heddle> --source ${source} --name ${name} --program ${binary})
    set_tests_properties(programs.${name} PROPERTIES LABELS programs TIMEOUT 120 SKIP_RETURN_CODE 77
                         FIXTURES_REQUIRED programs_built)
  endif()
endforeach()

add_custom_target(programs DEPENDS ${corpus_outputs})
add_test(NAME programs.build COMMAND ${CMAKE_COMMAND} --build ${CMAKE_BINARY_DIR} --target programs)
set_tests_properties(programs.build PROPERTIES LABELS programs TIMEOUT 900 RUN_SERIAL ON FIXTURES_SETUP programs_built)

# What reaches out of the program, to children, descriptors and signals, must not make its events a matter of chance, unless
# something outside decides (correct/outside).
file(GLOB outgoing RELATIVE ${corpus}/correct/system CONFIGURE_DEPENDS ${corpus}/correct/system/*.c*)
list(TRANSFORM outgoing REPLACE "\\..*" "")
list(TRANSFORM outgoing PREPEND "correct_")
list(JOIN outgoing "," outgoing)
add_test(NAME programs.determinism COMMAND ${Python3_EXECUTABLE} -B ${CMAKE_SOURCE_DIR}/bench/determinism
         --build ${CMAKE_BINARY_DIR} --runs 25 --jobs 1 --timeout 10s --only ${outgoing})
set_tests_properties(programs.determinism PROPERTIES LABELS programs TIMEOUT 300 FIXTURES_REQUIRED programs_built)
