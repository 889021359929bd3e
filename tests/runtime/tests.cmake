# The runtime in real processes, without the tool: unnoticed when not asked, and its side of the fork-server protocol.
set(here ${CMAKE_CURRENT_SOURCE_DIR}/runtime)

# In-process code that is ordinary code as well.
target_sources(heddle_unit_tests PRIVATE
  ${CMAKE_SOURCE_DIR}/src/runtime/heap_registry.cpp
  ${CMAKE_SOURCE_DIR}/src/runtime/environment.cpp
  ${CMAKE_SOURCE_DIR}/src/runtime/platform/memory.cpp)

find_package(Threads REQUIRED)
add_executable(runtime_guinea_pig ${here}/guinea_pig.cpp)
target_link_libraries(runtime_guinea_pig PRIVATE Threads::Threads)
add_executable(runtime_own_malloc ${here}/own_malloc.cpp)
target_link_libraries(runtime_own_malloc PRIVATE Threads::Threads)
target_compile_options(runtime_own_malloc PRIVATE -fno-builtin)

add_library(runtime_early_thread SHARED ${here}/early_thread.cpp)
target_link_libraries(runtime_early_thread PRIVATE Threads::Threads)
add_executable(runtime_early_thread_main ${here}/early_thread_main.cpp)
target_link_libraries(runtime_early_thread_main PRIVATE runtime_early_thread)
target_link_options(runtime_early_thread_main PRIVATE -Wl,--no-as-needed)

add_executable(heddle_runtime_tests ${here}/run_client.cpp ${here}/unnoticed_test.cpp ${here}/server_test.cpp)
target_include_directories(heddle_runtime_tests PRIVATE ${CMAKE_SOURCE_DIR}/src)
target_compile_definitions(heddle_runtime_tests PRIVATE
  HEDDLE_RUNTIME="$<TARGET_FILE:heddle_rt>"
  GUINEA_PIG="$<TARGET_FILE:runtime_guinea_pig>"
  EARLY_THREAD="$<TARGET_FILE:runtime_early_thread_main>"
  OWN_MALLOC="$<TARGET_FILE:runtime_own_malloc>")
target_link_libraries(heddle_runtime_tests PRIVATE GTest::gtest GTest::gtest_main)
add_dependencies(heddle_runtime_tests heddle_rt runtime_guinea_pig runtime_own_malloc runtime_early_thread_main)
gtest_discover_tests(heddle_runtime_tests PROPERTIES LABELS programs TIMEOUT 60 DISCOVERY_TIMEOUT 60)
