#include <pthread.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include "faults.h"

static volatile int sink;

// The stack may end at any place within a function, so the functions are one line each.
// clang-format off
__attribute__((noinline)) static int overflow_main(int depth) { volatile char room[512]; room[depth % 512] = 1; return overflow_main(depth + 1) + room[1]; }  // crash: stack-overflow
__attribute__((noinline)) static int overflow_thread(int depth) { volatile char room[512]; room[depth % 512] = 1; return overflow_thread(depth + 1) + room[1]; }  // crash: stack-overflow-thread
__attribute__((noinline)) static void smash(size_t size) { char small[16]; memset(small, 'x', size); sink = small[3]; }  // crash: stack-smash
// clang-format on

void fault_stack_overflow(void) {
  sink = overflow_main(0);
}

static void *overflow(void *argument) {
  sink = overflow_thread(0);
  return argument;
}

void fault_stack_overflow_thread(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, overflow, NULL);
  pthread_join(thread, NULL);
}

static volatile size_t too_much = 48;

void fault_stack_smash(void) {
  smash(too_much);
}

/// Leaves a stack that leads back to itself.
__attribute__((noinline)) static void corrupt(void) {
  uintptr_t *volatile frame = __builtin_frame_address(0);
  uintptr_t here = (uintptr_t)&corrupt + 8;
  for (int index = 0; index < 24; index += 2) {
    frame[index] = (uintptr_t)frame;
    frame[index + 1] = here;
  }
  *(volatile int *)8 = 1;  // crash: corrupted-stack
}

void fault_corrupted_stack(void) {
  corrupt();
  sink = 2;
}
