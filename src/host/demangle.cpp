#include "host/demangle.h"

#include <cxxabi.h>

#include <cstdlib>
#include <vector>

namespace heddle {
namespace {

// Tells brackets that group from the same characters in an operator's name.
bool is_operator_sign(std::string_view text, std::size_t at) {
  std::size_t start = at;
  while (start > 0 &&
         std::string_view("<>=-()[]").find(text[start - 1]) != std::string_view::npos) {
    --start;
  }
  const std::string_view sign = text.substr(start, 2);
  const std::size_t length = sign == "()" || sign == "[]" ? 2 : 3;
  return start >= 8 && text.substr(start - 8, 8) == "operator" && at - start < length;
}

// A container of containers has a name of several lines; what it is of does not say where one is.
std::string without_long_arguments(std::string_view name) {
  constexpr std::size_t kMost = 60;
  std::string result;
  std::size_t begin = 0;
  int depth = 0;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const bool opens = name[i] == '<';
    if ((!opens && name[i] != '>') || is_operator_sign(name, i)) {
      if (depth == 0) result += name[i];
      continue;
    }
    if (!opens && depth == 0) return std::string(name);
    if (opens && depth++ == 0) begin = i;
    if (opens || --depth > 0) continue;
    const std::string_view arguments = name.substr(begin, i + 1 - begin);
    result += arguments.size() > kMost ? "<\u2026>" : arguments;
  }
  return depth == 0 ? result : std::string(name);
}

}  // namespace

std::string demangle(const std::string& name) {
  int status = 0;
  char* text = abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status);
  if (status != 0 || text == nullptr) {
    return name;
  }
  std::string result(text);
  std::free(text);
  constexpr std::string_view kString =
      "std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> >";
  for (std::size_t at = 0; (at = result.find(kString, at)) != std::string::npos;) {
    result.replace(at, kString.size(), "std::string");
  }
  // The library's own tag on names that std::string is part of; nobody wrote it.
  constexpr std::string_view kTag = "[abi:cxx11]";
  for (std::size_t at = 0; (at = result.find(kTag, at)) != std::string::npos;) {
    result.erase(at, kTag.size());
  }
  return result;
}

std::string short_function_name(std::string_view demangled) {
  // The parameters are the last group of parentheses outside all other brackets; the name begins after the last space
  // outside all brackets before them.
  std::size_t parameters = std::string_view::npos;
  int depth = 0;
  for (std::size_t i = 0; i < demangled.size(); ++i) {
    const char c = demangled[i];
    if (c == '(' || c == '<' || c == '{' || c == '[') {
      const bool call_operator = c == '(' && i >= 8 && demangled.substr(i - 8, 8) == "operator" &&
                                 demangled.substr(i, 2) == "()";
      if (call_operator) {
        ++i;
        continue;
      }
      if (c != '(' && is_operator_sign(demangled, i)) {
        continue;
      }
      if (c == '(' && depth == 0 && i > 0) {
        parameters = i;
      }
      ++depth;
    } else if (c == ')' || c == '>' || c == '}' || c == ']') {
      if (c == '>' && is_operator_sign(demangled, i)) {
        continue;
      }
      --depth;
    }
  }
  if (parameters == std::string_view::npos) {
    return without_long_arguments(demangled);
  }
  // "f()::g(int)" is a name inside f: what was found must end the text, but for " const" and the like.
  std::string_view name = demangled.substr(0, parameters);
  std::size_t begin = 0;
  depth = 0;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const char c = name[i];
    if (c == '(' || c == '<' || c == '{') {
      depth += is_operator_sign(name, i) ? 0 : 1;
    } else if (c == ')' || c == '>' || c == '}') {
      depth -= is_operator_sign(name, i) ? 0 : 1;
    } else if (c == ' ' && depth == 0 && !name.substr(0, i).ends_with("operator")) {
      begin = i + 1;
    }
  }
  return without_long_arguments(name.substr(begin));
}

}  // namespace heddle
