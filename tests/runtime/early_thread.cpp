// A library that starts a thread when it is loaded.
#include <pthread.h>
#include <unistd.h>

__attribute__((constructor)) static void start_early() {
  pthread_t thread;
  pthread_create(
      &thread, nullptr,
      [](void*) -> void* {
        for (;;) pause();
      },
      nullptr);
}
