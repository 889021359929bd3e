// Plain memory: what is a race, and what only looks like one.
#include <pthread.h>
#include <semaphore.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <memory>
#include <mutex>

#include "cases.h"

// Not an unnamed namespace: what nobody else can see, the optimiser takes away.
namespace cases {

// CASE   unlocked_counter
// FINDS  race counter
int counter;
void unlocked_counter() {
  const auto add = [] { counter++; };
  both(add, add);
}

// CASE   write_and_read
// FINDS  race value
int value;
int seen;
void write_and_read() {
  both([] { value = 1; }, [] { seen = value; });
}

// CASE   read_and_read
// FINDS  nothing
int constant = 5;
void read_and_read() {
  int sums[2] = {};
  both([&] { sums[0] = constant; }, [&] { sums[1] = constant; });
}

// CASE   different_locks
// FINDS  race guarded_twice
std::mutex left;
std::mutex right;
int guarded_twice;
void different_locks() {
  both(
      [] {
        const std::lock_guard lock(left);
        guarded_twice++;
      },
      [] {
        const std::lock_guard lock(right);
        guarded_twice++;
      });
}

// CASE   forgotten_lock
// FINDS  race sometimes_guarded
int sometimes_guarded;
void forgotten_lock() {
  both(
      [] {
        const std::lock_guard lock(left);
        sometimes_guarded = 1;
      },
      [] { sometimes_guarded = 2; });
}

// CASE   result_before_join
// FINDS  race result
int result;
int taken;
void result_before_join() {
  std::thread worker([] { result = 42; });
  taken = result;
  worker.join();
}

// CASE   result_after_join
// FINDS  nothing
int joined_result;
void result_after_join() {
  std::thread worker([] { joined_result = 42; });
  worker.join();
  taken = joined_result;
}

// CASE   heap_block
// FINDS  race heap
void heap_block() {
  auto* const block = new int(0);
  both([=] { *block = 1; }, [=] { *block = 2; });
  delete block;
}

// CASE   captured_local
// FINDS  race stack
void captured_local() {
  int local = 0;
  both([&] { local = 1; }, [&] { local = 2; });
}

// CASE   neighbours
// FINDS  nothing
struct Neighbours {
  std::uint8_t a;
  std::uint8_t b;
  std::uint16_t c;
};
Neighbours neighbours_at;
void neighbours() {
  both([] { neighbours_at.a++; },
       [] {
         neighbours_at.b++;
         neighbours_at.c++;
       });
}

// CASE   array_elements
// FINDS  nothing
int elements[2];
void array_elements() {
  both([] { elements[0]++; }, [] { elements[1]++; });
}

// CASE   bit_fields
// FINDS  race bits
struct Bits {
  unsigned a : 4;
  unsigned b : 4;
};
Bits bits;
void bit_fields() {
  both([] { bits.a = 1; }, [] { bits.b = 1; });
}

// CASE   partial_overlap
// FINDS  race wide
alignas(8) std::uint64_t wide;
void partial_overlap() {
  both([] { wide = 1; }, [] { reinterpret_cast<volatile std::uint16_t*>(&wide)[1] = 7; });
}

// CASE   copied_while_written
// FINDS  race buffer
char buffer[64];
void copied_while_written() {
  char copy[64];
  both([&] { std::memcpy(copy, buffer, sizeof copy); }, [] { buffer[40] = 'x'; });
}

// CASE   cleared_while_read
// FINDS  race cleared
char cleared[256];
volatile std::size_t cleared_size = sizeof cleared;  // a size the compiler knows is no call
void cleared_while_read() {
  both([] { std::memset(cleared, 0, cleared_size); }, [] { seen = cleared[200]; });
}

// CASE   volatile_is_no_lock
// FINDS  race volatile_ready
// FINDS  race volatile_payload
volatile int volatile_ready;
int volatile_payload;
void volatile_is_no_lock() {
  both(
      [] {
        volatile_payload = 1;
        volatile_ready = 1;
      },
      [] {
        for (int i = 0; i < 20 && volatile_ready == 0; i++) usleep(1000);
        seen = volatile_payload;
      });
}

// CASE   readers_that_write
// FINDS  race written_by_readers
pthread_rwlock_t shared_lock = PTHREAD_RWLOCK_INITIALIZER;
int written_by_readers;
void readers_that_write() {
  const auto read = [] {
    pthread_rwlock_rdlock(&shared_lock);
    written_by_readers++;
    pthread_rwlock_unlock(&shared_lock);
  };
  both(read, read);
}

// CASE   semaphore_of_two
// FINDS  race two_at_a_time
sem_t two;
int two_at_a_time;
void semaphore_of_two() {
  sem_init(&two, 0, 2);
  const auto add = [] {
    sem_wait(&two);
    two_at_a_time++;
    sem_post(&two);
  };
  both(add, add);
}

// CASE   slept_not_synchronised
// FINDS  race late
// FINDS  sleep-sync late
int late;
void slept_not_synchronised() {
  std::thread writer([] { late = 1; });
  usleep(200000);
  seen = late;
  writer.join();
}

// CASE   atomic_and_plain
// FINDS  race mixed
alignas(std::atomic<int>) int mixed;
void atomic_and_plain() {
  both([] { std::atomic_ref<int>(mixed).store(1); }, [] { seen = mixed; });
}

// CASE   atomic_only
// FINDS  nothing
std::atomic<int> tally;
void atomic_only() {
  const auto add = [] { tally.fetch_add(1, std::memory_order_relaxed); };
  both(add, add);
}

// CASE   lost_update_through_atomics
// FINDS  nothing
std::atomic<int> balance;
void lost_update_through_atomics() {
  const auto add = [] { balance.store(balance.load() + 1); };
  both(add, add);
}

// CASE   block_used_again
// FINDS  nothing
void block_used_again() {
  const auto use = [] {
    for (int i = 0; i < 3; i++) {
      const auto block = std::make_unique<int>(i);
      *block += 1;
    }
  };
  both(use, use);
}

// CASE   stack_used_again
// FINDS  nothing
void stack_used_again() {
  for (int i = 0; i < 3; i++) {
    std::thread([] {
      volatile int local[16] = {};
      local[3] = local[2] + 1;
    }).join();
  }
}

// CASE   plain_double_check
// FINDS  race instance_pointer
// FINDS  race heap
int* instance_pointer;
void plain_double_check() {
  const auto use = [] {
    if (instance_pointer == nullptr) {
      const std::lock_guard lock(left);
      if (instance_pointer == nullptr) {
        auto* const fresh = new int(1);
        instance_pointer = fresh;
      }
    }
    volatile int copy = *instance_pointer;
    (void)copy;
  };
  both(use, use);
}

// CASE   thread_local_values
// FINDS  nothing
thread_local int own;
void thread_local_values() {
  const auto add = [] { own++; };
  both(add, add);
}

// CASE   not_instrumented_by_choice
// FINDS  nothing
int excused;
__attribute__((no_sanitize("thread"), noinline)) void touch_excused() { excused++; }
void not_instrumented_by_choice() { both(touch_excused, touch_excused); }

constexpr Case kCases[] = {
    {"unlocked_counter", unlocked_counter},
    {"write_and_read", write_and_read},
    {"read_and_read", read_and_read},
    {"different_locks", different_locks},
    {"forgotten_lock", forgotten_lock},
    {"result_before_join", result_before_join},
    {"result_after_join", result_after_join},
    {"heap_block", heap_block},
    {"captured_local", captured_local},
    {"neighbours", neighbours},
    {"array_elements", array_elements},
    {"bit_fields", bit_fields},
    {"partial_overlap", partial_overlap},
    {"copied_while_written", copied_while_written},
    {"cleared_while_read", cleared_while_read},
    {"volatile_is_no_lock", volatile_is_no_lock},
    {"readers_that_write", readers_that_write},
    {"semaphore_of_two", semaphore_of_two},
    {"slept_not_synchronised", slept_not_synchronised},
    {"atomic_and_plain", atomic_and_plain},
    {"atomic_only", atomic_only},
    {"lost_update_through_atomics", lost_update_through_atomics},
    {"block_used_again", block_used_again},
    {"stack_used_again", stack_used_again},
    {"plain_double_check", plain_double_check},
    {"thread_local_values", thread_local_values},
    {"not_instrumented_by_choice", not_instrumented_by_choice},
};

}  // namespace cases

int main(int count, char** words) { return run_case(cases::kCases, count, words); }
