#include "driver/compiler_call.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "host/files.h"
#include "host/text.h"

namespace heddle {
namespace {

using Words = std::vector<std::string>;

// Options whose value is the next word. Joined forms ("-ofile") need no entry.
constexpr std::array<std::string_view, 61> kTakesValue{"-o",
                                                       "-x",
                                                       "-I",
                                                       "-D",
                                                       "-U",
                                                       "-L",
                                                       "-l",
                                                       "-include",
                                                       "-imacros",
                                                       "-isystem",
                                                       "-iquote",
                                                       "-idirafter",
                                                       "-iprefix",
                                                       "-iwithprefix",
                                                       "-iwithprefixbefore",
                                                       "-isysroot",
                                                       "-imultilib",
                                                       "-iframework",
                                                       "-ivfsoverlay",
                                                       "-MF",
                                                       "-MT",
                                                       "-MQ",
                                                       "-MJ",
                                                       "-T",
                                                       "-u",
                                                       "-z",
                                                       "-e",
                                                       "-A",
                                                       "-B",
                                                       "-b",
                                                       "-V",
                                                       "-G",
                                                       "-F",
                                                       "-Xlinker",
                                                       "-Xassembler",
                                                       "-Xpreprocessor",
                                                       "-Xclang",
                                                       "-Xanalyzer",
                                                       "-Xopenmp-target",
                                                       "-mllvm",
                                                       "-target",
                                                       "-arch",
                                                       "--param",
                                                       "-wrapper",
                                                       "-aux-info",
                                                       "-dumpbase",
                                                       "-dumpbase-ext",
                                                       "-dumpdir",
                                                       "-framework",
                                                       "-working-directory",
                                                       "-resource-dir",
                                                       "--config",
                                                       "--sysroot",
                                                       "--output",
                                                       "--language",
                                                       "-gcc-toolchain",
                                                       "--serialize-diagnostics",
                                                       "-serialize-diagnostics",
                                                       "-fplugin-arg",
                                                       "-fmodule-file",
                                                       "-R"};

constexpr std::array<std::string_view, 18> kSourceEndings{
    ".c",   ".i", ".ii", ".C",   ".cc",  ".cp", ".cxx", ".cpp", ".CPP",
    ".c++", ".h", ".hh", ".hpp", ".hxx", ".H",  ".m",   ".mm",  ".M"};

// Compiled by the same driver, but not instrumented: assembler, other languages, compiler internals.
constexpr std::array<std::string_view, 11> kOtherSourceEndings{
    ".s", ".S", ".sx", ".f", ".f90", ".F", ".F90", ".f95", ".d", ".ll", ".go"};

bool ends_with_any(std::string_view text, std::span<const std::string_view> endings) {
  return std::ranges::any_of(endings, [&](std::string_view end) { return text.ends_with(end); });
}

bool is_query(std::string_view word) {
  return word == "--version" || word == "-dumpversion" || word == "-dumpfullversion" ||
         word == "-dumpmachine" || word == "-dumpspecs" || word == "--help" ||
         word.starts_with("--help=") || word == "--target-help" || word.starts_with("-print-") ||
         word.starts_with("--print-") || word == "-cc1" || word == "-cc1as";
}

bool is_instrumented_language(std::string_view language) {
  return language.starts_with("c") || language.starts_with("objective-c");
}

// What we would have to take out of a response file; anything else may stay in it.
bool must_be_seen(std::string_view word) {
  return word == "-static" || word == "-static-pie" || word == "--static" ||
         word.find("sanitize=") != std::string_view::npos || word.starts_with("-flto");
}

// As gcc reads them: white space separates, quotes group, a backslash keeps the next character.
Words words_of_response_file(std::string_view text) {
  Words words;
  std::string word;
  bool within = false;
  char quote = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\\' && i + 1 < text.size() && quote != '\'') {
      word += text[++i];
      within = true;
    } else if (quote != 0) {
      if (c == quote) {
        quote = 0;
      } else {
        word += c;
      }
    } else if (c == '"' || c == '\'') {
      quote = c;
      within = true;
    } else if (std::isspace(static_cast<unsigned char>(c)) != 0) {
      if (within) {
        words.push_back(std::move(word));
        word.clear();
        within = false;
      }
    } else {
      word += c;
      within = true;
    }
  }
  if (within) {
    words.push_back(std::move(word));
  }
  return words;
}

// A response file that cannot be read is an ordinary argument, for the compiler to judge.
bool expand(const std::string& word, int depth, Words& into) {
  if (word.size() < 2 || word[0] != '@' || depth > 16) {
    into.push_back(word);
    return false;
  }
  const Result<std::string> text = read_file(word.substr(1));
  if (!text) {
    into.push_back(word);
    return false;
  }
  for (const std::string& inner : words_of_response_file(*text)) {
    expand(inner, depth + 1, into);
  }
  return true;
}

