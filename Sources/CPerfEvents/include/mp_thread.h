/// The kernel's words on a thread while it runs on: small files that stay open.
#ifndef MP_THREAD_H
#define MP_THREAD_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct mp_thread_files {
  /// `schedstat` and `stat` of a thread; -1 where the kernel has none.
  int schedule, status;
} mp_thread_files;

/// Opens the files of a thread.
mp_thread_files mp_thread_open(int process, int thread);
void mp_thread_close(mp_thread_files files);

/// Counts how often a thread has come to a processor, and the nanoseconds that it was on one; false where that is not
/// told.
bool mp_thread_slices(mp_thread_files files, uint64_t *slices, uint64_t *nanoseconds);

/// The letter of a thread's state (`R` running or ready, `S` and `D` waiting …); 0 where it is gone.
char mp_thread_state(mp_thread_files files);

/// A number that differs when a process has become another program: where its stack began; 0 where it is not told.
uint64_t mp_thread_epoch(mp_thread_files files);

/// The name of a system call of this machine that threads wait in; NULL for others.
const char *mp_system_call_name(int64_t number);

/// Nanoseconds that this process was on processors.
uint64_t mp_own_time(void);
/// The same of the children that have ended and were waited for.
uint64_t mp_children_time(void);

/// Nanoseconds that all threads of a process were on processors, those that have ended too; 0 where it is gone.
uint64_t mp_process_time(int process);

/// Copies memory of a process; how many bytes were readable from `address` on.
long mp_copy_memory(int process, uint64_t address, void *to, uint64_t size);

#ifdef __cplusplus
}
#endif
#endif
