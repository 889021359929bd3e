// The access callbacks that compilers emit, defined once for two places: hidden in the static stubs, exported from the
// shared runtime. Define HEDDLE_ACCESS_ENTRY (linkage and visibility) before including this file, exactly once per library.
//
// Callbacks come before the access. Volatile accesses are accesses: heddle gives them no extra meaning.
#pragma once

#include "runtime/fast/access.h"

#ifndef HEDDLE_ACCESS_ENTRY
#error "say how the access entry points are to be linked"
#endif

namespace heddle::runtime {
inline constexpr Alignment kNatural = Alignment::natural;
inline constexpr Alignment kAny = Alignment::any;
}  // namespace heddle::runtime

// Return address of the entry point: the site in the program.
#define HEDDLE_SITE __builtin_return_address(0)

using heddle::EventKind;
using heddle::runtime::access;
using heddle::runtime::access_range;
using heddle::runtime::kAny;
using heddle::runtime::kNatural;

// read, aligned
HEDDLE_ACCESS_ENTRY void __tsan_read1(void* address) {
  access<1, kNatural>(address, EventKind::read, HEDDLE_SITE);
}
HEDDLE_ACCESS_ENTRY void __tsan_read2(void* address) {
  access<2, kNatural>(address, EventKind::read, HEDDLE_SITE);
}
HEDDLE_ACCESS_ENTRY void __tsan_read4(void* address) {
  access<4, kNatural>(address, EventKind::read, HEDDLE_SITE);
}
HEDDLE_ACCESS_ENTRY void __tsan_read8(void* address) {
  access<8, kNatural>(address, EventKind::read, HEDDLE_SITE);
}
HEDDLE_ACCESS_ENTRY void __tsan_read16(void* address) {
  access<16, kNatural>(address, EventKind::read, HEDDLE_SITE);
}

// read, at any address
HEDDLE_ACCESS_ENTRY void __tsan_unaligned_read2(void* address) {
  access<2, kAny>(address, EventKind::read, HEDDLE_SITE);
}
HEDDLE_ACCESS_ENTRY void __tsan_unaligned_read4(void* address) {
  access<4, kAny>(address, EventKind::read, HEDDLE_SITE);
}
HEDDLE_ACCESS_ENTRY void __tsan_unaligned_read8(void* address) {
  access<8, kAny>(address, EventKind::read, HEDDLE_SITE);
}
HEDDLE_ACCESS_ENTRY void __tsan_unaligned_read16(void* address) {
  access<16, kAny>(address, EventKind::read, HEDDLE_SITE);
}

// write, aligned
HEDDLE_ACCESS_ENTRY void __tsan_write1(void* address) {
  access<1, kNatural>(address, EventKind::write, HEDDLE_SITE);
}
HEDDLE_ACCESS_ENTRY void __tsan_write2(void* address) {
  access<2, kNatural>(address, EventKind::write, HEDDLE_SITE);
}
HEDDLE_ACCESS_ENTRY void __tsan_write4(void* address) {
  access<4, kNatural>(address, EventKind::write, HEDDLE_SITE);
}
HEDDLE_ACCESS_ENTRY void __tsan_write8(void* address) {
  access<8, kNatural>(address, EventKind::write, HEDDLE_SITE);
}
HEDDLE_ACCESS_ENTRY void __tsan_write16(void* address) {
  access<16, kNatural>(address, EventKind::write, HEDDLE_SITE);
}

// write, at any address
HEDDLE_ACCESS_ENTRY void __tsan_unaligned_write2(void* address) {
  access<2, kAny>(address, EventKind::write, HEDDLE_SITE);
}
HEDDLE_ACCESS_ENTRY void __tsan_unaligned_write4(void* address) {
  access<4, kAny>(address, EventKind::write, HEDDLE_SITE);
}
HEDDLE_ACCESS_ENTRY void __tsan_unaligned_write8(void* address) {
  access<8, kAny>(address, EventKind::write, HEDDLE_SITE);
}
HEDDLE_ACCESS_ENTRY void __tsan_unaligned_write16(void* address) {
  access<16, kAny>(address, EventKind::write, HEDDLE_SITE);
}

// read and write, aligned
HEDDLE_ACCESS_ENTRY void __tsan_read_write1(void* address) {
  access<1, kNatural>(address, EventKind::read_write, HEDDLE_SITE);
}
HEDDLE_ACCESS_ENTRY void __tsan_read_write2(void* address) {
  access<2, kNatural>(address, EventKind::read_write, HEDDLE_SITE);
}
HEDDLE_ACCESS_ENTRY void __tsan_read_write4(void* address) {
  access<4, kNatural>(address, EventKind::read_write, HEDDLE_SITE);
}
HEDDLE_ACCESS_ENTRY void __tsan_read_write8(void* address) {
  access<8, kNatural>(address, EventKind::read_write, HEDDLE_SITE);
}
HEDDLE_ACCESS_ENTRY void __tsan_read_write16(void* address) {
  access<16, kNatural>(address, EventKind::read_write, HEDDLE_SITE);
}

