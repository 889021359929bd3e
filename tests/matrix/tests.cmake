# Compilers x optimisation x ways in, on a program that uses every C++20 primitive.
find_package(Python3 REQUIRED COMPONENTS Interpreter)
set(matrix_directory ${CMAKE_BINARY_DIR}/matrix)
set(matrix_prefix ${matrix_directory}/prefix)

add_test(NAME matrix.install COMMAND ${CMAKE_COMMAND} --install ${CMAKE_BINARY_DIR} --prefix ${matrix_prefix})
set_tests_properties(matrix.install PROPERTIES LABELS matrix TIMEOUT 60 FIXTURES_SETUP matrix_installed)

function(matrix_cell way compiler optimisation tool)
  set(name matrix.${way}.${compiler}${optimisation})
  add_test(NAME ${name} COMMAND ${Python3_EXECUTABLE} -B ${CMAKE_SOURCE_DIR}/tests/matrix/matrix.py
    --heddle ${tool} --way ${way} --compiler ${compiler} --optimisation=${optimisation}
    --directory ${matrix_directory}/${way}.${compiler}${optimisation} --prefix ${matrix_prefix})
  set_tests_properties(${name} PROPERTIES LABELS matrix TIMEOUT 180)
  if(way STREQUAL package)
    set_tests_properties(${name} PROPERTIES FIXTURES_REQUIRED matrix_installed)
  endif()
endfunction()

foreach(compiler g++ clang++-14 clang++-19)
  foreach(optimisation -O0 -O1 -O2)
    matrix_cell(wrapper ${compiler} ${optimisation} $<TARGET_FILE:heddle>)
    matrix_cell(package ${compiler} ${optimisation} ${matrix_prefix}/bin/heddle)
  endforeach()
endforeach()
matrix_cell(tsan g++ -O1 $<TARGET_FILE:heddle>)
matrix_cell(plain g++ -O2 $<TARGET_FILE:heddle>)
