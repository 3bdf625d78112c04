#define _GNU_SOURCE
#include "hang_faults.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#define GUILTY __attribute__((noinline, optnone))

uint64_t hang_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static void rest(uint64_t nanoseconds) {
  uint64_t end = hang_now() + nanoseconds;
  for (uint64_t now; (now = hang_now()) < end;) {
    struct timespec left = {(time_t)((end - now) / 1000000000u), (long)((end - now) % 1000000000u)};
    nanosleep(&left, NULL);
  }
}

GUILTY uint64_t hang_busy(uint64_t nanoseconds) {
  uint64_t start = hang_now();
  volatile unsigned sum = 0;
  while (hang_now() - start < nanoseconds) {
    for (unsigned index = 0; index < 10000; index++) sum += index * index;
  }
  return hang_now() - start;
}

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static _Atomic int is_held;
static int ends[2];

static void *hold(void *length) {
  pthread_mutex_lock(&mutex);
  atomic_store(&is_held, 1);
  rest(*(uint64_t *)length);
  pthread_mutex_unlock(&mutex);
  return NULL;
}

GUILTY uint64_t hang_lock(uint64_t nanoseconds) {
  pthread_t holder;
  atomic_store(&is_held, 0);
  uint64_t start = hang_now();
  pthread_create(&holder, NULL, hold, &nanoseconds);
  while (atomic_load(&is_held) == 0) usleep(100);
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  uint64_t length = hang_now() - start;
  pthread_join(holder, NULL);
  return length;
}

static void *write_later(void *length) {
  rest(*(uint64_t *)length);
  return write(ends[1], "x", 1) == 1 ? NULL : ends;
}

GUILTY uint64_t hang_read(uint64_t nanoseconds) {
  pthread_t writer;
  char byte;
  if (pipe(ends) != 0) return 0;
  uint64_t start = hang_now();
  pthread_create(&writer, NULL, write_later, &nanoseconds);
  while (read(ends[0], &byte, 1) != 1 && errno == EINTR) continue;
  uint64_t length = hang_now() - start;
  pthread_join(writer, NULL);
  close(ends[0]);
  close(ends[1]);
  return length;
}

GUILTY uint64_t hang_page_faults(uint64_t nanoseconds) {
  uint64_t start = hang_now();
  size_t size = 4 << 20;
  volatile char *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return 0;
  while (hang_now() - start < nanoseconds) {
    for (size_t place = 0; place < size; place += 4096) memory[place] = 1;
    madvise((void *)memory, size, MADV_DONTNEED);
  }
  munmap((void *)memory, size);
  return hang_now() - start;
}

static int interruptions;

int hang_interruptions(void) {
  return interruptions;
}

GUILTY uint64_t hang_sleep(uint64_t nanoseconds) {
  uint64_t start = hang_now();
  struct timespec length = {(time_t)(nanoseconds / 1000000000u), (long)(nanoseconds % 1000000000u)}, left;
  while (nanosleep(&length, &left) != 0 && errno == EINTR) {
    interruptions++;
    length = left;
  }
  return hang_now() - start;
}

GUILTY uint64_t hang_call(void (*function)(void *context), void *context) {
  uint64_t start = hang_now();
  function(context);
  return hang_now() - start;
}

GUILTY uint64_t hang_piece(uint64_t nanoseconds) {
  uint64_t start = hang_now();
  while (hang_now() - start < nanoseconds) continue;
  return hang_now() - start;
}

void hang_crash(void) {
  *(volatile int *)8 = 1;
}
