#include "coverage/identities.h"

#include "analysis/effect.h"

namespace heddle {

namespace {

bool waits_for_work(const Event& event) {
  return is_wait(event.kind) || takes_semaphore(event.kind) ||
         event.kind == EventKind::futex_wait || event.kind == EventKind::barrier_wait;
}

std::uint64_t identity_of(const AbstractThread& thread) {
  std::uint64_t hash = combine(1, thread.start.value);
  for (std::uint64_t i = 0; i < thread.call_count; ++i) hash = combine(hash, thread.calls[i].value);
  return hash;
}

}  // namespace

void Identities::begin_run(Arena& arena, const Translation& translation, const CoverageArea& area) {
  arena_ = &arena;
  translation_ = translation;
  people_.begin_run(arena);
  threads_.begin_run(arena);
  objects_.begin_run(arena);
  places_.begin_run(arena);
  for (std::uint64_t i = 0; i < area.thread_count && i < kAbstractThreads; ++i) {
    if (Noted* const noted = threads_.find_or_make(area.threads[i].id)) noted->in_area = true;
  }
  for (std::uint64_t i = 0; i < area.object_count && i < kAbstractObjects; ++i) {
    if (Noted* const noted = objects_.find_or_make(area.objects[i].id.value)) noted->in_area = true;
  }
}

Identities::Person* Identities::person(ThreadId thread) {
  Person* person = people_.find(thread.value);
  if (person != nullptr) return person;
  person = people_.make(thread.value);
  if (person == nullptr) return nullptr;
  if (translation_.start_routine != nullptr) {
    person->self.start = translation_.start_routine(thread);
  }
  person->self.id = identity_of(person->self);
  return person;
}

void Identities::entered(Person& person, SiteId call_site) {
  ++person.calls;
  if (person.depth < kMostFrames) person.frames[person.depth] = {place(call_site), person.calls};
  // It waited further in, came back, and now does something else: new work.
  if (person.waited_at > person.depth + 1) {
    person.self.call_count = 0;
    person.waited_at = 0;
    person.self.id = identity_of(person.self);
    person.known = false;
  }
  ++person.depth;
  AbstractThread& self = person.self;
  if (self.call_count == kFirstCalls) return;
  self.calls[self.call_count++] = SiteId{place(call_site)};
  self.id = identity_of(self);
  person.known = false;
}

void Identities::on(const Event& event) {
  const bool calls =
      event.kind == EventKind::function_enter || event.kind == EventKind::function_exit;
  if (!calls && !waits_for_work(event)) return;
  Person* const who = person(event.thread);
  if (who == nullptr) return;
  if (event.kind == EventKind::function_enter) {
    entered(*who, event.site);
  } else if (event.kind == EventKind::function_exit) {
    if (who->depth > 0) --who->depth;
  } else {
    who->waited_at = who->depth + 1;
  }
}

std::uint64_t Identities::place(SiteId site) {
  if (translation_.site == nullptr) return site.value;
  SiteId* const known = places_.find_or_make(site.value);
  if (known == nullptr) return translation_.site(site).value;
  if (known->value == 0) *known = translation_.site(site);
  return known->value;
}

std::uint64_t Identities::object(std::uint64_t address) {
  if (translation_.object == nullptr) return address;
  const AbstractObject object = translation_.object(address);
  const ObjectKind kind = object_kind(object.id);
  if (kind == ObjectKind::heap || kind == ObjectKind::stack) {
    if (Noted* const noted = objects_.find_or_make(object.id.value)) noted->object = object;
  }
  return object.id.value;
}

std::uint64_t Identities::thread(ThreadId thread) {
  Person* const who = person(thread);
  if (who == nullptr) return 0;
  if (!who->known) {
    who->known = true;
    Noted* const noted = threads_.find_or_make(who->self.id);
    if (noted != nullptr && !noted->in_area && noted->thread == nullptr) {
      noted->thread = arena_->make<AbstractThread>();
      if (noted->thread != nullptr) *noted->thread = who->self;
    }
  }
  return who->self.id;
}

const Identities::Frame* Identities::frames(ThreadId thread) const {
  const Person* const who = people_.find(thread.value);
  return who == nullptr ? nullptr : who->frames;
}

std::uint32_t Identities::depth(ThreadId thread) const {
  const Person* const who = people_.find(thread.value);
  if (who == nullptr) return 0;
  return who->depth < kMostFrames ? who->depth : kMostFrames;
}

void Identities::note_thread(std::uint64_t id, CoverageArea& area) {
  Noted* const noted = threads_.find(id);
  if (noted == nullptr || noted->in_area || noted->thread == nullptr) return;
  if (area.thread_count >= kAbstractThreads) return;
  area.threads[area.thread_count++] = *noted->thread;
  noted->in_area = true;
}

void Identities::note_object(ObjectId id, CoverageArea& area) {
  Noted* const noted = objects_.find(id.value);
  if (noted == nullptr || noted->in_area || area.object_count >= kAbstractObjects) return;
  area.objects[area.object_count++] = noted->object;
  noted->in_area = true;
}

}  // namespace heddle
