# Noise and `heddle compare` from outside, on programs of the corpus.
find_package(Python3 REQUIRED COMPONENTS Interpreter)
add_test(NAME noise.from_outside
  COMMAND ${Python3_EXECUTABLE} -B ${CMAKE_CURRENT_LIST_DIR}/noise_test.py $<TARGET_FILE:heddle>
          ${CMAKE_BINARY_DIR}/programs)
set_tests_properties(noise.from_outside PROPERTIES LABELS campaign TIMEOUT 300 PROCESSORS 2
                     FIXTURES_REQUIRED programs_built)
