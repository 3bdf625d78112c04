/// Memory of a process or of a core, read without ever faulting.
#ifndef MP_MEMORY_H
#define MP_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The way of reading the memory of another process.
typedef struct mp_memory {
  /// Copies `size` bytes from `address` to `to`; returns how many were readable, counted from `address`.
  size_t (*read)(void *context, uint64_t address, void *to, size_t size);
  void *context;
} mp_memory;

/// Reads all of `size` bytes, or says false.
bool mp_memory_read(const mp_memory *memory, uint64_t address, void *to, size_t size);

#define MP_PAGE_SIZE 4096u
#define MP_PAGE_SLOTS 64u

/// A live process' memory with a small cache of pages; the own process is allowed.
///
/// It is about 260 KiB large, so it belongs into preallocated memory, not on a signal stack.
/// After `mp_process_memory_open` all use of it is async-signal-safe.
typedef struct mp_process_memory {
  int pid;
  /// `/proc/PID/mem`, opened only where `process_vm_readv` is refused; -1 where it is not open, -2 where it cannot be.
  int file;
  bool vm_read_refused;
  uint64_t pages[MP_PAGE_SLOTS];
  uint16_t lengths[MP_PAGE_SLOTS];
  uint8_t bytes[MP_PAGE_SLOTS][MP_PAGE_SIZE];
} mp_process_memory;

/// Gets ready to read `pid`; opens nothing yet. Async-signal-safe.
void mp_process_memory_open(mp_process_memory *process, int pid);
/// Forgets every page, because the process ran in between. Async-signal-safe.
void mp_process_memory_flush(mp_process_memory *process);
/// Closes what was opened. Async-signal-safe.
void mp_process_memory_close(mp_process_memory *process);
/// The reader of `process`, which must stay where it is.
mp_memory mp_process_memory_reader(mp_process_memory *process);

#ifdef __cplusplus
}
#endif
#endif
