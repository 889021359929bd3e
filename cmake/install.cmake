# What `cmake --install` puts where, and the .deb that `cpack -G DEB` makes of it.
#   bin/heddle                the tool, and heddle-cc, heddle-c++ for build systems that take one word as a compiler
#   lib/heddle/               the runtime; the tool finds it relative to itself, so the tree may be moved as a whole
#   lib/cmake/heddle/         find_package(heddle)
include(CMakePackageConfigHelpers)

install(PROGRAMS $<TARGET_FILE:heddle> DESTINATION bin)
foreach(name heddle-cc heddle-c++)
  install(CODE "execute_process(COMMAND \${CMAKE_COMMAND} -E create_symlink heddle
    \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/bin/${name}\" COMMAND_ERROR_IS_FATAL ANY)")
endforeach()

# Copied as they are: no rpath to change, and strip would take the names that reports need.
install(FILES $<TARGET_FILE:heddle_rt> DESTINATION lib/heddle)
install(FILES $<TARGET_FILE:heddle_fast> DESTINATION lib/heddle)
install(DIRECTORY ${CMAKE_SOURCE_DIR}/src/runtime/fast/include DESTINATION lib/heddle)
install(FILES $<TARGET_FILE:heddle_rt_as_gcc_tsan> DESTINATION lib/heddle/as-gcc-tsan)
install(FILES $<TARGET_FILE:heddle_rt_as_clang_tsan> DESTINATION lib/heddle/as-clang-tsan)
if(EXISTS ${CMAKE_SOURCE_DIR}/include/heddle)
  install(DIRECTORY ${CMAKE_SOURCE_DIR}/include/heddle DESTINATION include)
endif()

write_basic_package_version_file(${CMAKE_BINARY_DIR}/heddle-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_SOURCE_DIR}/cmake/heddle-config.cmake ${CMAKE_BINARY_DIR}/heddle-config-version.cmake
        DESTINATION lib/cmake/heddle)
foreach(document LICENSE CHANGELOG.md)
  if(EXISTS ${CMAKE_SOURCE_DIR}/${document})
    install(FILES ${CMAKE_SOURCE_DIR}/${document} DESTINATION share/doc/heddle)
  endif()
endforeach()

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME heddle)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_CONTACT "heddle maintainers <heddle@example.org>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "finds, replays and explains concurrency bugs in native programs")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS OFF)
set(CPACK_DEBIAN_PACKAGE_DEPENDS "libc6, libstdc++6, libfmt9, libsqlite3-0, libdw1, libelf1, libzstd1")
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "g++ | clang, gdb")
include(CPack)
