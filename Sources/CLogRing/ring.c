#include "CLogRing.h"

#include <pthread.h>
#include <string.h>

#if defined(__linux__)
#include <sys/syscall.h>
#include <unistd.h>
#endif

void mp_log_mix(void *target, const void *source, const void *keystream, size_t size) {
  if (!keystream) {
    memcpy(target, source, size);
    return;
  }
  uint8_t *restrict to = target;
  const uint8_t *restrict from = source;
  const uint8_t *restrict with = keystream;
  for (size_t i = 0; i < size; i++) to[i] = from[i] ^ with[i];
}

uint64_t mp_log_thread(void) {
  static __thread uint64_t number;
  if (number) return number;
#if defined(__linux__)
  number = (uint64_t)syscall(SYS_gettid);
#elif defined(__APPLE__)
  pthread_threadid_np(NULL, &number);
#else
  number = (uint64_t)(uintptr_t)pthread_self();
#endif
  return number;
}

static uint32_t forks;

static void in_child(void) { __atomic_add_fetch(&forks, 1, __ATOMIC_RELAXED); }

static void watch(void) { pthread_atfork(NULL, NULL, in_child); }

void mp_log_watch_forks(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, watch);
}

uint32_t mp_log_forks(void) { return __atomic_load_n(&forks, __ATOMIC_RELAXED); }
