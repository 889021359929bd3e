# The labelled corpus of the detectors: one test per file and compiler, and one under the free engine.
set(detectors ${CMAKE_CURRENT_LIST_DIR})
find_package(Python3 REQUIRED COMPONENTS Interpreter)
file(GLOB detector_sources CONFIGURE_DEPENDS ${detectors}/cases/*.cpp ${detectors}/cases/*.c)

function(detector_test name source)
  add_test(NAME detectors.${name} COMMAND ${Python3_EXECUTABLE} -B ${detectors}/check_cases.py
           --heddle $<TARGET_FILE:heddle> --source ${source} ${ARGN})
  set_tests_properties(detectors.${name} PROPERTIES LABELS campaign TIMEOUT 120 SKIP_RETURN_CODE 77)
endfunction()

foreach(source IN LISTS detector_sources)
  get_filename_component(stem ${source} NAME_WE)
  detector_test(${stem}.gcc ${source} --compiler g++)
  detector_test(${stem}.clang ${source} --compiler clang++-14)
endforeach()
detector_test(lifetime.O2 ${detectors}/cases/lifetime.cpp --optimise 2)
detector_test(races.O2 ${detectors}/cases/races.cpp --optimise 2)
detector_test(locks.free ${detectors}/cases/locks.cpp --engine free)
detector_test(lifetime.free ${detectors}/cases/lifetime.cpp --engine free)
detector_test(kernel.free ${detectors}/cases/kernel.cpp --engine free)
detector_test(kernel_order.free ${detectors}/cases/kernel_order.cpp --engine free)
# No schedule hides these.
detector_test(habits.free ${detectors}/cases/habits.cpp --engine free --exact)
detector_test(habits_c.free ${detectors}/cases/habits_c.c --engine free --exact)

add_test(NAME detectors.confirm COMMAND ${Python3_EXECUTABLE} -B ${detectors}/confirm_test.py
         --heddle $<TARGET_FILE:heddle>)
set_tests_properties(detectors.confirm PROPERTIES LABELS campaign TIMEOUT 120)

add_test(NAME detectors.over_runs COMMAND ${Python3_EXECUTABLE} -B ${detectors}/over_runs_test.py
         --heddle $<TARGET_FILE:heddle>)
set_tests_properties(detectors.over_runs PROPERTIES LABELS campaign TIMEOUT 120)

add_test(NAME detectors.suppressions COMMAND ${Python3_EXECUTABLE} -B ${detectors}/suppressions_test.py
         --heddle $<TARGET_FILE:heddle>)
set_tests_properties(detectors.suppressions PROPERTIES LABELS campaign TIMEOUT 120)

add_test(NAME detectors.wording COMMAND ${Python3_EXECUTABLE} -B ${detectors}/wording_test.py
         --heddle $<TARGET_FILE:heddle>)
set_tests_properties(detectors.wording PROPERTIES LABELS campaign TIMEOUT 120)

add_test(NAME detectors.many_locks COMMAND ${Python3_EXECUTABLE} -B ${detectors}/many_locks_test.py
         --heddle $<TARGET_FILE:heddle>)
set_tests_properties(detectors.many_locks PROPERTIES LABELS campaign TIMEOUT 120)

add_test(NAME detectors.early_signals COMMAND ${Python3_EXECUTABLE} -B ${detectors}/early_signals_test.py
         --heddle $<TARGET_FILE:heddle>)
set_tests_properties(detectors.early_signals PROPERTIES LABELS campaign TIMEOUT 120)

add_test(NAME detectors.libraries COMMAND ${Python3_EXECUTABLE} -B ${detectors}/libraries_test.py
         --heddle $<TARGET_FILE:heddle>)
set_tests_properties(detectors.libraries PROPERTIES LABELS campaign TIMEOUT 120)
