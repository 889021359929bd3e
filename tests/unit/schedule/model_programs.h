// Models of the standard bug patterns (SCTBench, ConVul), written afresh from their descriptions: what matters is the
// order of shared operations that each bug needs. Figures published for the originals stand beside them.
#pragma once

#include <string>
#include <vector>

#include "model.h"

namespace heddle::model {

// Mean schedules to the first bug; 0: never, or not given. `best` is the smallest of any published tool.
struct Published {
  double best = 0, random = 0, pct3 = 0, pos = 0, surw = 0;
};

struct Program {
  std::string name;
  Body main;
  Published published;
};

// Starts all bodies, then waits for all of them.
inline Body start_and_join(std::vector<Body> bodies) {
  return [bodies](World& w) -> Task {
    std::vector<long> children;
    for (const Body& body : bodies) children.push_back(co_await w.spawn(body));
    for (const long child : children) co_await w.join(child);
  };
}

inline std::vector<Body> copies(std::size_t count, const Body& body, std::vector<Body> rest = {}) {
  std::vector<Body> all(count, body);
  all.insert(all.end(), rest.begin(), rest.end());
  return all;
}

// The checker must run between a setter's two stores and before any other setter ends.
inline Program reorder(std::size_t threads, Published published) {
  enum : std::uint32_t { kA = 1, kB };
  const Body setter = [](World& w) -> Task {
    co_await w.write(kA, 1);
    co_await w.write(kB, -1);
  };
  const Body checker = [](World& w) -> Task {
    const long a = co_await w.read(kA);
    if (a == 0) {
      const long b = co_await w.read(kB);
      if (b == 0) co_return;
    }
    const long again = co_await w.read(kA);
    if (again == 1) {
      const long b = co_await w.read(kB);
      if (b == -1) co_return;
    }
    w.require(false);
  };
  return {"reorder_" + std::to_string(threads),
          start_and_join(copies(threads - 1, setter, {checker})), published};
}

// A reader must come between the two critical sections of the first writer, before any writer's second.
inline Program twostage(std::size_t threads, Published published) {
  enum : std::uint32_t { kLock1 = 1, kLock2, kData1, kData2 };
  const Body writer = [](World& w) -> Task {
    co_await w.lock(kLock1);
    co_await w.write(kData1, 1);
    co_await w.unlock(kLock1);
    co_await w.lock(kLock2);
    const long first = co_await w.read(kData1);
    co_await w.write(kData2, first + 1);
    co_await w.unlock(kLock2);
  };
  const Body reader = [](World& w) -> Task {
    co_await w.lock(kLock1);
    const long seen = co_await w.read(kData1);
    if (seen == 0) {
      co_await w.unlock(kLock1);
      co_return;
    }
    const long first = co_await w.read(kData1);
    co_await w.unlock(kLock1);
    co_await w.lock(kLock2);
    const long second = co_await w.read(kData2);
    co_await w.unlock(kLock2);
    w.require(second == first + 1);
  };
  return {"twostage_" + std::to_string(threads),
          start_and_join(copies(threads - 1, writer, {reader})), published};
}

// One thread checks its increment under one lock, seven increment under another.
inline Program wronglock() {
  enum : std::uint32_t { kData = 1, kDataLock, kThisLock };
  const Body careful = [](World& w) -> Task {
    co_await w.lock(kDataLock);
    const long before = co_await w.read(kData);
    const long now = co_await w.read(kData);
    co_await w.write(kData, now + 1);
    const long after = co_await w.read(kData);
    w.require(after == before + 1);
    co_await w.unlock(kDataLock);
  };
  const Body wrong = [](World& w) -> Task {
    co_await w.lock(kThisLock);
    const long now = co_await w.read(kData);
    co_await w.write(kData, now + 1);
    co_await w.unlock(kThisLock);
  };
  return {"wronglock", start_and_join(copies(1, careful, copies(7, wrong))), {1, 36, 70, 5, 7}};
}

// append() asks for the other buffer's length in one critical section and copies in another.
inline Program stringbuffer() {
  enum : std::uint32_t { kOwnLock = 1, kLock, kLength, kData, kOwnLength };
  const Body appender = [](World& w) -> Task {
    co_await w.lock(kOwnLock);
    co_await w.lock(kLock);
    const long length = co_await w.read(kLength);
    co_await w.unlock(kLock);
    co_await w.read(kOwnLength);
    co_await w.write(kOwnLength, length);
    co_await w.lock(kLock);
    const long now = co_await w.read(kLength);
    w.require(length <= now);
    co_await w.read(kData);
    co_await w.unlock(kLock);
    co_await w.unlock(kOwnLock);
  };
  const Body eraser = [](World& w) -> Task {
    co_await w.lock(kLock);
    co_await w.read(kLength);
    co_await w.write(kLength, 0);
    co_await w.unlock(kLock);
  };
  const Body main = [appender, eraser](World& w) -> Task {
    co_await w.write(kLength, 10);
    const long first = co_await w.spawn(eraser);
    const long second = co_await w.spawn(appender);
    co_await w.join(first);
    co_await w.join(second);
  };
  return {"stringbuffer", main, {8, 2243, 230, 20, 8}};
}

// The checker's assertion is wrong as soon as both others are done.
inline Program account() {
  enum : std::uint32_t { kLock = 1, kY, kBalance, kDeposited, kWithdrawn };
  const auto change = [](long sign, std::uint32_t done) -> Body {
    return [sign, done](World& w) -> Task {
      co_await w.lock(kLock);
      const long balance = co_await w.read(kBalance);
      const long amount = co_await w.read(kY);
      co_await w.write(kBalance, balance + sign * amount);
      co_await w.write(done, 1);
      co_await w.unlock(kLock);
    };
  };
  const Body checker = [](World& w) -> Task {
    co_await w.lock(kLock);
    const long deposited = co_await w.read(kDeposited);
    long withdrawn = 0;
    if (deposited != 0) withdrawn = co_await w.read(kWithdrawn);
    w.require(deposited == 0 || withdrawn == 0);
    co_await w.unlock(kLock);
  };
  const Body main = [change, checker](World& w) -> Task {
    co_await w.write(kBalance, 100);
    co_await w.write(kY, 20);
    const long a = co_await w.spawn(checker);
    const long b = co_await w.spawn(change(1, kDeposited));
    const long c = co_await w.spawn(change(-1, kWithdrawn));
    co_await w.join(a);
    co_await w.join(b);
    co_await w.join(c);
  };
  return {"account", main, {1, 18, 6, 2, 6}};
}

inline Program deadlock01() {
  enum : std::uint32_t { kA = 1, kB, kCount };
  const auto both = [](std::uint32_t first, std::uint32_t second) -> Body {
    return [first, second](World& w) -> Task {
      co_await w.lock(first);
      co_await w.lock(second);
      const long count = co_await w.read(kCount);
      co_await w.write(kCount, count + 1);
      co_await w.unlock(second);
      co_await w.unlock(first);
    };
  };
  return {"deadlock01", start_and_join({both(kA, kB), both(kB, kA)}), {2, 3, 16, 4, 2}};
}

// The worker's check of "stopping" and its increment of "pending" are not atomic: it may work after the stop.
inline Program bluetooth() {
  enum : std::uint32_t { kStopping = 1, kPending, kEvent, kStopped, kLock };
  const Body worker = [](World& w) -> Task {
    const long stopping = co_await w.read(kStopping);
    if (stopping != 0) co_return;
    co_await w.lock(kLock);
    const long pending = co_await w.read(kPending);
    co_await w.write(kPending, pending + 1);
    co_await w.unlock(kLock);
    const long stopped = co_await w.read(kStopped);
    w.require(stopped == 0);
    co_await w.lock(kLock);
    const long now = co_await w.read(kPending);
    co_await w.write(kPending, now - 1);
    co_await w.unlock(kLock);
    if (now - 1 == 0) co_await w.write(kEvent, 1);
  };
  const Body main = [worker](World& w) -> Task {
    co_await w.write(kPending, 1);
    const long child = co_await w.spawn(worker);
    co_await w.write(kStopping, 1);
    co_await w.lock(kLock);
    const long now = co_await w.read(kPending);
    co_await w.write(kPending, now - 1);
    co_await w.unlock(kLock);
    if (now - 1 == 0) co_await w.write(kEvent, 1);
    const long event = co_await w.read(kEvent);
    if (event != 0) co_await w.write(kStopped, 1);
    co_await w.join(child);
  };
  return {"bluetooth", main, {9, 215, 136, 54, 70}};
}

// A ring for one consumer used by two: both may take the same element.
inline Program queue() {
  enum : std::uint32_t { kHead = 1, kTail, kSlots = 10 };
  const Body producer = [](World& w) -> Task {
    for (int i = 0; i < 4; ++i) {
      const long tail = co_await w.read(kTail);
      co_await w.write(kSlots + static_cast<std::uint32_t>(tail), 1);
      co_await w.write(kTail, tail + 1);
    }
  };
  const Body consumer = [](World& w) -> Task {
    for (int i = 0; i < 3; ++i) {
      const long head = co_await w.read(kHead);
      const long tail = co_await w.read(kTail);
      if (head == tail) continue;
      const long item = co_await w.read(kSlots + static_cast<std::uint32_t>(head));
      w.require(item == 1);
      co_await w.write(kSlots + static_cast<std::uint32_t>(head), 0);
      co_await w.write(kHead, head + 1);
    }
  };
  return {"queue", start_and_join({producer, consumer, consumer}), {1, 1, 8, 1, 2}};
}

inline Program lazy01() {
  enum : std::uint32_t { kLock = 1, kData };
  const auto adder = [](long amount) -> Body {
    return [amount](World& w) -> Task {
      co_await w.lock(kLock);
      const long data = co_await w.read(kData);
      co_await w.write(kData, data + amount);
      co_await w.unlock(kLock);
    };
  };
  const Body checker = [](World& w) -> Task {
    co_await w.lock(kLock);
    const long data = co_await w.read(kData);
    w.require(data < 3);
    co_await w.unlock(kLock);
  };
  return {"lazy01", start_and_join({checker, adder(1), adder(2)}), {2, 21, 8, 5, 2}};
}

// Owner and thief may both take the last element: the owner looks at the head before it gives up the tail.
inline Program work_stealing() {
  enum : std::uint32_t { kHead = 1, kTail, kLock, kTaken = 10 };
  const Body thief = [](World& w) -> Task {
    for (int i = 0; i < 3; ++i) {
      co_await w.lock(kLock);
      const long head = co_await w.read(kHead);
      const long tail = co_await w.read(kTail);
      if (head < tail) {
        const long before = co_await w.add(kTaken + static_cast<std::uint32_t>(head), 1);
        w.require(before == 0);
        co_await w.write(kHead, head + 1);
      }
      co_await w.unlock(kLock);
    }
  };
  const Body main = [thief](World& w) -> Task {
    const long child = co_await w.spawn(thief);
    for (int i = 0; i < 3; ++i) {
      const long tail = co_await w.read(kTail);
      co_await w.write(kTail, tail + 1);
    }
    for (int i = 0; i < 3; ++i) {
      const long tail = co_await w.read(kTail);
      const long head = co_await w.read(kHead);
      if (head >= tail) break;
      co_await w.write(kTail, tail - 1);
      const long before = co_await w.add(kTaken + static_cast<std::uint32_t>(tail - 1), 1);
      w.require(before == 0);
    }
    co_await w.join(child);
  };
  return {"work_stealing", main, {6, 0, 48, 12, 6}};
}

// Two preemptions far from each other in a longer program. No published counterpart.
inline Program deep_window() {
  enum : std::uint32_t { kPointer = 1, kCounter, kLog };
  const Body user = [](World& w) -> Task {
    for (int i = 0; i < 8; ++i) co_await w.add(kLog, 1);
    const long pointer = co_await w.read(kPointer);
    if (pointer == 0) co_return;
    co_await w.add(kCounter, 1);
    const long now = co_await w.read(kPointer);
    w.require(now != 0);
    co_await w.add(kCounter, -1);
    for (int i = 0; i < 8; ++i) co_await w.add(kLog, 1);
  };
  const Body freer = [](World& w) -> Task {
    for (int i = 0; i < 8; ++i) co_await w.add(kLog, 1);
    const long counter = co_await w.read(kCounter);
    if (counter != 1) co_return;
    co_await w.write(kPointer, 0);
  };
  const Body main = [user, freer](World& w) -> Task {
    co_await w.write(kPointer, 1);
    const long a = co_await w.spawn(user);
    const long b = co_await w.spawn(freer);
    co_await w.join(a);
    co_await w.join(b);
  };
  return {"deep_window", main, {}};
}

inline std::vector<Program> programs() {
  return {reorder(3, {6, 0, 213, 150, 7}),
          reorder(5, {6, 0, 880, 2169, 10}),
          reorder(10, {6, 0, 2356, 0, 17}),
          reorder(20, {6, 0, 2128, 0, 6}),
          reorder(50, {6, 0, 3304, 0, 13}),
          twostage(2, {3, 464, 9, 15, 8}),
          twostage(20, {6, 0, 159, 156, 6}),
          twostage(50, {20, 0, 849, 1637, 20}),
          wronglock(),
          stringbuffer(),
          account(),
          deadlock01(),
          bluetooth(),
          queue(),
          lazy01(),
          work_stealing(),
          deep_window()};
}

}  // namespace heddle::model
