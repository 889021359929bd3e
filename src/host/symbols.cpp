#include "host/symbols.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>
#include <fmt/core.h>

#include <map>
#include <optional>
#include <string_view>

#include "host/demangle.h"
#include "host/functions.h"
#include "host/locals.h"
#include "host/variables.h"

namespace heddle {
namespace {

std::string function_name(Dwarf_Die& die) {
  Dwarf_Attribute attribute;
  for (const unsigned name : {DW_AT_linkage_name, DW_AT_MIPS_linkage_name}) {
    if (dwarf_attr_integrate(&die, name, &attribute) != nullptr) {
      if (const char* text = dwarf_formstring(&attribute); text != nullptr) {
        return short_function_name(demangle(text));
      }
    }
  }
  const char* text = dwarf_diename(&die);
  return text == nullptr ? std::string() : text;
}

// Where an inlined call stands in its caller.
void read_call_site(Dwarf_Die& unit, Dwarf_Die& inlined, Frame& caller) {
  Dwarf_Attribute attribute;
  Dwarf_Word value = 0;
  Dwarf_Files* files = nullptr;
  if (dwarf_formudata(dwarf_attr(&inlined, DW_AT_call_line, &attribute), &value) == 0) {
    caller.line = static_cast<int>(value);
  }
  if (dwarf_formudata(dwarf_attr(&inlined, DW_AT_call_file, &attribute), &value) == 0 &&
      dwarf_getsrcfiles(&unit, &files, nullptr) == 0) {
    if (const char* file = dwarf_filesrc(files, value, nullptr, nullptr); file != nullptr) {
      caller.file = file;
    }
  }
}

bool is_there(const std::filesystem::path& path) {
  std::error_code ignored;
  return std::filesystem::exists(path, ignored);
}

// As libdw looks by itself, but only on this machine: where nothing is found here it would load a client, with all of its libraries,
// that may then ask servers.
int find_debug_info(Dwfl_Module* module, void** user_data, const char* name, Dwarf_Addr base,
                    const char* file, const char* link, GElf_Word checksum, char** found) {
  const int by_id =
      dwfl_build_id_find_debuginfo(module, user_data, name, base, file, link, checksum, found);
  if (by_id >= 0 || file == nullptr || link == nullptr) return by_id;
  const std::filesystem::path directory = std::filesystem::path(file).parent_path();
  const bool here = is_there(directory / link) || is_there(directory / ".debug" / link) ||
                    is_there("/usr/lib/debug" / directory.relative_path() / link);
  if (!here) return -1;
  return dwfl_standard_find_debuginfo(module, user_data, name, base, file, link, checksum, found);
}

}  // namespace

class Symbols::Module {
 public:
  explicit Module(const std::filesystem::path& path) {
    static const Dwfl_Callbacks kCallbacks{.find_elf = dwfl_build_id_find_elf,
                                           .find_debuginfo = find_debug_info,
                                           .section_address = dwfl_offline_section_address,
                                           .debuginfo_path = nullptr};
    dwfl_ = dwfl_begin(&kCallbacks);
    module_ = dwfl_report_offline(dwfl_, path.c_str(), path.c_str(), -1);
    dwfl_report_end(dwfl_, nullptr, nullptr);
    if (module_ != nullptr && dwfl_module_getelf(module_, &bias_) == nullptr) {
      module_ = nullptr;
    }
  }
  Module(const Module&) = delete;
  ~Module() { dwfl_end(dwfl_); }

  // The same few places are asked for again and again.
  const std::vector<Frame>& frames(std::uint64_t pc) {
    const auto [at, fresh] = known_frames_.try_emplace(pc);
    if (fresh) at->second = find_frames(pc);
    return at->second;
  }

  const std::string& data(std::uint64_t address) {
    const auto [at, fresh] = known_data_.try_emplace(address);
    if (fresh) at->second = find_data(address);
    return at->second;
  }

  std::string local(const std::string& function, std::int64_t offset) {
    if (module_ == nullptr) return {};
    const auto known = locals_.find(function);
    if (known != locals_.end()) return known->second.name(offset);
    return locals_.try_emplace(function, module_, function.c_str()).first->second.name(offset);
  }

