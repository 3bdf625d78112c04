#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "faults.h"

static volatile int sink;
static int *volatile nowhere;
static void (*volatile wild)(void) = (void (*)(void))0x1234;
static volatile int zero;

void fault_null_read(void) {
  sink = *nowhere;  // crash: null-read
}

void fault_null_write(void) {
  *nowhere = 7;  // crash: null-write
}

void fault_wild_jump(void) {
  wild();  // crash: wild-jump
  sink = 1;
}

void fault_division_by_zero(void) {
  sink = 7 / zero;  // crash: division-by-zero
}

void fault_illegal_instruction(void) {
#if defined(__aarch64__)
  __asm__ volatile("udf #0");
#else
  __asm__ volatile("ud2");  // crash: illegal-instruction
#endif
}

/// Reads a page of a mapped file whose end was cut off meanwhile.
void fault_bus_error(void) {
  char name[] = "/tmp/crash-matrix-XXXXXX";
  int file = mkstemp(name);
  if (file < 0 || ftruncate(file, 8192) != 0) exit(3);
  volatile char *page = mmap(NULL, 8192, PROT_READ, MAP_SHARED, file, 0);
  unlink(name);
  if (page == MAP_FAILED || ftruncate(file, 0) != 0) exit(3);
  sink = page[4096];  // crash: bus-error
}
