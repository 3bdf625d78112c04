/// Ways to hang, each in a function that a stack is to name. They return how long they took, in nanoseconds.
#ifndef HANG_FAULTS_H
#define HANG_FAULTS_H

#include <stdint.h>

uint64_t hang_now(void);
uint64_t hang_busy(uint64_t nanoseconds);
/// Waits for a mutex that another thread holds for so long.
uint64_t hang_lock(uint64_t nanoseconds);
/// Reads from a pipe that another thread writes to after so long.
uint64_t hang_read(uint64_t nanoseconds);
/// Touches fresh memory again and again.
uint64_t hang_page_faults(uint64_t nanoseconds);
/// Sleeps without being interrupted, as far as it can tell; `hang_interruptions` counts how often it was.
uint64_t hang_sleep(uint64_t nanoseconds);
int hang_interruptions(void);
/// Calls a function that waits, for stacks to name this one.
uint64_t hang_call(void (*_Nonnull function)(void *_Nullable context), void *_Nullable context);
/// A short piece of work, of many.
uint64_t hang_piece(uint64_t nanoseconds);
/// Lies in memory that nothing answers from: a crash.
void hang_crash(void);

#endif
