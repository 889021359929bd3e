// Abstract identity of threads, objects and places (001 3.3): what is the same in every run, and for everything that behaves
// alike.
//
// A thread is its start routine and the first 20 functions it called. A pool's thread is given a new identity with new
// work: the count begins anew when it calls something after it has waited and come back from where it waited.
#pragma once

#include <cstdint>

#include "base/arena.h"
#include "base/key_map.h"
#include "base/per_thread.h"
#include "contract/control_block.h"
#include "contract/event.h"
#include "contract/feature.h"

namespace heddle {

class Identities {
 public:
  // How a live run's addresses are translated. Null: what events carry are identities already.
  struct Translation {
    SiteId (*site)(SiteId site);
    AbstractObject (*object)(std::uint64_t address);
    SiteId (*start_routine)(ThreadId thread);
  };

  constexpr Identities() = default;

  void begin_run(Arena& arena, const Translation& translation, const CoverageArea& area);
  // Follows calls and waits; before metrics look at the event.
  void on(const Event& event);

  std::uint64_t place(SiteId site);
  // Looked up at every call: keep the answer as long as the object lives.
  std::uint64_t object(std::uint64_t address);
  std::uint64_t thread(ThreadId thread);

  // The functions a thread is in, outermost first, each by a place inside it; the innermost one is not among them.
  struct Frame {
    std::uint64_t call_site;   // in the function that called
    std::uint64_t activation;  // counts the thread's calls from 1
  };
  static constexpr std::uint32_t kMostFrames = 48;
  const Frame* frames(ThreadId thread) const;
  std::uint32_t depth(ThreadId thread) const;

  // Makes sure that the area tells what this identity is made of.
  void note_thread(std::uint64_t id, CoverageArea& area);
  void note_object(ObjectId id, CoverageArea& area);

 private:
  struct Person {
    AbstractThread self;
    Frame frames[kMostFrames];
    std::uint64_t calls;
    std::uint32_t depth;
    std::uint32_t waited_at;  // depth plus one at which it last waited; 0: not since
    bool known;
  };
  struct Noted {
    bool in_area;
    AbstractThread* thread;
    AbstractObject object;
  };

  Person* person(ThreadId thread);
  void entered(Person& person, SiteId call_site);

  Arena* arena_ = nullptr;
  Translation translation_ = {};
  KeyMap<Noted> threads_;
  KeyMap<Noted> objects_;
  KeyMap<SiteId> places_;
  MadePerThread<Person, kMaxThreads> people_;
};

}  // namespace heddle
