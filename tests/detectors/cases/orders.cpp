// Memory orders and fences: who publishes what to whom.
#include <atomic>
#include <cstdint>
#include <thread>

#include "cases.h"

// Not an unnamed namespace: what nobody else can see, the optimiser takes away.
namespace cases {

using std::memory_order_acq_rel;
using std::memory_order_acquire;
using std::memory_order_consume;
using std::memory_order_relaxed;
using std::memory_order_release;
using std::memory_order_seq_cst;

int seen;

// Ends when the flag has that value, by whatever order it is read.
void await(const std::atomic<int>& flag, int wanted, std::memory_order order) {
  while (flag.load(order) != wanted) std::this_thread::yield();
}

// CASE   release_acquire
// FINDS  nothing
int by_release;
std::atomic<int> release_flag;
void release_acquire() {
  both(
      [] {
        by_release = 1;
        release_flag.store(1, memory_order_release);
      },
      [] {
        await(release_flag, 1, memory_order_acquire);
        seen = by_release;
      });
}

// CASE   release_consume
// FINDS  nothing
int by_consume;
std::atomic<int> consume_flag;
void release_consume() {
  both(
      [] {
        by_consume = 1;
        consume_flag.store(1, memory_order_release);
      },
      [] {
        await(consume_flag, 1, memory_order_consume);
        seen = by_consume;
      });
}

// CASE   sequentially_consistent
// FINDS  nothing
int by_default_order;
std::atomic<int> default_flag;
void sequentially_consistent() {
  both(
      [] {
        by_default_order = 1;
        default_flag = 1;
      },
      [] {
        await(default_flag, 1, memory_order_seq_cst);
        seen = by_default_order;
      });
}

// CASE   relaxed_publication
// FINDS  race by_relaxed
int by_relaxed;
std::atomic<int> relaxed_flag;
void relaxed_publication() {
  both(
      [] {
        by_relaxed = 1;
        relaxed_flag.store(1, memory_order_relaxed);
      },
      [] {
        await(relaxed_flag, 1, memory_order_relaxed);
        seen = by_relaxed;
      });
}

// CASE   release_met_by_relaxed
// FINDS  race half_ordered
int half_ordered;
std::atomic<int> half_flag;
void release_met_by_relaxed() {
  both(
      [] {
        half_ordered = 1;
        half_flag.store(1, memory_order_release);
      },
      [] {
        await(half_flag, 1, memory_order_relaxed);
        seen = half_ordered;
      });
}

// CASE   fences_around_relaxed
// FINDS  nothing
int by_fences;
std::atomic<int> fenced_flag;
void fences_around_relaxed() {
  both(
      [] {
        by_fences = 1;
        std::atomic_thread_fence(memory_order_release);
        fenced_flag.store(1, memory_order_relaxed);
      },
      [] {
        await(fenced_flag, 1, memory_order_relaxed);
        std::atomic_thread_fence(memory_order_acquire);
        seen = by_fences;
      });
}

// CASE   release_fence_alone
// FINDS  race by_one_fence
int by_one_fence;
std::atomic<int> one_fence_flag;
void release_fence_alone() {
  both(
      [] {
        by_one_fence = 1;
        std::atomic_thread_fence(memory_order_release);
        one_fence_flag.store(1, memory_order_relaxed);
      },
      [] {
        await(one_fence_flag, 1, memory_order_relaxed);
        seen = by_one_fence;
      });
}

// CASE   fence_before_the_load
// FINDS  race by_early_fence
int by_early_fence;
std::atomic<int> early_fence_flag;
void fence_before_the_load() {
  both(
      [] {
        by_early_fence = 1;
        early_fence_flag.store(1, memory_order_release);
      },
      [] {
        std::atomic_thread_fence(memory_order_acquire);
        await(early_fence_flag, 1, memory_order_relaxed);
        seen = by_early_fence;
      });
}

// CASE   release_sequence
// FINDS  nothing
int through_sequence;
std::atomic<int> sequence;
void release_sequence() {
  std::thread middle([] {
    await(sequence, 1, memory_order_relaxed);
    sequence.fetch_add(1, memory_order_relaxed);
  });
  both(
      [] {
        through_sequence = 1;
        sequence.store(1, memory_order_release);
      },
      [] {
        await(sequence, 2, memory_order_acquire);
        seen = through_sequence;
      });
  middle.join();
}

// CASE   broken_sequence
// FINDS  race beyond_sequence
int beyond_sequence;
std::atomic<int> interrupted;
void broken_sequence() {
  std::thread middle([] {
    await(interrupted, 1, memory_order_relaxed);
    interrupted.store(2, memory_order_relaxed);
  });
  both(
      [] {
        beyond_sequence = 1;
        interrupted.store(1, memory_order_release);
      },
      [] {
        await(interrupted, 2, memory_order_acquire);
        seen = beyond_sequence;
      });
  middle.join();
}

// CASE   transitive
// FINDS  nothing
int handed_on;
std::atomic<int> first_step;
std::atomic<int> second_step;
void transitive() {
  std::thread middle([] {
    await(first_step, 1, memory_order_acquire);
    second_step.store(1, memory_order_release);
  });
  both(
      [] {
        handed_on = 1;
        first_step.store(1, memory_order_release);
      },
      [] {
        await(second_step, 1, memory_order_acquire);
        seen = handed_on;
      });
  middle.join();
}

// CASE   seqlock
// FINDS  nothing
std::atomic<unsigned> version;
std::atomic<int> low;
std::atomic<int> high;
void seqlock() {
  both(
      [] {
        for (int i = 1; i <= 2; i++) {
          version.store(version.load(memory_order_relaxed) + 1, memory_order_relaxed);
          std::atomic_thread_fence(memory_order_release);
          low.store(i, memory_order_relaxed);
          high.store(i, memory_order_relaxed);
          version.store(version.load(memory_order_relaxed) + 1, memory_order_release);
        }
      },
      [] {
        for (int tries = 0; tries < 3; tries++) {
          const unsigned before = version.load(memory_order_acquire);
          const int a = low.load(memory_order_relaxed);
          const int b = high.load(memory_order_relaxed);
          std::atomic_thread_fence(memory_order_acquire);
          if (before % 2 == 0 && before == version.load(memory_order_relaxed)) seen = a + b;
        }
      });
}

// CASE   seqlock_over_plain_data
// FINDS  race plain_data
std::atomic<unsigned> plain_version;
int plain_data;
void seqlock_over_plain_data() {
  both(
      [] {
        plain_version.fetch_add(1, memory_order_acq_rel);
        plain_data = 1;
        plain_version.fetch_add(1, memory_order_release);
      },
      [] {
        const unsigned before = plain_version.load(memory_order_acquire);
        const int copy = plain_data;
        if (before == plain_version.load(memory_order_acquire)) seen = copy;
      });
}

// CASE   spin_lock
// FINDS  nothing
std::atomic<int> spin;
int spun;
void spin_lock() {
  const auto add = [] {
    int free = 0;
    while (!spin.compare_exchange_weak(free, 1, memory_order_acquire)) {
      free = 0;
      std::this_thread::yield();
    }
    spun++;
    spin.store(0, memory_order_release);
  };
  both(add, add);
}

// CASE   spin_lock_let_go_relaxed
// FINDS  race spun_badly
std::atomic<int> bad_spin;
int spun_badly;
void spin_lock_let_go_relaxed() {
  const auto add = [] {
    int free = 0;
    while (!bad_spin.compare_exchange_weak(free, 1, memory_order_acquire)) {
      free = 0;
      std::this_thread::yield();
    }
    spun_badly++;
    bad_spin.store(0, memory_order_relaxed);
  };
  both(add, add);
}

// CASE   atomic_flag_lock
// FINDS  nothing
std::atomic_flag flag_lock = ATOMIC_FLAG_INIT;
int under_flag;
void atomic_flag_lock() {
  const auto add = [] {
    while (flag_lock.test_and_set(memory_order_acquire)) flag_lock.wait(true, memory_order_relaxed);
    under_flag++;
    flag_lock.clear(memory_order_release);
    flag_lock.notify_one();
  };
  both(add, add);
}

// CASE   waits_and_notifies
// FINDS  nothing
std::atomic<int> told;
int before_telling;
void waits_and_notifies() {
  both(
      [] {
        before_telling = 1;
        told.store(1, memory_order_release);
        told.notify_all();
      },
      [] {
        told.wait(0, memory_order_acquire);
        seen = before_telling;
      });
}

// CASE   counted_references
// FINDS  nothing
struct Counted {
  std::atomic<int> references{2};
  int payload = 0;
};
void drop(Counted* object) {
  object->payload = object->payload;  // the last use
  if (object->references.fetch_sub(1, memory_order_release) == 1) {
    std::atomic_thread_fence(memory_order_acquire);
    delete object;
  }
}
void counted_references() {
  auto* const object = new Counted;
  std::atomic<int> turn{0};
  both(
      [&] {
        object->payload = 1;
        turn.store(1, memory_order_release);
        drop(object);
      },
      [&] {
        await(turn, 1, memory_order_acquire);
        if (object->references.fetch_sub(1, memory_order_acq_rel) == 1) delete object;
      });
}

// CASE   counted_without_order
// FINDS  race heap
void counted_without_order() {
  auto* const object = new Counted;
  const auto release = [=] {
    if (object->references.fetch_sub(1, memory_order_relaxed) == 1) object->payload = 7;
  };
  both(
      [=] {
        seen = object->payload;
        release();
      },
      release);
  delete object;
}

// CASE   peterson
// FINDS  nothing
std::atomic<int> interested[2];
std::atomic<int> turn_of;
int critical;
void enter(int self) {
  interested[self] = 1;
  turn_of = 1 - self;
  while (interested[1 - self] == 1 && turn_of == 1 - self) std::this_thread::yield();
  critical++;
  interested[self] = 0;
}
void peterson() {
  both([] { enter(0); }, [] { enter(1); });
}

constexpr Case kCases[] = {
    {"release_acquire", release_acquire},
    {"release_consume", release_consume},
    {"sequentially_consistent", sequentially_consistent},
    {"relaxed_publication", relaxed_publication},
    {"release_met_by_relaxed", release_met_by_relaxed},
    {"fences_around_relaxed", fences_around_relaxed},
    {"release_fence_alone", release_fence_alone},
    {"fence_before_the_load", fence_before_the_load},
    {"release_sequence", release_sequence},
    {"broken_sequence", broken_sequence},
    {"transitive", transitive},
    {"seqlock", seqlock},
    {"seqlock_over_plain_data", seqlock_over_plain_data},
    {"spin_lock", spin_lock},
    {"spin_lock_let_go_relaxed", spin_lock_let_go_relaxed},
    {"atomic_flag_lock", atomic_flag_lock},
    {"waits_and_notifies", waits_and_notifies},
    {"counted_references", counted_references},
    {"counted_without_order", counted_without_order},
    {"peterson", peterson},
};

}  // namespace cases

int main(int count, char** words) { return run_case(cases::kCases, count, words); }
