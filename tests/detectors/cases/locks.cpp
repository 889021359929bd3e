// Correct programs: every kind of synchronisation orders what it should. No precise detector says a word.
#include <pthread.h>
#include <semaphore.h>

#include <atomic>
#include <barrier>
#include <condition_variable>
#include <deque>
#include <functional>
#include <future>
#include <latch>
#include <memory>
#include <mutex>
#include <semaphore>
#include <shared_mutex>
#include <stop_token>
#include <vector>

#include "cases.h"

// Not an unnamed namespace: what nobody else can see, the optimiser takes away.
namespace cases {

int seen;

// CASE   mutex
// FINDS  nothing
std::mutex guard;
int guarded;
void mutex() {
  const auto add = [] {
    const std::lock_guard lock(guard);
    guarded++;
  };
  both(add, add);
}

// CASE   recursive
// FINDS  nothing
std::recursive_mutex again;
int guarded_again;
void recursive() {
  const auto add = [] {
    const std::lock_guard outer(again);
    const std::lock_guard inner(again);
    guarded_again++;
  };
  both(add, add);
}

// CASE   tried
// FINDS  nothing
int guarded_by_trying;
void tried() {
  const auto add = [] {
    while (!guard.try_lock()) std::this_thread::yield();
    guarded_by_trying++;
    guard.unlock();
  };
  both(add, add);
}

// CASE   timed
// FINDS  nothing
std::timed_mutex patient;
int guarded_in_time;
void timed() {
  const auto add = [] {
    if (!patient.try_lock_for(std::chrono::seconds(5))) return;
    guarded_in_time++;
    patient.unlock();
  };
  both(add, add);
}

// CASE   spin
// FINDS  nothing
pthread_spinlock_t spinner;
int guarded_by_spinning;
void spin() {
  pthread_spin_init(&spinner, PTHREAD_PROCESS_PRIVATE);
  const auto add = [] {
    pthread_spin_lock(&spinner);
    guarded_by_spinning++;
    pthread_spin_unlock(&spinner);
  };
  both(add, add);
  pthread_spin_destroy(&spinner);
}

// CASE   readers_and_writer
// FINDS  nothing
std::shared_mutex shared;
int read_by_many;
void readers_and_writer() {
  std::thread writer([] {
    const std::lock_guard lock(shared);
    read_by_many++;
  });
  const auto read = [] {
    const std::shared_lock lock(shared);
    volatile int copy = read_by_many;
    (void)copy;
  };
  both(read, read);
  writer.join();
}

// CASE   condition
// FINDS  nothing
std::condition_variable changed;
bool ready;
int prepared;
void condition() {
  both(
      [] {
        prepared = 1;
        {
          const std::lock_guard lock(guard);
          ready = true;
        }
        changed.notify_one();
      },
      [] {
        std::unique_lock lock(guard);
        changed.wait(lock, [] { return ready; });
        seen = prepared;
      });
}

// CASE   condition_flag_without_lock
// FINDS  race careless
std::condition_variable told;
bool careless;
void condition_flag_without_lock() {
  both(
      [] {
        careless = true;
        const std::lock_guard lock(guard);
        told.notify_one();
      },
      [] {
        std::unique_lock lock(guard);
        told.wait_for(lock, std::chrono::milliseconds(20), [] { return careless; });
      });
}

// CASE   posix_barrier
// FINDS  nothing
// ERASER race halves
pthread_barrier_t meeting;
int halves[2];
void posix_barrier() {
  pthread_barrier_init(&meeting, nullptr, 2);
  const auto work = [](int self) {
    for (int round = 0; round < 3; round++) {
      halves[self]++;
      pthread_barrier_wait(&meeting);
      volatile int sum = halves[0] + halves[1];
      (void)sum;
      pthread_barrier_wait(&meeting);
    }
  };
  both([=] { work(0); }, [=] { work(1); });
  pthread_barrier_destroy(&meeting);
}

// CASE   standard_barrier
// FINDS  nothing
int parts[2];
void standard_barrier() {
  std::barrier barrier(2);
  const auto work = [&](int self) {
    for (int round = 0; round < 2; round++) {
      parts[self]++;
      barrier.arrive_and_wait();
      volatile int sum = parts[0] + parts[1];
      (void)sum;
      barrier.arrive_and_wait();
    }
  };
  both([=] { work(0); }, [=] { work(1); });
}

// CASE   semaphore_as_lock
// FINDS  nothing
// ERASER race through_semaphore
sem_t one;
int through_semaphore;
void semaphore_as_lock() {
  sem_init(&one, 0, 1);
  const auto add = [] {
    for (int i = 0; i < 2; i++) {
      sem_wait(&one);
      through_semaphore++;
      sem_post(&one);
    }
  };
  std::thread third(add);
  both(add, add);
  third.join();
  sem_destroy(&one);
}

// CASE   standard_semaphore
// FINDS  nothing
std::binary_semaphore handed{0};
int over;
void standard_semaphore() {
  both(
      [] {
        over = 1;
        handed.release();
      },
      [] {
        handed.acquire();
        seen = over;
      });
}

// CASE   latch
// FINDS  nothing
int counted_down[2];
void latch() {
  std::latch done(2);
  std::thread first([&] {
    counted_down[0] = 1;
    done.count_down();
  });
  std::thread second([&] {
    counted_down[1] = 1;
    done.count_down();
  });
  done.wait();
  seen = counted_down[0] + counted_down[1];
  first.join();
  second.join();
}

// CASE   once
// FINDS  nothing
std::once_flag only;
int initialised;
void once() {
  const auto use = [] {
    std::call_once(only, [] { initialised = 1; });
    volatile int copy = initialised;
    (void)copy;
  };
  both(use, use);
}

// CASE   local_static
// FINDS  nothing
struct Service {
  int answer;
  Service() : answer(42) {}
};
void local_static() {
  const auto use = [] {
    static Service service;
    volatile int copy = service.answer;
    (void)copy;
  };
  both(use, use);
}

// CASE   promise
// FINDS  nothing
void promise() {
  std::promise<std::unique_ptr<int>> given;
  std::future<std::unique_ptr<int>> wanted = given.get_future();
  std::thread giver([&] { given.set_value(std::make_unique<int>(5)); });
  seen = *wanted.get();
  giver.join();
}

// CASE   async
// FINDS  nothing
void async() {
  std::future<std::vector<int>> list = std::async(std::launch::async, [] {
    return std::vector<int>{1, 2, 3};
  });
  seen = list.get().back();
}

// CASE   stopped
// FINDS  nothing
int before_stop;
void stopped() {
  std::jthread worker([](std::stop_token token) {
    while (!token.stop_requested()) std::this_thread::yield();
    seen = before_stop;
  });
  before_stop = 1;
  worker.request_stop();
}

// CASE   queue_of_blocks
// FINDS  nothing
std::mutex queue_lock;
std::condition_variable queue_filled;
std::deque<std::unique_ptr<int>> queue;
void queue_of_blocks() {
  both(
      [] {
        for (int i = 0; i < 3; i++) {
          auto block = std::make_unique<int>(i);
          const std::lock_guard lock(queue_lock);
          queue.push_back(std::move(block));
          queue_filled.notify_one();
        }
      },
      [] {
        for (int i = 0; i < 3; i++) {
          std::unique_lock lock(queue_lock);
          queue_filled.wait(lock, [] { return !queue.empty(); });
          const std::unique_ptr<int> block = std::move(queue.front());
          queue.pop_front();
          lock.unlock();
          *block += 1;
        }
      });
}

// CASE   pool
// FINDS  nothing
void pool() {
  std::mutex lock;
  std::condition_variable work;
  std::deque<std::function<void()>> jobs;
  bool closed = false;
  int sums[4] = {};
  std::vector<std::thread> threads;
  for (int i = 0; i < 2; i++) {
    threads.emplace_back([&] {
      for (;;) {
        std::unique_lock held(lock);
        work.wait(held, [&] { return closed || !jobs.empty(); });
        if (jobs.empty()) return;
        const std::function<void()> job = std::move(jobs.front());
        jobs.pop_front();
        held.unlock();
        job();
      }
    });
  }
  for (int i = 0; i < 4; i++) {
    const std::lock_guard held(lock);
    jobs.emplace_back([&sums, i] { sums[i] = i; });
    work.notify_one();
  }
  {
    const std::lock_guard held(lock);
    closed = true;
  }
  work.notify_all();
  for (std::thread& thread : threads) thread.join();
  seen = sums[0] + sums[3];
}

// CASE   shared_pointers
// FINDS  nothing
void shared_pointers() {
  auto object = std::make_shared<int>(3);
  std::thread first([copy = object] {
    volatile int seen_here = *copy;
    (void)seen_here;
  });
  std::thread second([copy = object] {
    volatile int seen_here = *copy;
    (void)seen_here;
  });
  object.reset();
  first.join();
  second.join();
}

// CASE   atomic_shared_pointer
// FINDS  nothing
std::atomic<std::shared_ptr<int>> current;
void atomic_shared_pointer() {
  both([] { current.store(std::make_shared<int>(1)); },
       [] {
         const std::shared_ptr<int> mine = current.load();
         if (mine != nullptr) seen = *mine;
       });
}

// CASE   child_of_a_child
// FINDS  nothing
int grandchild_saw;
void child_of_a_child() {
  int local = 1;
  std::thread child([&] {
    std::thread grandchild([&] { grandchild_saw = local; });
    grandchild.join();
  });
  child.join();
  seen = grandchild_saw;
}

constexpr Case kCases[] = {
    {"mutex", mutex},
    {"recursive", recursive},
    {"tried", tried},
    {"timed", timed},
    {"spin", spin},
    {"readers_and_writer", readers_and_writer},
    {"condition", condition},
    {"condition_flag_without_lock", condition_flag_without_lock},
    {"posix_barrier", posix_barrier},
    {"standard_barrier", standard_barrier},
    {"semaphore_as_lock", semaphore_as_lock},
    {"standard_semaphore", standard_semaphore},
    {"latch", latch},
    {"once", once},
    {"local_static", local_static},
    {"promise", promise},
    {"async", async},
    {"stopped", stopped},
    {"queue_of_blocks", queue_of_blocks},
    {"pool", pool},
    {"shared_pointers", shared_pointers},
    {"atomic_shared_pointer", atomic_shared_pointer},
    {"child_of_a_child", child_of_a_child},
};

}  // namespace cases

int main(int count, char** words) { return run_case(cases::kCases, count, words); }
