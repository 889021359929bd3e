// A program that does, on request, what programs do that makes a runtime inside them stumble. It prints what it saw; the
// tests compare that with a run without us.
#include <dlfcn.h>
#include <fcntl.h>
#include <malloc.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <random>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

extern char** environ;

namespace {

struct DiesEarly {
  DiesEarly() {
    if (std::getenv("DIE_IN_CONSTRUCTOR") != nullptr) std::abort();
  }
} dies_early;

int wait_for(pid_t child) {
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
}

int echo(int argc, char** argv) {
  for (int i = 2; i < argc; ++i) std::printf("%s\n", argv[i]);
  std::printf("environ follows argv: %d\n", environ == argv + argc + 1 || environ[0] != nullptr);
  return 0;
}

int environment(int, char**) {
  for (const char* name : {"LD_PRELOAD", "HEDDLE_CONTROL", "TMPDIR", "HOME"}) {
    const char* value = std::getenv(name);
    std::printf("%s=%s\n", name, value == nullptr ? "(unset)" : value);
  }
  return 0;
}

// The lowest free descriptor and every open one below 1000: ours must not show, neither here nor in a child.
int descriptors(int, char**) {
  for (int i = 0; i < 900; ++i) {
    if (fcntl(i, F_GETFD) >= 0) std::printf("%d ", i);
  }
  std::printf("\n");
  std::fflush(stdout);
  return std::system(
      "for f in /proc/self/fd/*; do n=${f##*/}; [ $n -gt 2 ] && [ $n -ge 900 ] && echo leaked $n; "
      "done; true");
}

int signals(int, char**) {
  for (int s = 1; s < 32; ++s) {
    struct sigaction action {};
    sigset_t mask;
    if (sigaction(s, nullptr, &action) != 0) continue;
    sigprocmask(SIG_SETMASK, nullptr, &mask);
    std::printf("%d:%s%s ", s, action.sa_handler == SIG_DFL ? "default" : "other",
                sigismember(&mask, s) == 1 ? "!" : "");
  }
  std::printf("\n");
  return 0;
}

int threads(int argc, char** argv) {
  const int count = argc > 2 ? std::atoi(argv[2]) : 4;
  std::mutex mutex;
  long sum = 0;
  std::vector<std::thread> all;
  for (int i = 0; i < count; ++i) {
    all.emplace_back([&, i] {
      std::lock_guard guard(mutex);
      sum += i;
    });
  }
  for (auto& thread : all) thread.join();
  std::printf("sum %ld\n", sum);
  return sum == long{count} * (count - 1) / 2 ? 0 : 3;
}

int nested(int, char**) {
  std::atomic<int> leaves{0};
  std::function<void(int)> grow = [&](int depth) {
    if (depth == 0) {
      ++leaves;
      return;
    }
    std::thread left(grow, depth - 1);
    std::thread right(grow, depth - 1);
    left.join();
    right.join();
  };
  grow(4);
  std::printf("leaves %d\n", leaves.load());
  return 0;
}

int exit_in_thread(int, char**) {
  std::thread([] { std::exit(7); }).join();
  return 0;
}

int fork_only(int, char**) {
  std::fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    std::thread([] { std::printf("child thread\n"); }).join();
    std::fflush(stdout);
    std::exit(5);
  }
  std::printf("child ended with %d\n", wait_for(child));
  return 0;
}

int fork_exec(int, char**) {
  std::fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    execlp("sh", "sh", "-c", "echo from sh; exit 4", nullptr);
    _exit(99);
  }
  std::printf("child ended with %d\n", wait_for(child));
  return 0;
}

int vfork_exec(int, char**) {
  std::fflush(stdout);
  for (const char* program : {"/bin/true", "/bin/false", "/nowhere/at/all"}) {
    const pid_t child = vfork();
    if (child == 0) {
      execl(program, program, nullptr);
      _exit(42);
    }
    std::printf("%s: %d\n", program, wait_for(child));
    std::fflush(stdout);
  }
  return 0;
}

int spawn(int, char**) {
  std::fflush(stdout);
  pid_t child = 0;
  char* const arguments[] = {const_cast<char*>("sh"), const_cast<char*>("-c"),
                             const_cast<char*>("echo spawned; exit 6"), nullptr};
  const int error = posix_spawnp(&child, "sh", nullptr, nullptr, arguments, environ);
  std::printf("spawn %d, ended with %d\n", error, wait_for(child));
  std::fflush(stdout);
  FILE* pipe = popen("echo through a pipe", "r");
  char line[64] = "";
  if (std::fgets(line, sizeof line, pipe) != nullptr) std::printf("%s", line);
  std::printf("pclose %d\n", pclose(pipe));
  return 0;
}

int exec_itself(int, char** argv) {
  execl(argv[0], argv[0], "echo", "second life", nullptr);
  return 9;
}

int daemonise(int, char** argv) {
  if (daemon(1, 1) != 0) return 8;
  FILE* file = std::fopen(argv[2], "w");
  std::fprintf(file, "the daemon was here\n");
  std::fclose(file);
  return 0;
}

int linger(int, char**) {
  if (daemon(1, 1) != 0) return 8;
  pause();
  return 0;
}

int crash(int, char**) {
  std::fflush(stdout);
  raise(SIGSEGV);
  return 0;
}

