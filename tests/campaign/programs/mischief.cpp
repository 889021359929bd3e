// One program that can misbehave in every way a campaign must cope with; its first argument says how.
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <string>
#include <vector>

namespace {

pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t b = PTHREAD_MUTEX_INITIALIZER;
int balance = 0;
pthread_barrier_t meeting;

// Dies before main if asked to through the environment: arguments are not there yet.
struct DiesEarly {
  DiesEarly() {
    if (getenv("MISCHIEF_DIE_EARLY") != nullptr) abort();
  }
} dies_early;

void* meets(void*) {
  pthread_barrier_wait(&meeting);
  return nullptr;
}

void* a_then_b(void*) {
  pthread_mutex_lock(&a);
  pthread_mutex_lock(&b);
  pthread_mutex_unlock(&b);
  pthread_mutex_unlock(&a);
  return nullptr;
}

void* b_then_a(void*) {
  pthread_mutex_lock(&b);
  pthread_mutex_lock(&a);
  pthread_mutex_unlock(&a);
  pthread_mutex_unlock(&b);
  return nullptr;
}

// Reads and writes in two critical sections: another thread may come between.
void* deposit(void*) {
  pthread_mutex_lock(&a);
  const int seen = balance;
  pthread_mutex_unlock(&a);
  pthread_mutex_lock(&a);
  balance = seen + 1;
  pthread_mutex_unlock(&a);
  return nullptr;
}

// What a compressor does all day. Called through a pointer, so that the compiler cannot do the work by itself.
void* compares(void*) {
  int (*volatile compare)(const void*, const void*, size_t) = memcmp;
  for (int i = 0; i < 200000; ++i) compare(&a, &b, 8);
  return nullptr;
}

void* exits(void*) { exit(4); }

void* nothing(void*) { return nullptr; }

void together(std::vector<void* (*)(void*)> routines) {
  std::vector<pthread_t> threads(routines.size());
  for (size_t i = 0; i < routines.size(); ++i) {
    pthread_create(&threads[i], nullptr, routines[i], nullptr);
  }
  for (const pthread_t thread : threads) pthread_join(thread, nullptr);
}

int lost_update() {
  together({deposit, deposit});
  if (balance == 2) return 0;
  fprintf(stderr, "balance is %d\n", balance);
  return 1;
}

int flood() {
  const std::string line(1023, 'x');
  for (int i = 0; i < 1'000'000; ++i) {
    if (puts(line.c_str()) < 0) return 1;
  }
  puts("the end");
  return 0;
}

// A child in a session of its own that would live for a minute.
int daemonise() {
  if (fork() == 0) {
    setsid();
    if (fork() == 0) sleep(60);
    _exit(0);
  }
  wait(nullptr);
  return 0;
}

int child_works() {
  const pid_t child = fork();
  if (child == 0) _exit(7);
  int status = 0;
  waitpid(child, &status, 0);
  return WEXITSTATUS(status) == 7 ? 0 : 1;
}

int ignores_everything() {
  signal(SIGTERM, SIG_IGN);
  signal(SIGINT, SIG_IGN);
  for (;;) pause();
}

// Waits in the kernel in a way no library function shows, until another thread lets go.
int locked_file = -1;

void* waits_unseen(void*) {
  const int file = open((std::string(getenv("TMPDIR")) + "/lock").c_str(), O_RDWR);
  long result;
  __asm__ volatile("syscall"
                   : "=a"(result)
                   : "a"(SYS_flock), "D"(static_cast<long>(file)), "S"(static_cast<long>(LOCK_EX))
                   : "rcx", "r11", "memory");
  close(file);
  return nullptr;
}

void* lets_go(void*) {
  flock(locked_file, LOCK_UN);
  return nullptr;
}

int unseen_block() {
  locked_file = open((std::string(getenv("TMPDIR")) + "/lock").c_str(), O_RDWR | O_CREAT, 0600);
  flock(locked_file, LOCK_EX);
  together({waits_unseen, lets_go});
  return 0;
}

int own_places() {
  struct stat status;
  const char* directory = getenv("TMPDIR");
  if (directory == nullptr || stat(directory, &status) != 0) return 1;
  const std::string file = std::string(directory) + "/mine";
  if (access(file.c_str(), F_OK) == 0) return 2;  // another run's
  fclose(fopen(file.c_str(), "w"));
  return 0;
}

// Two of it at the same time disturb each other.
int needs_the_place_alone() {
  if (mkdir("the-only-one", 0700) != 0) return 1;
  together({nothing, nothing, nothing, nothing});
  return rmdir("the-only-one");
}

// The first time only: what a machine that stops for a while looks like.
int stalls_once() {
  if (mkdir("stalled", 0700) == 0) ignores_everything();
  together({nothing, nothing});
  return 0;
}

// What threads wait for here, somebody else brings: a pipe that was there before the program, one with a path, or a pipe of the
// program's own that a handler of its writes to.
int awaited = -1;
int own_pipe[2];

void* awaits(void*) {
  char byte;
  if (read(awaited, &byte, 1) != 1) abort();
  return nullptr;
}

void on_signal(int) {
  if (write(own_pipe[1], "x", 1) != 1) abort();
}

int awaits_signal() {
  if (pipe(own_pipe) != 0) return 2;
  awaited = own_pipe[0];
  signal(SIGUSR1, on_signal);
  together({awaits, nothing});
  return 0;
}

// Rounds of a few threads that meet at a barrier: more in all than the controlled engine has numbers for.
int many_rounds() {
  constexpr int kRounds = 130;
  constexpr int kAtOnce = 8;
  for (int round = 0; round < kRounds; ++round) {
    pthread_barrier_init(&meeting, nullptr, kAtOnce);
    together(std::vector<void* (*)(void*)>(kAtOnce, meets));
    pthread_barrier_destroy(&meeting);
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string how = argc > 1 ? argv[1] : "";
  // One that has threads, whatever else it does.
  if (how == "daemon" || how == "fork" || how == "places") together({nothing, nothing});
  if (how == "fine") together({nothing, nothing});
  if (how == "exit") return 3;
  if (how == "crash") raise(SIGSEGV);
  if (how == "deadlock") together({a_then_b, b_then_a});
  if (how == "lost") return lost_update();
  if (how == "flood") return flood();
  if (how == "daemon") return daemonise();
  if (how == "fork") return child_works();
  if (how == "stubborn") return ignores_everything();
  if (how == "exit-in-thread") together({exits});
  if (how == "compare") together({compares, compares});
  if (how == "many") together(std::vector<void* (*)(void*)>(500, nothing));
  if (how == "many-rounds") return many_rounds();
  if (how == "places") return own_places();
  if (how == "alone") return needs_the_place_alone();
  if (how == "stalls-once") return stalls_once();
  if (how == "unseen") return unseen_block();
  if (how == "inherited") awaited = atoi(argv[2]);
  if (how == "named") awaited = open(argv[2], O_RDWR);
  if (how == "signalled") return awaits_signal();
  if (awaited >= 0) together({awaits, nothing});
  if (how == "who") {
    together({nothing, nothing});
    printf("%d\n", getpid());
    return 1;
  }
  if (how == "refuse") {
    for (int i = 2; i < argc; ++i) fprintf(stderr, "refused <%s>\n", argv[i]);
    return 1;
  }
  if (how == "say") printf("%s\n", argv[2]);
  if (how == "cat") {
    char line[100];
    while (fgets(line, sizeof line, stdin) != nullptr) fputs(line, stdout);
  }
  if (how == "spin") {
    for (volatile int i = 0;;) {
      i = i + 1;
    }
  }
  return 0;
}