// The walk over all words, response files included, that finds out what is asked for.
class Reader {
 public:
  explicit Reader(CompilerCall& call) : call_(call) {}

  void read(const Words& words) {
    for (std::size_t i = 0; i < words.size(); ++i) {
      const std::string& word = words[i];
      if (word.size() > 1 && word[0] == '-') {
        const bool separate = std::ranges::find(kTakesValue, word) != kTakesValue.end();
        read_option(word, separate && i + 1 < words.size() ? words[i + 1] : std::string());
        i += separate ? 1 : 0;
      } else {
        read_input(word);
      }
    }
    finish();
  }

 private:
  void read_option(std::string_view word, std::string_view value) {
    if (is_query(word)) {
      call_.only_asks = true;
    } else if (word == "-c" || word == "-S" || word == "-E" || word == "-fsyntax-only" ||
               word == "-M" || word == "-MM" || word == "--analyze" || word == "-emit-ast" ||
               word == "--compile" || word == "--assemble" || word == "--preprocess") {
      stops_before_link_ = true;
    } else if (word == "-x" || word == "--language") {
      language_ = value;
    } else if (word.starts_with("-x") && word.size() > 2) {
      language_ = word.substr(2);
    } else if (word.starts_with("-O") && word != "-ObjC" && word != "-ObjC++") {
      call_.optimisation_chosen = true;
    } else if (word == "-r") {
      call_.relocatable = true;
    } else if (word == "-static" || word == "--static" || word == "-static-pie") {
      call_.wants_static = true;
    } else if (word == "-nostdlib" || word == "-nodefaultlibs" || word == "-nolibc") {
      call_.without_libc = true;
    } else if (word == "-ffreestanding") {
      call_.freestanding = true;
    } else if (word == "-fhosted") {
      call_.freestanding = false;
    } else if (word == "-l" || word.starts_with("-l")) {
      names_libc_ |= word == "-lc" || (word == "-l" && value == "c");
      has_input_ = true;
    } else if (word.starts_with("-fsanitize=")) {
      sanitize(word.substr(11), true);
    } else if (word.starts_with("-fno-sanitize=")) {
      sanitize(word.substr(14), false);
    }
  }

  void read_input(std::string_view word) {
    has_input_ = true;
    if (language_.empty() || language_ == "none") {
      call_.compiles |= ends_with_any(word, kSourceEndings);
    } else {
      call_.compiles |= is_instrumented_language(language_);
    }
    has_header_ |=
        language_.ends_with("-header") ||
        (language_.empty() &&
         std::ranges::any_of(std::array<std::string_view, 5>{".h", ".hh", ".hpp", ".hxx", ".H"},
                             [&](auto end) { return word.ends_with(end); }));
  }

  void sanitize(std::string_view names, bool on) {
    for (const std::string_view name : split(names, ',')) {
      if (name == "thread" || (name == "all" && !on)) {
        call_.thread_sanitizer_refused = !on;
      }
      if (name == "all" && !on) {
        call_.sanitizers.clear();
      } else if (name != "thread") {
        std::erase(call_.sanitizers, name);
        if (on) {
          call_.sanitizers.emplace_back(name);
        }
      }
    }
  }

  void finish() {
    call_.only_asks |= !has_input_;
    call_.links = !call_.only_asks && !stops_before_link_ && !has_header_;
    call_.without_libc = call_.without_libc && !names_libc_;
  }

  CompilerCall& call_;
  std::string language_;
  bool stops_before_link_ = false;
  bool has_input_ = false;
  bool has_header_ = false;
  bool names_libc_ = false;
};

// "-fsanitize=thread,undefined" without the thread; empty if nothing is left.
std::string without_thread(const std::string& word) {
  std::vector<std::string_view> kept;
  for (const std::string_view name : split(std::string_view(word).substr(11), ',')) {
    if (name != "thread") {
      kept.push_back(name);
    }
  }
  return kept.empty() ? std::string() : "-fsanitize=" + join(kept, ",");
}

// With these the preprocessor is a process of its own, and the flag we hide from the driver would end there.
bool separates_preprocessor(std::string_view word) {
  return word.starts_with("-save-temps") || word == "--save-temps" || word == "-no-integrated-cpp";
}

// The user's words without what we do ourselves or cannot allow.
Words kept_words(const CompilerCall& call) {
  Words kept;
  for (const std::string& word : call.words) {
    if (call.links && (word == "-static" || word == "--static")) {
      continue;
    }
    if (call.links && call.compiles && separates_preprocessor(word)) {
      continue;
    }
    if (call.links && word == "-static-pie") {
      kept.push_back("-pie");
    } else if (word.starts_with("-fsanitize=")) {
      if (std::string other = without_thread(word); !other.empty()) {
        kept.push_back(std::move(other));
      }
    } else if (call.compiles && word.starts_with("-flto")) {
      continue;  // instrumenting at link time would need the flag there, and with it the real runtime
    } else {
      kept.push_back(word);
    }
  }
  return kept;
}

