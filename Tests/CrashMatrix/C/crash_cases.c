#define _GNU_SOURCE
#include "crash_cases.h"

#include <crash_reporter.h>

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define CASE __attribute__((noinline))

void crash_case_cxx_exception(void);

/// Keeps the compiler from knowing what it would rather not compile.
static void *volatile nowhere = 0;
static volatile int zero = 0;
static volatile int sink = 0;

CASE static void null_read(void) {
  sink = *(volatile int *)nowhere;  // crash: null-read
  sink++;
}

CASE static void null_write(void) {
  *(volatile int *)nowhere = 1;  // crash: null-write
  sink++;
}

CASE static void wild_jump(void) {
  void (*volatile target)(void) = (void (*)(void))(uintptr_t)0xdead0000beefULL;
  target();  // crash: wild-jump
  sink++;
}

CASE static int overflow(int depth) {
  volatile char room[512];
  memset((void *)room, depth, sizeof room);  // crash: stack-overflow
  return overflow(depth + 1) + room[depth & 511];  // crash: stack-overflow
}

CASE static void *overflow_thread(void *unused) {
  (void)unused;
  sink = overflow(0);
  return 0;
}

CASE static void stack_overflow(void) { sink = overflow(0); }

CASE static void in_thread(void *(*body)(void *)) {
  pthread_t thread;
  if (pthread_create(&thread, 0, body, 0) != 0) exit(3);
  pthread_join(thread, 0);
}

CASE static void stack_overflow_thread(void) { in_thread(overflow_thread); }

__attribute__((noinline)) static void stack_smash(void) {
  volatile char room[16];
  volatile size_t length = 64;
  memset((void *)room, 0x41, length);
  sink = room[3];
}  // crash: stack-smash

CASE static void division_by_zero(void) {
  sink = 7 / zero;  // crash: division-by-zero
}

CASE static void bus_error(void) {
  FILE *file = tmpfile();
  if (!file || ftruncate(fileno(file), 8192) != 0) exit(3);
  volatile char *map = mmap(0, 8192, PROT_READ | PROT_WRITE, MAP_SHARED, fileno(file), 0);
  if ((void *)map == MAP_FAILED || ftruncate(fileno(file), 0) != 0) exit(3);
  map[4096] = 1;  // crash: bus-error
  sink++;
}

CASE static void illegal_instruction(void) {
#if defined(__x86_64__)
  __asm__ volatile("ud2");  // crash: illegal-instruction
#else
  __asm__ volatile(".inst 0");  // crash: illegal-instruction
#endif
  sink++;
}

CASE static void abort_itself(void) {
  abort();  // crash: abort
}

CASE static void fail_assertion(void) {
  assert(zero == 1 && "the order book is empty");  // crash: assert
}

CASE static void *raise_here(void *unused) {
  (void)unused;
  raise(SIGABRT);  // crash: raise-from-thread
  sink++;
  return 0;
}

CASE static void raise_from_thread(void) { in_thread(raise_here); }

CASE static void crashing_handler(int number) {
  (void)number;
  *(volatile int *)nowhere = 2;  // crash: crash-in-handler
  sink++;
}

CASE static void crash_in_handler(void) {
  struct sigaction action = {.sa_handler = crashing_handler};
  sigaction(SIGUSR1, &action, 0);
  raise(SIGUSR1);
  sink++;
}

/// Takes the lock of glibc's main arena, as a thread does that is inside malloc.
///
/// A freed chunk that is too large for the thread's own cache points back into the arena: to its field `top`,
/// 96 bytes behind the lock.
CASE static void *hold_malloc_lock(void *held) {
  void *volatile large = malloc(4000);
  void *volatile fence = malloc(16);
  free(large);
  char *top = *(char **)large;
  sink = fence != 0;
  *(volatile int *)(top - 96) = 1;
  *(volatile int *)held = 1;
  for (;;) pause();
}

CASE static void malloc_lock(void) {
  static volatile int held = 0;
  mallopt(M_ARENA_MAX, 1);
  pthread_t thread;
  if (pthread_create(&thread, 0, hold_malloc_lock, (void *)&held) != 0) exit(3);
  while (!held) usleep(1000);
  *(volatile int *)nowhere = 3;  // crash: malloc-lock
  sink++;
}

static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
static volatile int waiting = 0;

CASE static void *wait_for_ever(void *unused) {
  (void)unused;
  __atomic_add_fetch(&waiting, 1, __ATOMIC_SEQ_CST);
  for (;;) pause();
}

void crash_case_start_threads(int count) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, 256 * 1024);
  for (int index = 0; index < count; index++) {
    pthread_t thread;
    if (pthread_create(&thread, &attributes, wait_for_ever, 0) != 0) exit(3);
  }
  while (__atomic_load_n(&waiting, __ATOMIC_SEQ_CST) < count) usleep(1000);
}

CASE static void many_threads(void) {
  crash_case_start_threads(200);
  *(volatile int *)nowhere = 4;  // crash: many-threads
  sink++;
}

CASE static void *crash_too(void *unused) {
  (void)unused;
  pthread_mutex_lock(&gate);
  pthread_mutex_unlock(&gate);
  *(volatile int *)nowhere = 5;  // crash: double-crash
  sink++;
  return 0;
}

/// Two threads come through the gate at the same moment and crash both.
CASE static void double_crash(void) {
  pthread_mutex_lock(&gate);
  pthread_t threads[2];
  for (int index = 0; index < 2; index++) {
    if (pthread_create(&threads[index], 0, crash_too, 0) != 0) exit(3);
  }
  usleep(50000);
  pthread_mutex_unlock(&gate);
  for (int index = 0; index < 2; index++) pthread_join(threads[index], 0);
}

/// Overwrites its own frame and its callers' with nonsense.
CASE static void corrupted_stack(void) {
  volatile uintptr_t *frame = __builtin_frame_address(0);
  for (int index = 0; index < 24; index++) frame[index] = 0x4141414141414141ULL + (uintptr_t)index;
  *(volatile int *)nowhere = 6;  // crash: corrupted-stack
  sink++;
}

static const struct {
  const char *name;
  void (*run)(void);
} cases[] = {
    {"null-read", null_read},
    {"null-write", null_write},
    {"wild-jump", wild_jump},
    {"stack-overflow", stack_overflow},
    {"stack-overflow-thread", stack_overflow_thread},
    {"stack-smash", stack_smash},
    {"division-by-zero", division_by_zero},
    {"bus-error", bus_error},
    {"illegal-instruction", illegal_instruction},
    {"abort", abort_itself},
    {"assert", fail_assertion},
    {"raise-from-thread", raise_from_thread},
    {"crash-in-handler", crash_in_handler},
    {"malloc-lock", malloc_lock},
    {"many-threads", many_threads},
    {"double-crash", double_crash},
    {"corrupted-stack", corrupted_stack},
    {"cxx-exception", crash_case_cxx_exception},
};

int crash_case_run(const char *name) {
  for (size_t index = 0; index < sizeof cases / sizeof *cases; index++) {
    if (strcmp(cases[index].name, name) == 0) {
      cases[index].run();
      sink++;
      return 1;
    }
  }
  return 0;
}

int crash_case_report_to(const char *directory) {
  setenv("MPAAS_CRASH_DIRECTORY", directory, 1);
  return enable_crash_reporter_service();
}
