#include "campaign/explain_names.h"

#include <unistd.h>

#include <fmt/core.h>

#include <algorithm>

#include "contract/descriptor_kind.h"

namespace heddle::campaign {

namespace {

std::string descriptor_name(ObjectId object) {
  const std::uint32_t number = descriptor_number(object);
  switch (descriptor_kind(object)) {
    case DescriptorKind::pipe:
      return fmt::format("pipe {}", number);
    case DescriptorKind::socket:
      return fmt::format("socket {}", number);
    case DescriptorKind::event_counter:
      return fmt::format("eventfd {}", number);
    case DescriptorKind::set:
      return fmt::format("epoll set {}", number);
    case DescriptorKind::semaphores:
      return fmt::format("semaphore {} of set {}", number & 0xffff, number >> 16);
    case DescriptorKind::several:
      return "several descriptors";
    case DescriptorKind::other:
      break;
  }
  if (number == STDOUT_FILENO) return "standard output";
  if (number == STDERR_FILENO) return "standard error";
  return fmt::format("descriptor {}", number);
}

}  // namespace

void EventNames::learn_threads(std::span<const Event> events) {
  for (const Event& event : events) {
    if (event.kind == EventKind::thread_create) {
      objects_[event.object] = fmt::format("T{}", event.value);
    }
  }
}

std::string EventNames::thread(ThreadId thread) {
  if (thread.value == 0) return "main";
  if (thread.value < threads_.size()) {
    std::string name = sites_.function(threads_[thread.value].start_routine);
    // libstdc++'s own function starts every std::thread: it says nothing.
    if (!name.empty() && !name.starts_with("execute_native_thread") && !name.starts_with("std::")) {
      return fmt::format("T{} {}", thread.value, name);
    }
  }
  return fmt::format("T{}", thread.value);
}

const std::string& EventNames::object(ObjectId object) {
  const auto [at, fresh] = objects_.try_emplace(object);
  if (fresh) at->second = look_up(object);
  return at->second;
}

std::string EventNames::look_up(ObjectId object) {
  const std::uint64_t rest = object.value & 0x0fff'ffff'ffff'ffffULL;
  switch (object_kind(object)) {
    case ObjectKind::none:
      return "memory";
    case ObjectKind::global: {
      const std::uint64_t module = rest >> 48;
      const std::uint64_t offset = rest & 0xffff'ffff'ffffULL;
      // Of what is the runtime's own, only threads are ever waited for; this one's beginning is not in the trace.
      if (module >= modules_.size()) return "a thread";
      if (std::string name = sites_.variable(object); !name.empty()) return name;
      std::string_view path = modules_[module].path;
      path.remove_prefix(path.rfind('/') + 1);  // npos + 1 is 0
      return fmt::format("{}+{:#x}", path, offset);
    }
    case ObjectKind::heap: {
      const std::uint64_t hash = rest >> 24;
      const std::uint64_t offset = rest & 0xff'ffff;
      const std::string behind = offset == 0 ? "" : fmt::format("+{}", offset);
      const auto found = std::ranges::find_if(heap_.blocks, [&](const HeapRecord& record) {
        return (record.block_hash & 0xf'ffff'ffffULL) == hash;
      });
      if (found == heap_.blocks.end()) return fmt::format("heap {:x}{}", hash & 0xffff, behind);
      const bool has_calls = found->calls != 0 && found->calls <= heap_.calls.size();
      const std::string place =
          sites_.allocation(found->site, has_calls ? &heap_.calls[found->calls - 1] : nullptr);
      // "file:line" of "function file:line"
      return fmt::format("[{} B from {}]{}", found->size, place.substr(place.rfind(' ') + 1),
                         behind);
    }
    case ObjectKind::stack: {
      const std::uint64_t owner = rest >> 44;
      const std::uint64_t below = rest & 0xfff'ffff'ffffULL;
      if (std::string name = sites_.variable(object); !name.empty()) return name;
      return fmt::format("local {:#x} of {}", below,
                         owner == 0 ? "main" : fmt::format("T{}", owner));
    }
    case ObjectKind::other:
      return fmt::format("memory {:#x}", rest);
    case ObjectKind::thread:
      return rest == 0 ? "main" : fmt::format("T{}", rest);
    case ObjectKind::clock:
      return "the clock";
    case ObjectKind::descriptor:
      return descriptor_name(object);
  }
  return "memory";
}

std::string EventNames::function_of(const std::string& text) {
  if (text == "unknown place") return {};
  // "function file:line"; a function's name may hold spaces of its own.
  const std::size_t space = text.rfind(' ');
  if (space == std::string::npos) return text.find('+') == std::string::npos ? text : std::string();
  return text.substr(0, space);
}

std::string EventNames::line(SiteId site) {
  return site.value == 0 ? std::string() : line_of(place(site));
}

std::string EventNames::line_of(const std::string& place) {
  const std::size_t space = place.rfind(' ');
  return space == std::string::npos ? std::string() : place.substr(space + 1);
}

}  // namespace heddle::campaign