void add_compile_flags(const CompilerCall& call, CompilerFamily family,
                       const std::filesystem::path& directory, Words& into) {
  into.insert(into.end(), {"-g", "-isystem", (directory / "include").string()});
  if (!call.optimisation_chosen) {
    into.push_back("-O1");
  }
  const bool hide_from_driver = call.links;
  if (family == CompilerFamily::gcc) {
    if (hide_from_driver) {
      into.push_back("-Xpreprocessor");
    }
    into.insert(into.end(), {"-fsanitize=thread", "-fno-tree-loop-im", "-Wno-tsan", "--param",
                             "tsan-distinguish-volatile=1"});
    // gcc keeps static variables in registers across functions that use nothing but atomics and system calls, and breaks locks made
    // of these.
    into.push_back("-fno-ipa-reference");
    // gcc reports no access of what it puts in place of these calls; the functions themselves are seen.
    into.insert(into.end(), {"-fno-builtin-memset", "-fno-builtin-memcpy", "-fno-builtin-memmove"});
    return;
  }
  if (hide_from_driver) {
    into.push_back("-Xclang");
  }
  into.push_back("-fsanitize=thread");
  // LLVM refuses an option of its own that is given twice.
  for (const char* option : {"-disable-licm-promotion", "-tsan-distinguish-volatile"}) {
    if (std::ranges::none_of(call.words,
                             [&](const std::string& word) { return word.starts_with(option); })) {
      into.insert(into.end(), {"-mllvm", option});
    }
  }
}

void add_link_flags(const std::filesystem::path& directory, Words& into) {
  into.insert(into.end(),
              {"-Wl,--push-state,--no-as-needed", (directory / "libheddle_rt.so").string(),
               "-Wl,--whole-archive", (directory / "libheddle_fast.a").string(), "-Wl,--pop-state",
               "-Wl,-rpath," + directory.string()});
}

}  // namespace

Result<CompilerCall> read_compiler_call(const std::vector<std::string>& arguments) {
  CompilerCall call;
  Words all;
  for (const std::string& argument : arguments) {
    Words expanded;
    const bool is_file = expand(argument, 0, expanded);
    all.insert(all.end(), expanded.begin(), expanded.end());
    const bool keep = is_file && std::ranges::none_of(expanded, must_be_seen);
    if (keep) {
      call.words.push_back(argument);
    } else {
      call.words.insert(call.words.end(), expanded.begin(), expanded.end());
    }
  }
  Reader(call).read(all);
  return call;
}

Result<InstrumentedCall> instrument(const CompilerCall& call, CompilerFamily family,
                                    const std::filesystem::path& library_directory) {
  if (call.only_asks || call.freestanding) {
    return InstrumentedCall{call.words, {}};
  }
  const bool compiles = call.compiles && !call.thread_sanitizer_refused;
  for (const std::string& sanitizer : call.sanitizers) {
    if (sanitizer == "address" || sanitizer == "kernel-address" || sanitizer == "hwaddress" ||
        sanitizer == "memory" || sanitizer == "leak") {
      return Error{
          fmt::format("-fsanitize={} cannot be combined with heddle's instrumentation, which takes "
                      "the place of "
                      "-fsanitize=thread; drop it, or keep a file out with -fno-sanitize=thread.",
                      sanitizer)};
    }
  }
  InstrumentedCall result;
  if (compiles) {
    add_compile_flags(call, family, library_directory, result.arguments);
  }
  if (call.links && !call.relocatable && !call.without_libc) {
    add_link_flags(library_directory, result.arguments);
  }
  const Words kept = kept_words(call);
  result.arguments.insert(result.arguments.end(), kept.begin(), kept.end());
  if (call.links && compiles && std::ranges::any_of(call.words, separates_preprocessor)) {
    result.notes.push_back(
        "-save-temps and -no-integrated-cpp are left out of a call that compiles and links; "
        "compile "
        "with -c to keep them.");
  }
  if (call.links && call.wants_static) {
    result.notes.push_back(
        "-static is left out: heddle's runtime is a shared library, since a static program cannot "
        "be controlled.");
  }
  return result;
}

bool family_from_name(std::string_view command, CompilerFamily& family) {
  const std::string_view name = command.substr(command.rfind('/') + 1);
  if (name.find("clang") != std::string_view::npos) {
    family = CompilerFamily::clang;
    return true;
  }
  if (name.find("gcc") != std::string_view::npos || name.find("g++") != std::string_view::npos) {
    family = CompilerFamily::gcc;
    return true;
  }
  return false;
}

CompilerFamily family_from_version(std::string_view text) {
  return text.find("clang") != std::string_view::npos ? CompilerFamily::clang : CompilerFamily::gcc;
}

}  // namespace heddle