// read and write, at any address
HEDDLE_ACCESS_ENTRY void __tsan_unaligned_read_write2(void* address) {
  access<2, kAny>(address, EventKind::read_write, HEDDLE_SITE);
}
HEDDLE_ACCESS_ENTRY void __tsan_unaligned_read_write4(void* address) {
  access<4, kAny>(address, EventKind::read_write, HEDDLE_SITE);
}
HEDDLE_ACCESS_ENTRY void __tsan_unaligned_read_write8(void* address) {
  access<8, kAny>(address, EventKind::read_write, HEDDLE_SITE);
}
HEDDLE_ACCESS_ENTRY void __tsan_unaligned_read_write16(void* address) {
  access<16, kAny>(address, EventKind::read_write, HEDDLE_SITE);
}

// volatile read
HEDDLE_ACCESS_ENTRY void __tsan_volatile_read1(void* address) {
  access<1, kNatural>(address, EventKind::read, HEDDLE_SITE);
}
HEDDLE_ACCESS_ENTRY void __tsan_volatile_read2(void* address) {
  access<2, kNatural>(address, EventKind::read, HEDDLE_SITE);
}
HEDDLE_ACCESS_ENTRY void __tsan_volatile_read4(void* address) {
  access<4, kNatural>(address, EventKind::read, HEDDLE_SITE);
}
HEDDLE_ACCESS_ENTRY void __tsan_volatile_read8(void* address) {
  access<8, kNatural>(address, EventKind::read, HEDDLE_SITE);
}
HEDDLE_ACCESS_ENTRY void __tsan_volatile_read16(void* address) {
  access<16, kNatural>(address, EventKind::read, HEDDLE_SITE);
}

// volatile read, at any address
HEDDLE_ACCESS_ENTRY void __tsan_unaligned_volatile_read1(void* address) {
  access<1, kAny>(address, EventKind::read, HEDDLE_SITE);
}
HEDDLE_ACCESS_ENTRY void __tsan_unaligned_volatile_read2(void* address) {
  access<2, kAny>(address, EventKind::read, HEDDLE_SITE);
}
HEDDLE_ACCESS_ENTRY void __tsan_unaligned_volatile_read4(void* address) {
  access<4, kAny>(address, EventKind::read, HEDDLE_SITE);
}
HEDDLE_ACCESS_ENTRY void __tsan_unaligned_volatile_read8(void* address) {
  access<8, kAny>(address, EventKind::read, HEDDLE_SITE);
}
HEDDLE_ACCESS_ENTRY void __tsan_unaligned_volatile_read16(void* address) {
  access<16, kAny>(address, EventKind::read, HEDDLE_SITE);
}

// volatile write
HEDDLE_ACCESS_ENTRY void __tsan_volatile_write1(void* address) {
  access<1, kNatural>(address, EventKind::write, HEDDLE_SITE);
}
HEDDLE_ACCESS_ENTRY void __tsan_volatile_write2(void* address) {
  access<2, kNatural>(address, EventKind::write, HEDDLE_SITE);
}
HEDDLE_ACCESS_ENTRY void __tsan_volatile_write4(void* address) {
  access<4, kNatural>(address, EventKind::write, HEDDLE_SITE);
}
HEDDLE_ACCESS_ENTRY void __tsan_volatile_write8(void* address) {
  access<8, kNatural>(address, EventKind::write, HEDDLE_SITE);
}
HEDDLE_ACCESS_ENTRY void __tsan_volatile_write16(void* address) {
  access<16, kNatural>(address, EventKind::write, HEDDLE_SITE);
}

// volatile write, at any address
HEDDLE_ACCESS_ENTRY void __tsan_unaligned_volatile_write1(void* address) {
  access<1, kAny>(address, EventKind::write, HEDDLE_SITE);
}
HEDDLE_ACCESS_ENTRY void __tsan_unaligned_volatile_write2(void* address) {
  access<2, kAny>(address, EventKind::write, HEDDLE_SITE);
}
HEDDLE_ACCESS_ENTRY void __tsan_unaligned_volatile_write4(void* address) {
  access<4, kAny>(address, EventKind::write, HEDDLE_SITE);
}
HEDDLE_ACCESS_ENTRY void __tsan_unaligned_volatile_write8(void* address) {
  access<8, kAny>(address, EventKind::write, HEDDLE_SITE);
}
HEDDLE_ACCESS_ENTRY void __tsan_unaligned_volatile_write16(void* address) {
  access<16, kAny>(address, EventKind::write, HEDDLE_SITE);
}

// aggregates: gcc copies them under these
HEDDLE_ACCESS_ENTRY void __tsan_read_range(void* address, unsigned long size) {
  access_range(address, size, EventKind::read_range, HEDDLE_SITE);
}
HEDDLE_ACCESS_ENTRY void __tsan_write_range(void* address, unsigned long size) {
  access_range(address, size, EventKind::write_range, HEDDLE_SITE);
}

// virtual table pointers; a constructor that stores the value already there changes nothing for anybody
HEDDLE_ACCESS_ENTRY void __tsan_vptr_read(void** vptr) {
  access<8, kNatural>(vptr, EventKind::vptr_read, HEDDLE_SITE);
}
HEDDLE_ACCESS_ENTRY void __tsan_vptr_update(void** vptr, void* value) {
  access<8, kNatural>(vptr, *vptr == value ? EventKind::vptr_read : EventKind::vptr_write,
                      HEDDLE_SITE);
}

HEDDLE_ACCESS_ENTRY void __tsan_func_entry(void* call_site) {
  heddle::runtime::enter_function(call_site);
}
HEDDLE_ACCESS_ENTRY void __tsan_func_exit() { heddle::runtime::leave_function(); }
