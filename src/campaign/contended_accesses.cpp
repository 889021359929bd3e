#include "campaign/contended_accesses.h"

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <vector>

namespace heddle::campaign {
namespace {

using Number = decltype(AccessProfile::site_number);

bool about_threads(EventKind kind) {
  return kind >= EventKind::thread_create && kind <= EventKind::thread_cancel;
}

// Giving back a lock, making or destroying an object: nobody races for these.
bool decides_nothing(EventKind kind) {
  switch (kind) {
    case EventKind::mutex_unlock:
    case EventKind::spin_unlock:
    case EventKind::rwlock_unlock:
    case EventKind::mutex_init:
    case EventKind::mutex_destroy:
    case EventKind::rwlock_init:
    case EventKind::rwlock_destroy:
    case EventKind::cond_init:
    case EventKind::cond_destroy:
    case EventKind::barrier_init:
    case EventKind::barrier_destroy:
    case EventKind::sem_init:
    case EventKind::sem_destroy:
      return true;
    default:
      return about_threads(kind);
  }
}

struct Use {
  std::uint64_t path_hash = 0;
  bool by_two = false;
  bool only_read = true;
};

std::map<ObjectId, Use> uses_of(std::span<const AccessProfile> accesses) {
  std::map<ObjectId, Use> uses;
  for (const AccessProfile& access : accesses) {
    if (decides_nothing(access.kind)) continue;
    const auto [at, fresh] = uses.try_emplace(access.object);
    Use& use = at->second;
    if (fresh) use.path_hash = access.path_hash;
    use.by_two = use.by_two || use.path_hash != access.path_hash;
    use.only_read = use.only_read && is_read_only(access.kind);
  }
  return uses;
}

// The next free number, or 0 when they have run out.
Number next_number(std::size_t used) {
  return used < std::numeric_limits<Number>::max() ? static_cast<Number>(used + 1) : Number{0};
}

void number_sites(std::span<AccessProfile> accesses) {
  // A thread's first contended operation stands before no window of its own.
  std::set<std::uint64_t> begun;
  std::set<SiteId> inside;
  for (const AccessProfile& access : accesses) {
    if (access.object_number == 0) continue;
    if (!begun.insert(access.path_hash).second) inside.insert(access.site);
  }
  std::map<SiteId, Number> numbers;
  for (const bool want_inside : {true, false}) {
    for (const AccessProfile& access : accesses) {
      if (access.object_number == 0 || inside.contains(access.site) != want_inside) continue;
      numbers.try_emplace(access.site, next_number(numbers.size()));
    }
  }
  for (AccessProfile& access : accesses) {
    if (access.object_number != 0) access.site_number = numbers[access.site];
  }
}

}  // namespace

void number_contended(std::span<AccessProfile> accesses, std::span<const ThreadProfile> profile) {
  std::map<std::uint64_t, Number> threads;
  for (std::size_t i = 0; i < profile.size(); ++i) {
    threads.try_emplace(profile[i].path_hash, next_number(i));
  }
  const std::map<ObjectId, Use> uses = uses_of(accesses);
  std::map<ObjectId, Number> objects;
  for (AccessProfile& access : accesses) {
    access.site_number = access.object_number = access.thread_number = 0;
    if (const auto at = threads.find(access.path_hash); at != threads.end()) {
      access.thread_number = at->second;
    }
    if (decides_nothing(access.kind)) continue;
    const Use& use = uses.at(access.object);
    if (!use.by_two || use.only_read) continue;
    access.object_number =
        objects.try_emplace(access.object, next_number(objects.size())).first->second;
  }
  number_sites(accesses);
}

std::uint32_t contended_sites(std::span<const AccessProfile> accesses) {
  std::uint32_t sites = 0;
  for (const AccessProfile& access : accesses) {
    sites = std::max<std::uint32_t>(sites, access.site_number);
  }
  return sites;
}

}  // namespace heddle::campaign
