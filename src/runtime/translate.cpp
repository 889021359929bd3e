#include "runtime/translate.h"

#include "runtime/context.h"
#include "runtime/detection.h"
#include "runtime/identity.h"
#include "runtime/mode.h"

namespace heddle::runtime {

// Puts a stack into the control block: the place, then the calls of that context. 0 if there is no room.
static std::uint16_t keep_stack(SiteId place, ContextNumber number) {
  const Context* const context = find_context(number);
  if (context == nullptr || g_control->stack_count >= kStackCapacity) return 0;
  StackRecord& stack = g_control->stacks[g_control->stack_count++];
  stack.frame_count = 0;
  if (place.value != 0) stack.frames[stack.frame_count++] = place;
  for (std::size_t i = 0; i < context->frame_count; ++i) {
    const SiteId call = site_of(context->frames[i]);
    if (call.value != 0) stack.frames[stack.frame_count++] = call;
  }
  stack.lock_count = context->lock_count;
  stack.shared_locks = context->shared_locks;
  for (std::size_t i = 0; i < context->lock_count; ++i) {
    stack.locks[i] = object_of(reinterpret_cast<const void*>(context->locks[i]));
    stack.lock_sites[i] = found_site(context->lock_sites[i]);
  }
  return static_cast<std::uint16_t>(g_control->stack_count);
}

void translate(Finding& finding) {
  const ContextNumber first = context_of(finding.first_site.value);
  const ContextNumber second = context_of(finding.second_site.value);
  finding.first_site = found_site(finding.first_site);
  finding.second_site = found_site(finding.second_site);
  finding.begun_site = found_site(finding.begun_site);
  finding.first_stack = keep_stack(finding.first_site, first);
  finding.second_stack = keep_stack(finding.second_site, second);
  finding.first_thread_stack = keep_stack({}, creation_context(finding.first_thread));
  finding.second_thread_stack = keep_stack({}, creation_context(finding.second_thread));
  const auto* const address = reinterpret_cast<const void*>(finding.object.value);
  if (const HeapBlock* const block = find_block(address)) {
    finding.block_stack =
        keep_stack(block->site, block_context(reinterpret_cast<const void*>(block->start)));
  }
  finding.object = object_of(address);
}

void translate(LockEdge& edge) {
  const auto object = [](ObjectId address) {
    return object_of(reinterpret_cast<const void*>(address.value));
  };
  if (const Context* const context = find_context(context_of(edge.site.value))) {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < context->frame_count && kept < kEdgeCalls; ++i) {
      const SiteId call = site_of(context->frames[i]);
      if (call.value != 0) edge.calls[kept++] = call;
    }
  }
  edge.from = object(edge.from);
  edge.to = object(edge.to);
  edge.from_site = found_site(edge.from_site);
  edge.site = found_site(edge.site);
  for (std::size_t i = 0; i < edge.gate_count; ++i) edge.gates[i] = object(edge.gates[i]);
}

}  // namespace heddle::runtime
