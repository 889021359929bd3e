# A user's GoogleTest binary, built through the wrapper and run by filter.
set(googletest_binary ${CMAKE_BINARY_DIR}/programs/fifty_tests)
add_custom_command(OUTPUT ${googletest_binary}
  COMMAND ${CMAKE_COMMAND} -E make_directory ${CMAKE_BINARY_DIR}/programs
  COMMAND $<TARGET_FILE:heddle> c++ -std=c++20 -g -pthread ${CMAKE_CURRENT_LIST_DIR}/fifty_tests.cpp -o ${googletest_binary}
          -lgtest -lgtest_main
  DEPENDS heddle_fast ${CMAKE_CURRENT_LIST_DIR}/fifty_tests.cpp COMMENT "Building a GoogleTest binary through the wrapper" VERBATIM)
add_custom_target(googletest_program ALL DEPENDS ${googletest_binary})
add_dependencies(googletest_program heddle)
add_test(NAME googletest.from_outside
  COMMAND ${Python3_EXECUTABLE} -B ${CMAKE_CURRENT_LIST_DIR}/googletest_test.py $<TARGET_FILE:heddle> ${googletest_binary})
set_tests_properties(googletest.from_outside PROPERTIES LABELS campaign TIMEOUT 300)
