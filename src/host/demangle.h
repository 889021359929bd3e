// C++ names as people write them.
#pragma once

#include <string>
#include <string_view>

namespace heddle {

// The whole declaration: "ns::f<int>(int) const". A name that is not mangled comes back as it is.
std::string demangle(const std::string& name);

// Without return type and parameters: "ns::f<int>". For lines that must stay short.
std::string short_function_name(std::string_view demangled);

}  // namespace heddle
