#define _GNU_SOURCE
#include <link.h>
#include <malloc.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "faults.h"

static int *volatile nowhere;

static void *idle(void *argument) {
  pthread_setname_np(pthread_self(), "idle");
  for (;;) pause();
  return argument;
}

void fault_start_idle_threads(int count) {
  pthread_t thread;
  for (int index = 0; index < count; index++) pthread_create(&thread, NULL, idle, NULL);
}

static void own_handler(int number) {
  char text[] = "own handler 00\n";
  text[12] = (char)('0' + number / 10);
  text[13] = (char)('0' + number % 10);
  if (write(2, text, sizeof text - 1) < 0) _exit(3);
  signal(number, SIG_DFL);
  raise(number);
}

void fault_install_own_handlers(void) {
  static const int numbers[] = {SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGABRT, SIGFPE, SIGSYS};
  for (size_t index = 0; index < sizeof numbers / sizeof *numbers; index++) signal(numbers[index], own_handler);
}

static void *raises(void *argument) {
  raise(SIGSEGV);  // crash: raise-from-thread
  return argument;
}

void fault_raise_from_thread(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, raises, NULL);
  pthread_join(thread, NULL);
}

static void faulty_handler(int number) {
  *nowhere = number;  // crash: crash-in-handler
}

void fault_in_handler(void) {
  signal(SIGUSR1, faulty_handler);
  raise(SIGUSR1);
}

static void *crashes(void *argument) {
  pthread_barrier_wait(argument);
  *nowhere = 5;  // crash: double-crash
  return argument;
}

void fault_twice(void) {
  static pthread_barrier_t barrier;
  pthread_barrier_init(&barrier, NULL, 2);
  pthread_t thread;
  pthread_create(&thread, NULL, crashes, &barrier);
  crashes(&barrier);
}

// MARK: A thread that holds the loader's lock

static _Atomic int holds_loader;

static int stay(struct dl_phdr_info *image, size_t size, void *context) {
  (void)image, (void)size, (void)context;
  atomic_store(&holds_loader, 1);
  for (;;) pause();
  return 0;
}

static void *iterate(void *argument) {
  dl_iterate_phdr(stay, NULL);
  return argument;
}

void fault_with_loader_lock(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, iterate, NULL);
  while (!atomic_load(&holds_loader)) usleep(1000);
  *nowhere = 8;  // crash: loader-lock
}

// MARK: A thread that holds malloc's lock

static _Atomic int released;
static _Atomic int probed;

static void hold_still(int number) {
  (void)number;
  while (!atomic_load(&released)) usleep(1000);
}

static void *allocates(void *argument) {
  // Sizes that no cache of the thread serves, so that each call takes the arena's lock.
  for (size_t size = 4096;; size = size % 65536 + 4096) {
    char *volatile memory = malloc(size);
    memory[0] = 1;
    free(memory);
  }
  return argument;
}

/// Comes back only when no arena is locked.
static void *probe(void *argument) {
  mallinfo2();
  atomic_store(&probed, 1);
  return argument;
}

void fault_with_malloc_lock(void) {
  pthread_t allocator, prober;
  signal(SIGUSR2, hold_still);
  pthread_create(&allocator, NULL, allocates, NULL);
  for (int round = 0; round < 2000; round++) {
    usleep(500);
    atomic_store(&released, 0);
    atomic_store(&probed, 0);
    pthread_kill(allocator, SIGUSR2);
    usleep(500);
    pthread_create(&prober, NULL, probe, NULL);
    for (int wait = 0; wait < 40 && !atomic_load(&probed); wait++) usleep(1000);
    if (!atomic_load(&probed)) *nowhere = 9;  // crash: malloc-lock
    pthread_join(prober, NULL);
    atomic_store(&released, 1);
  }
  exit(3);
}

static void *deaf(void *argument) {
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, NULL);
  pthread_setname_np(pthread_self(), "deaf");
  for (;;) pause();
  return argument;
}

void fault_with_deaf_thread(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, deaf, NULL);
  usleep(50000);
  *nowhere = 4;  // crash: deaf-thread
}

void fault_in_child(void) {
  pid_t child = fork();
  if (child == 0) *nowhere = 3;  // crash: fork
  int status = 0;
  waitpid(child, &status, 0);
  exit(WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV ? 0 : 3);
}
