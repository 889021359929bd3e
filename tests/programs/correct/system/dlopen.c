// WHAT    A library is loaded and used by threads.
// EXPECT  pass
// WITHIN  strategy every runs 40 seed 1
// LINK    -ldl
#include <assert.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>

static void* use_library(void* unused) {
  void* library = dlopen("libm.so.6", RTLD_NOW);
  assert(library != NULL);
  double (*cosine)(double) = (double (*)(double))dlsym(library, "cos");
  assert(cosine != NULL && cosine(0.0) == 1.0);
  assert(dlclose(library) == 0);
  return unused;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, use_library, NULL);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  return 0;
}
