# Minimising, explaining and verifying, from outside: labels and golden texts of a selection. bench/explain does it for every
# labelled program.
foreach(program IN ITEMS counter twostage three_lock_cycle lost_wakeup spin_without_yield sleep_as_synchronisation
    berth_given_twice fork_with_lock_held)
  add_test(NAME explain.${program}
    COMMAND ${Python3_EXECUTABLE} -B ${CMAKE_CURRENT_LIST_DIR}/explain_test.py --heddle $<TARGET_FILE:heddle> ${program})
  set_tests_properties(explain.${program} PROPERTIES LABELS campaign SKIP_RETURN_CODE 77 TIMEOUT 240)
endforeach()
foreach(name IN ITEMS verify two_bugs)
  add_test(NAME explain.${name}
    COMMAND ${Python3_EXECUTABLE} -B ${CMAKE_CURRENT_LIST_DIR}/${name}_test.py --heddle $<TARGET_FILE:heddle>)
  set_tests_properties(explain.${name} PROPERTIES LABELS campaign SKIP_RETURN_CODE 77 TIMEOUT 240)
endforeach()
