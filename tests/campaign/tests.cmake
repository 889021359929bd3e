# heddle run and replay from outside, on a program that misbehaves on request.
find_package(Python3 REQUIRED COMPONENTS Interpreter)
add_executable(campaign_mischief ${CMAKE_CURRENT_LIST_DIR}/programs/mischief.cpp)
target_compile_options(campaign_mischief PRIVATE -O1 -g)
target_link_libraries(campaign_mischief PRIVATE Threads::Threads)
add_test(NAME campaign.from_outside
  COMMAND ${Python3_EXECUTABLE} -B ${CMAKE_CURRENT_LIST_DIR}/campaign_test.py $<TARGET_FILE:heddle>
          $<TARGET_FILE:campaign_mischief>)
set_tests_properties(campaign.from_outside PROPERTIES LABELS campaign TIMEOUT 300 PROCESSORS 2)

add_test(NAME campaign.openmp
  COMMAND ${Python3_EXECUTABLE} -B ${CMAKE_CURRENT_LIST_DIR}/openmp_test.py $<TARGET_FILE:heddle>
          ${CMAKE_CURRENT_LIST_DIR}/programs/parallel_sum.c)
set_tests_properties(campaign.openmp PROPERTIES LABELS campaign TIMEOUT 200)

add_test(NAME campaign.plain_flags
  COMMAND ${Python3_EXECUTABLE} -B ${CMAKE_CURRENT_LIST_DIR}/plain_flags_test.py $<TARGET_FILE:heddle>
          ${CMAKE_CURRENT_LIST_DIR}/programs/plain_flags.c)
set_tests_properties(campaign.plain_flags PROPERTIES LABELS campaign TIMEOUT 300)

add_test(NAME campaign.constructor
  COMMAND ${Python3_EXECUTABLE} -B ${CMAKE_CURRENT_LIST_DIR}/constructor_test.py $<TARGET_FILE:heddle>
          ${CMAKE_CURRENT_LIST_DIR}/programs)
set_tests_properties(campaign.constructor PROPERTIES LABELS campaign TIMEOUT 200)

add_test(NAME campaign.turns
  COMMAND ${Python3_EXECUTABLE} -B ${CMAKE_CURRENT_LIST_DIR}/turns_test.py $<TARGET_FILE:heddle>
          ${CMAKE_CURRENT_LIST_DIR}/programs/only_one.c)
set_tests_properties(campaign.turns PROPERTIES LABELS campaign TIMEOUT 200)
