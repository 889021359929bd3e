# The house rules as tests. Each is a small script that names file, line and what to do.
find_package(Python3 REQUIRED COMPONENTS Interpreter)
set(house ${CMAKE_CURRENT_LIST_DIR})

function(house_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "LABEL;TIMEOUT;PROCESSORS" "COMMAND")
  add_test(NAME house.${name} COMMAND ${Python3_EXECUTABLE} -B ${arg_COMMAND})
  set_tests_properties(house.${name} PROPERTIES LABELS ${arg_LABEL} TIMEOUT ${arg_TIMEOUT} PROCESSORS ${arg_PROCESSORS})
endfunction()

house_test(checks_catch_what_they_are_for LABEL unit TIMEOUT 60 PROCESSORS 1 COMMAND ${house}/checks_test.py)
house_test(include_layers LABEL unit TIMEOUT 30 PROCESSORS 1 COMMAND ${house}/include_layers.py ${CMAKE_SOURCE_DIR})
house_test(documents LABEL unit TIMEOUT 30 PROCESSORS 1 COMMAND ${house}/documents.py ${CMAKE_SOURCE_DIR})
house_test(format LABEL unit TIMEOUT 60 PROCESSORS 2 COMMAND ${house}/format.py ${CMAKE_SOURCE_DIR})
house_test(inprocess_symbols LABEL unit TIMEOUT 240 PROCESSORS 1 COMMAND
  ${house}/inprocess_symbols.py ${CMAKE_BINARY_DIR} $<TARGET_FILE:heddle_rt> $<TARGET_FILE:heddle_rt_as_gcc_tsan>
  $<TARGET_FILE:heddle_rt_as_clang_tsan>)
house_test(tidy LABEL check TIMEOUT 1100 PROCESSORS 2 COMMAND ${house}/tidy.py ${CMAKE_SOURCE_DIR} ${CMAKE_BINARY_DIR})
house_test(manual LABEL unit TIMEOUT 60 PROCESSORS 1 COMMAND ${house}/manual.py ${CMAKE_SOURCE_DIR} $<TARGET_FILE:heddle>)