int exceptions(int, char**) {
  try {
    std::size_t huge = ~std::size_t{0} / 4;
    char* block =
        static_cast<char*>(::operator new(huge));  // a call, which the compiler may not leave out
    block[0] = 1;
    ::operator delete(block);
    std::printf("no exception\n");
  } catch (const std::bad_alloc&) {
    std::printf("bad_alloc came through\n");
  }
  std::once_flag flag;
  try {
    std::call_once(flag, [] { throw std::runtime_error("once"); });
  } catch (const std::runtime_error& error) {
    std::printf("caught %s\n", error.what());
  }
  std::call_once(flag, [] { std::printf("second try\n"); });
  return 0;
}

struct Noisy {
  ~Noisy() { std::printf("unwound\n"); }
};

int cancel(int, char**) {
  pthread_t thread;
  pthread_create(
      &thread, nullptr,
      [](void*) -> void* {
        Noisy noisy;
        for (;;) usleep(1000);
      },
      nullptr);
  usleep(5000);
  pthread_cancel(thread);
  void* result = nullptr;
  pthread_join(thread, &result);
  std::printf("cancelled: %d\n", result == PTHREAD_CANCELED);
  pthread_create(
      &thread, nullptr,
      [](void*) -> void* {
        Noisy noisy;
        pthread_exit(reinterpret_cast<void*>(17));
      },
      nullptr);
  pthread_join(thread, &result);
  std::printf("exited with %ld\n", reinterpret_cast<long>(result));
  return 0;
}

int cpus(int, char**) {
  cpu_set_t mask;
  CPU_ZERO(&mask);
  sched_getaffinity(0, sizeof mask, &mask);
  std::printf("%d %ld %u\n", CPU_COUNT(&mask), sysconf(_SC_NPROCESSORS_ONLN),
              std::thread::hardware_concurrency());
  std::fflush(stdout);
  return std::system("nproc");
}

int heap(int, char**) {
  std::vector<std::unique_ptr<char[]>> blocks;
  for (std::size_t size : {1, 16, 24, 100, 5000, 200000, 3000000}) {
    blocks.push_back(std::make_unique<char[]>(size));
    std::memset(blocks.back().get(), 7, size);
  }
  void* block = std::malloc(10);
  for (int i = 1; i < 20; ++i) block = std::realloc(block, std::size_t{1} << i);
  std::free(block);
  void* aligned = nullptr;
  const int error = posix_memalign(&aligned, 256, 1000);
  std::printf("%d %d %d\n", error, reinterpret_cast<std::uintptr_t>(aligned) % 256 == 0,
              malloc_usable_size(aligned) >= 1000);
  std::free(aligned);
  std::free(std::aligned_alloc(64, 640));
  std::free(memalign(32, 7));
  std::free(std::calloc(7, 9));
  std::free(strdup("text"));
  struct alignas(128) Wide {
    char bytes[128];
  };
  auto wide = std::make_unique<Wide>();
  std::printf("%d\n", reinterpret_cast<std::uintptr_t>(wide.get()) % 128 == 0);
  std::map<std::string, std::string> map;
  for (int i = 0; i < 1000; ++i)
    map[std::to_string(i)] = std::string(static_cast<std::size_t>(i), 'x');
  std::printf("%zu\n", map.size());
  return 0;
}

int load(int, char**) {
  void* library = dlopen("libz.so.1", RTLD_NOW);
  if (library == nullptr) library = dlopen("libm.so.6", RTLD_NOW);
  std::printf("loaded %d\n", library != nullptr);
  std::thread([] {}).join();
  std::printf("closed %d\n", dlclose(library));
  return 0;
}

int random_numbers(int, char**) {
  std::random_device device;
  std::printf("%u %u\n", device(), device());
  return 0;
}

// A program's own death test: the child's abort must look like one.
int death_test(int, char**) {
  std::fflush(stdout);
  const pid_t child = fork();
  if (child == 0) std::abort();
  std::printf("child ended with %d\n", wait_for(child));
  return 0;
}

int input(int, char**) {
  char line[100];
  while (std::fgets(line, sizeof line, stdin) != nullptr) std::printf("read %s", line);
  return 0;
}

int spin_counter(int, char**) {
  std::atomic<long> counter{0};
  std::mutex mutex;
  auto work = [&] {
    for (int i = 0; i < 200; ++i) {
      std::lock_guard guard(mutex);
      ++counter;
    }
  };
  std::thread a(work);
  std::thread b(work);
  a.join();
  b.join();
  std::printf("%ld\n", counter.load());
  return 0;
}

const std::map<std::string, int (*)(int, char**)> kActs = {
    {"echo", echo},
    {"environment", environment},
    {"descriptors", descriptors},
    {"signals", signals},
    {"threads", threads},
    {"nested", nested},
    {"exit_in_thread", exit_in_thread},
    {"fork", fork_only},
    {"fork_exec", fork_exec},
    {"vfork", vfork_exec},
    {"spawn", spawn},
    {"exec", exec_itself},
    {"daemon", daemonise},
    {"linger", linger},
    {"crash", crash},
    {"exceptions", exceptions},
    {"cancel", cancel},
    {"cpus", cpus},
    {"heap", heap},
    {"dlopen", load},
    {"random", random_numbers},
    {"death_test", death_test},
    {"input", input},
    {"spin_counter", spin_counter},
};

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) return 64;
  const auto act = kActs.find(argv[1]);
  return act == kActs.end() ? 64 : act->second(argc, argv);
}