 private:
  std::vector<Frame> find_frames(std::uint64_t pc) {
    std::vector<Frame> result;
    if (module_ == nullptr) {
      return result;
    }
    Frame frame;
    if (Dwfl_Line* line = dwfl_module_getsrc(module_, pc + bias_); line != nullptr) {
      const char* file = dwfl_lineinfo(line, nullptr, &frame.line, nullptr, nullptr, nullptr);
      frame.file = file != nullptr ? file : "";
    }
    Dwarf_Addr dwarf_bias = 0;
    if (Dwarf_Die* unit = find_unit(pc, dwarf_bias); unit != nullptr) {
      const std::uint64_t dwarf_pc = pc + bias_ - dwarf_bias;
      if (frame.line == 0) {
        read_line(*unit, dwarf_pc, frame);
      }
      for (Dwarf_Die& call : functions(*unit).at(dwarf_pc)) {
        frame.function = function_name(call);
        frame.inlined = dwarf_tag(&call) == DW_TAG_inlined_subroutine;
        result.push_back(frame);
        if (!frame.inlined) {
          return result;
        }
        frame = Frame{};
        read_call_site(*unit, call, frame);
      }
    }
    if (const char* name = dwfl_module_addrname(module_, pc + bias_); name != nullptr) {
      frame.function = short_function_name(demangle(name));
      frame.inlined = false;
      result.push_back(frame);
    }
    return result;
  }

  std::string find_data(std::uint64_t address) {
    if (module_ == nullptr) {
      return {};
    }
    if (!variables_) {
      variables_.emplace(module_);
    }
    if (std::string name = variables_->name(address); !name.empty()) {
      return name;
    }
    GElf_Off offset = 0;
    GElf_Sym symbol;
    const char* name =
        dwfl_module_addrinfo(module_, address + bias_, &offset, &symbol, nullptr, nullptr, nullptr);
    if (name == nullptr || (symbol.st_size != 0 && offset >= symbol.st_size)) {
      return {};
    }
    return offset == 0 ? demangle(name) : fmt::format("{}+{}", demangle(name), offset);
  }

  Dwarf_Die* find_unit(std::uint64_t pc, Dwarf_Addr& dwarf_bias) {
    Dwarf_Die* unit = dwfl_module_addrdie(module_, pc + bias_, &dwarf_bias);
    if (unit != nullptr) {
      return unit;
    }
    // clang writes no address ranges table; look into every unit.
    while ((unit = dwfl_module_nextcu(module_, unit, &dwarf_bias)) != nullptr) {
      if (dwarf_haspc(unit, pc + bias_ - dwarf_bias) == 1) {
        return unit;
      }
    }
    return nullptr;
  }

  const Functions& functions(Dwarf_Die& unit) {
    return functions_.try_emplace(dwarf_dieoffset(&unit), unit).first->second;
  }

  static void read_line(Dwarf_Die& unit, std::uint64_t pc, Frame& frame) {
    Dwarf_Line* line = dwarf_getsrc_die(&unit, pc);
    if (line == nullptr || dwarf_lineno(line, &frame.line) != 0) {
      return;
    }
    const char* file = dwarf_linesrc(line, nullptr, nullptr);
    frame.file = file != nullptr ? file : "";
  }

  Dwfl* dwfl_ = nullptr;
  Dwfl_Module* module_ = nullptr;
  GElf_Addr bias_ = 0;  // libdw's own placing of the module
  std::optional<Variables> variables_;
  std::map<std::uint64_t, std::vector<Frame>> known_frames_;
  std::map<std::uint64_t, std::string> known_data_;
  std::map<std::string, Locals> locals_;      // by function
  std::map<Dwarf_Off, Functions> functions_;  // by unit
};

Symbols::Symbols() = default;
Symbols::~Symbols() = default;

Symbols::Module& Symbols::module(const std::filesystem::path& path) {
  std::unique_ptr<Module>& place = modules_[path];
  if (place == nullptr) {
    place = std::make_unique<Module>(path);
  }
  return *place;
}

std::vector<Frame> Symbols::frames(const std::filesystem::path& path, std::uint64_t offset,
                                   CodeAddress kind) {
  const bool step_back = kind == CodeAddress::return_address && offset > 0;
  return module(path).frames(step_back ? offset - 1 : offset);
}

std::string Symbols::place(const std::filesystem::path& path, std::uint64_t offset,
                           CodeAddress kind) {
  const std::vector<Frame> all = frames(path, offset, kind);
  return all.empty() ? std::string() : show(all.front());
}

std::string Symbols::data(const std::filesystem::path& path, std::uint64_t offset) {
  return module(path).data(offset);
}

std::string Symbols::local(const std::filesystem::path& path, const std::string& function,
                           std::int64_t offset) {
  return module(path).local(function, offset);
}

std::string show(const Frame& frame) {
  if (frame.line == 0) {
    return frame.function;
  }
  const std::string_view file = std::string_view(frame.file).substr(frame.file.rfind('/') + 1);
  return frame.function.empty() ? fmt::format("{}:{}", file, frame.line)
                                : fmt::format("{} {}:{}", frame.function, file, frame.line);
}

}  // namespace heddle
