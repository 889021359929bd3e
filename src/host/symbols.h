// From (module, offset) to what a programmer calls it, through libdw. Modules are opened when first asked about and
// kept open; a look-up then takes about 0.1 ms. Nothing is ever an error: what is not known is empty.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace heddle {

struct Frame {
  std::string function;  // "account::withdraw": no parameters, no return type
  std::string file;      // as the compiler was given it
  int line = 0;
  bool inlined = false;  // into the next frame
};

// "withdraw account.cpp:12", "withdraw" where there is no line, "" for nothing.
std::string show(const Frame& frame);

// What an offset is: a return address belongs to the instruction before it.
enum class CodeAddress : std::uint8_t { return_address, instruction };

class Symbols {
 public:
  Symbols();
  ~Symbols();
  Symbols(const Symbols&) = delete;
  Symbols& operator=(const Symbols&) = delete;

  // Innermost first; all but the last were inlined. Empty if nothing is known. Offsets are the file's own addresses
  // (run-time address minus load bias), as in SiteId and ObjectId.
  std::vector<Frame> frames(const std::filesystem::path& module, std::uint64_t offset,
                            CodeAddress kind = CodeAddress::return_address);

  // The innermost frame, shown; empty if nothing is known.
  std::string place(const std::filesystem::path& module, std::uint64_t offset,
                    CodeAddress kind = CodeAddress::return_address);

  // "counter", "table[3].next", "buffer+24": a global, static or thread-local variable. Empty if nothing is known.
  std::string data(const std::filesystem::path& module, std::uint64_t offset);

  // "channel.users": a variable on the stack of `function`, by its distance from the frame's canonical address. Empty if
  // nothing is known.
  std::string local(const std::filesystem::path& module, const std::string& function,
                    std::int64_t offset);

 private:
  class Module;
  Module& module(const std::filesystem::path& path);

  std::map<std::filesystem::path, std::unique_ptr<Module>> modules_;
};

}  // namespace heddle
