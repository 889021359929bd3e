"""The compiler wrapper in real builds, programs of every kind before the tool, and the installed package.

usage: wrapper_test.py --heddle TOOL --build TREE [TestClass ...]
"""
import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import textwrap
import unittest
from pathlib import Path

HEDDLE = Path()
BUILD = Path()

LIBRARY = "int shared_counter;\nvoid bump(void) { shared_counter++; }\n"
MAIN = "void bump(void); extern int shared_counter;\nint main(void) { bump(); return shared_counter - 1; }\n"
CXX_MAIN = """
#include <cstdio>
#include <mutex>
#include <thread>
int total;
std::mutex lock;
int main() {
  std::thread other([] { std::lock_guard<std::mutex> held(lock); total++; });
  { std::lock_guard<std::mutex> held(lock); total++; }
  other.join();
  std::printf("total %d\\n", total);
  return total - 2;
}
"""


class Case(unittest.TestCase):
    def setUp(self):
        self.place = Path(tempfile.mkdtemp(prefix="heddle-wrapper-"))
        self.addCleanup(shutil.rmtree, self.place, ignore_errors=True)

    def write(self, name, text):
        path = self.place / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(textwrap.dedent(text))
        return path

    def run_(self, *command, expect=0, env=None, cwd=None):
        result = subprocess.run([str(word) for word in command], cwd=cwd or self.place, capture_output=True,
                                text=True, env={**os.environ, **(env or {})}, stdin=subprocess.DEVNULL, timeout=120)
        if expect is not None:
            self.assertEqual(result.returncode, expect, f"{command}\n{result.stdout}\n{result.stderr}")
        return result

    def cc(self, *words, **options):
        return self.run_(HEDDLE, "cc", *words, **options)

    def cxx(self, *words, **options):
        return self.run_(HEDDLE, "c++", *words, **options)

    def assert_instrumented(self, binary):
        dynamic = self.run_("readelf", "-d", binary).stdout
        needed = [line.split("[")[1].rstrip("]") for line in dynamic.splitlines() if "(NEEDED)" in line]
        self.assertEqual(needed[0], "libheddle_rt.so", "our runtime must come before libc's symbols")
        self.assertFalse([name for name in needed if "tsan" in name])
        disassembly = self.run_("nm", binary).stdout
        self.assertIn("__tsan_", disassembly)


def compilers():
    for c, cxx in [("gcc", "g++"), ("clang-14", "clang++-14"), ("clang-19", "clang++-19")]:
        if shutil.which(c) and shutil.which(cxx):
            yield {"HEDDLE_CC": c, "HEDDLE_CXX": cxx}


