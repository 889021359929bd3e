// WHAT    A scanner and a printer are each handed out under one mutex with a condition variable of
//         their own; one job takes the scanner and then the printer, the other the printer and then
//         the scanner, so each can hold what the other waits for.
// EXPECT  failure deadlock   sites acquire_printer, acquire_scanner
// WITHIN  strategy portfolio runs 1000 seed 1
// REPLAYS 20/20
// CLASS   deadlock
// MIN_PREEMPTIONS 1
// DECISIVE copy_job, proof_job
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <thread>

class Desk {
 public:
  void acquire_scanner() {
    std::unique_lock hold(mutex_);
    scanner_free_.wait(hold, [this] { return !scanner_busy_; });
    scanner_busy_ = true;
  }

  void acquire_printer() {
    std::unique_lock hold(mutex_);
    printer_free_.wait(hold, [this] { return !printer_busy_; });
    printer_busy_ = true;
  }

  void release_both() {
    std::lock_guard hold(mutex_);
    scanner_busy_ = printer_busy_ = false;
    ++jobs_;
    scanner_free_.notify_all();
    printer_free_.notify_all();
  }

  int jobs() {
    std::lock_guard hold(mutex_);
    return jobs_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable scanner_free_, printer_free_;
  bool scanner_busy_ = false, printer_busy_ = false;
  int jobs_ = 0;
};

static void copy_job(Desk& desk) {
  desk.acquire_scanner();
  desk.acquire_printer();
  desk.release_both();
}

static void proof_job(Desk& desk) {
  desk.acquire_printer();  // prints a proof, then scans it to compare
  desk.acquire_scanner();
  desk.release_both();
}

int main() {
  Desk desk;
  std::thread copier([&] { copy_job(desk); });
  std::thread proofer([&] { proof_job(desk); });
  copier.join();
  proofer.join();
  std::printf("%d jobs\n", desk.jobs());
  return 0;
}
