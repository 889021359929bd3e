# The compiler wrapper inside real build systems, and what is installed.
find_package(Python3 REQUIRED COMPONENTS Interpreter)
foreach(case Builds Programs Packages)
  add_test(NAME wrapper.${case} COMMAND ${Python3_EXECUTABLE} -B ${CMAKE_CURRENT_LIST_DIR}/wrapper_test.py
    --heddle $<TARGET_FILE:heddle> --build ${CMAKE_BINARY_DIR} ${case})
  set_tests_properties(wrapper.${case} PROPERTIES LABELS programs TIMEOUT 240)
endforeach()