class Builds(Case):
    def test_one_call_compiles_and_links_silently(self):
        source = self.write("main.cpp", CXX_MAIN)
        for env in compilers():
            with self.subTest(**env):
                result = self.cxx("-Wall", "-Wextra", "-Werror", source, "-o", "program", "-pthread", env=env)
                self.assertEqual(result.stdout + result.stderr, "")
                self.assert_instrumented(self.place / "program")
                self.assertEqual(self.run_("./program").stdout, "total 2\n")

    def test_a_shared_library_and_a_program_that_uses_it(self):
        self.write("library.c", LIBRARY)
        self.write("main.c", MAIN)
        for env in compilers():
            with self.subTest(**env):
                self.cc("-fPIC", "-c", "library.c", env=env)
                self.cc("-shared", "library.o", "-o", "libbump.so", "-Wl,-z,defs", env=env)
                self.cc("-c", "main.c", env=env)
                self.cc("main.o", "-L.", "-lbump", "-Wl,-rpath," + str(self.place), "-o", "program", env=env)
                self.assert_instrumented(self.place / "libbump.so")
                self.run_("./program")

    def test_response_files(self):
        self.write("library.c", LIBRARY)
        self.write("main.c", MAIN)
        self.write("words.rsp", "main.c library.c\n-fsanitize=thread -o 'a program'")
        self.cc("@words.rsp")
        self.assert_instrumented(self.place / "a program")
        self.run_(self.place / "a program")

    def test_the_compilers_exit_status_and_messages_pass_through(self):
        self.write("wrong.c", "int main(void) { return nothing; }\n")
        result = self.cc("-c", "wrong.c", expect=1)
        self.assertIn("nothing", result.stderr)
        self.assertIn("gcc", self.cc("--version").stdout.lower())
        self.assertTrue(self.cc("-print-prog-name=ld").stdout.strip())

    def test_preprocessing_assembling_and_dependencies(self):
        self.write("main.c", MAIN)
        for env in compilers():
            with self.subTest(**env):
                self.assertIn("int main", self.cc("-Werror", "-E", "main.c", env=env).stdout)
                self.assertIn("main.o:", self.cc("-Werror", "-M", "main.c", env=env).stdout)
                self.cc("-Werror", "-S", "main.c", "-o", "main.s", env=env)
                result = self.cc("-Werror", "-c", "main.s", env=env)
                self.assertEqual(result.stderr, "")

    def test_static_is_left_out_with_a_note(self):
        self.write("main.cpp", CXX_MAIN)
        result = self.cxx("-static", "main.cpp", "-o", "program")
        self.assertIn("-static", result.stderr)
        self.run_("./program")

    def test_an_excluded_sanitizer_is_one_sentence(self):
        self.write("main.c", MAIN)
        result = self.cc("-fsanitize=address", "-c", "main.c", expect=2)
        self.assertEqual(len(result.stderr.splitlines()), 1)

    def test_a_configure_script_finds_what_is_there_and_not_what_is_not(self):
        self.write("configure", """\
            set -e
            printf 'int main(void){return 0;}' > conftest.c
            $CC -o conftest conftest.c
            ./conftest
            printf '#include <no_such_header.h>\\n' > conftest.c
            if $CC -E conftest.c >/dev/null 2>&1; then exit 3; fi
            printf 'char no_such_function(); int main(void){return no_such_function();}' > conftest.c
            if $CC -o conftest conftest.c >/dev/null 2>&1; then exit 4; fi
            printf 'char pthread_create(); int main(void){return pthread_create();}' > conftest.c
            $CC -o conftest conftest.c -lpthread 2>/dev/null
            """)
        for env in compilers():
            with self.subTest(**env):
                self.run_("sh", "./configure", env={"CC": f"{HEDDLE} cc", **env})

    def test_make(self):
        self.write("library.c", LIBRARY)
        self.write("main.c", MAIN)
        self.write("Makefile", "program: main.o library.o\n\t$(CC) $^ -o $@\n")
        self.run_("make", f"CC={HEDDLE} cc")
        self.assert_instrumented(self.place / "program")

    def test_cmake_with_a_compiler_of_two_words(self):
        self.write("main.cpp", CXX_MAIN)
        self.write("library.c", LIBRARY)
        self.write("CMakeLists.txt", """\
            cmake_minimum_required(VERSION 3.20)
            project(consumer C CXX)
            find_package(Threads REQUIRED)
            add_library(bump SHARED library.c)
            add_executable(program main.cpp)
            target_link_libraries(program PRIVATE bump Threads::Threads)
            """)
        self.run_("cmake", "-G", "Ninja", "-S", ".", "-B", "out",
                  env={"CC": f"{HEDDLE} cc", "CXX": f"{HEDDLE} c++"})
        self.run_("cmake", "--build", "out")
        self.assert_instrumented(self.place / "out" / "program")
        self.run_("out/program")

    @unittest.skipUnless(shutil.which("meson"), "no meson")
    def test_meson(self):
        self.write("main.cpp", CXX_MAIN)
        self.write("meson.build", """\
            project('consumer', 'cpp')
            executable('program', 'main.cpp', dependencies: dependency('threads'))
            """)
        self.run_("meson", "setup", "out", env={"CC": f"{HEDDLE} cc", "CXX": f"{HEDDLE} c++"})
        self.run_("ninja", "-C", "out")
        self.assert_instrumented(self.place / "out" / "program")


class Programs(Case):
    """What doctor says about each kind of program; run says the same about those that cannot be started."""

    def doctor(self, program, expect=0):
        result = self.run_(HEDDLE, "doctor", "--", program, expect=expect)
        return result.stdout if expect == 0 else result.stderr

    def test_every_way_in_is_recognised(self):
        self.write("main.cpp", CXX_MAIN)
        self.cxx("main.cpp", "-o", "ours", "-pthread")
        self.run_("g++", "-fsanitize=thread", "main.cpp", "-o", "tsan", "-pthread")
        self.run_("g++", "main.cpp", "-o", "plain", "-pthread")
        self.assertIn("heddle's instrumentation", self.doctor("./ours"))
        self.assertIn("gcc -fsanitize=thread", self.doctor("./tsan"))
        self.assertIn("plain dynamic program", self.doctor("./plain"))

    def test_what_cannot_be_entered_is_one_sentence_and_status_2(self):
        self.write("main.c", "int main(void) { return 0; }\n")
        self.write("script", "#!/bin/sh\n").chmod(0o755)
        self.write("text", "text")
        self.run_("gcc", "-static", "main.c", "-o", "static")
        self.write("library.c", LIBRARY)
        self.write("user.c", MAIN)
        self.run_("gcc", "-shared", "-fPIC", "library.c", "-o", "libgone.so")
        self.run_("gcc", "user.c", "-L.", "-lgone", "-o", "needs-library")
        (self.place / "libgone.so").unlink()
        for program, words in [("./script", "is a script"), ("./text", "not executable"),
                               ("./static", "static program"), ("./needs-library", "libgone.so"),
                               ("./nothing", "no program"), (".", "directory"), ("no-such-command", "in PATH")]:
            with self.subTest(program):
                said = self.doctor(program, expect=2)
                self.assertIn(words, said)
                self.assertEqual(len(said.splitlines()), 1)

    @unittest.skipUnless(shutil.which("clang-14"), "no clang")
    def test_clang_with_its_runtime_inside_is_explained(self):
        self.write("main.c", "int main(void) { return 0; }\n")
        built = self.run_("clang-14", "-fsanitize=thread", "main.c", "-o", "inside", expect=None)
        if built.returncode != 0:
            self.skipTest("clang has no ThreadSanitizer here")
        self.assertIn("linked into it", self.doctor("./inside", expect=2))


class Packages(Case):
    def test_the_installed_package_instruments_a_target(self):
        prefix = self.place / "prefix"
        self.run_("cmake", "--install", BUILD, "--prefix", prefix)
        self.write("main.cpp", CXX_MAIN)
        self.write("library.c", LIBRARY)
        self.write("CMakeLists.txt", """\
            cmake_minimum_required(VERSION 3.20)
            project(consumer C CXX)
            find_package(Threads REQUIRED)
            find_package(heddle REQUIRED)
            add_library(bump SHARED library.c)
            add_executable(program main.cpp)
            target_link_libraries(program PRIVATE bump Threads::Threads)
            heddle_instrument(program bump)
            """)
        for env in compilers():
            with self.subTest(**env):
                out = self.place / ("out-" + env["HEDDLE_CC"])
                self.run_("cmake", "-G", "Ninja", "-S", ".", "-B", out, f"-DCMAKE_PREFIX_PATH={prefix}",
                          env={"CC": env["HEDDLE_CC"], "CXX": env["HEDDLE_CXX"]})
                self.run_("cmake", "--build", out)
                self.assert_instrumented(out / "program")
                self.assert_instrumented(out / "libbump.so")
                self.run_(out / "program")
        self.assertIn("heddle", self.run_(prefix / "bin/heddle", "--version").stdout)
        self.run_(prefix / "bin/heddle-c++", "main.cpp", "-o", "program", "-pthread")
        self.assert_instrumented(self.place / "program")
        self.assertIn(str(prefix / "lib/heddle"), self.run_("readelf", "-d", "program").stdout)

    @unittest.skipUnless(shutil.which("cpack") and shutil.which("dpkg-deb"), "no cpack or dpkg-deb")
    def test_the_deb_holds_the_tool_and_the_runtime(self):
        self.run_("cpack", "-G", "DEB", "--config", BUILD / "CPackConfig.cmake", "-B", self.place / "deb")
        packages = list((self.place / "deb").glob("*.deb"))
        self.assertEqual(len(packages), 1)
        self.run_("dpkg-deb", "-x", packages[0], "root")
        root = self.place / "root/usr"
        self.assertIn("heddle", self.run_(root / "bin/heddle", "--version").stdout)
        for part in ["lib/heddle/libheddle_rt.so", "lib/heddle/libheddle_fast.a",
                     "lib/heddle/as-gcc-tsan/libtsan.so.2", "lib/cmake/heddle/heddle-config.cmake"]:
            self.assertTrue((root / part).exists(), part)


def main():
    global HEDDLE, BUILD
    parser = argparse.ArgumentParser()
    parser.add_argument("--heddle", type=Path, required=True)
    parser.add_argument("--build", type=Path, required=True)
    parser.add_argument("cases", nargs="*")
    arguments = parser.parse_args()
    HEDDLE, BUILD = arguments.heddle.resolve(), arguments.build.resolve()
    for name in ["CC", "CXX", "CFLAGS", "CXXFLAGS", "LDFLAGS", "HEDDLE_CC", "HEDDLE_CXX"]:
        os.environ.pop(name, None)
    unittest.main(argv=[sys.argv[0], *arguments.cases], verbosity=2)


if __name__ == "__main__":
    main()
