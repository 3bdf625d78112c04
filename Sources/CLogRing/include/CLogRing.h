/// The machine's services for the log writer: publication of a record in memory that outlives the process, and CRC-32C.
#ifndef MPAAS_LOG_RING_H
#define MPAAS_LOG_RING_H

#include <stddef.h>
#include <stdint.h>

/// Writes `value` so that all that was written before it is seen by who reads it.
static inline void mp_log_publish(uint32_t *place, uint32_t value) { __atomic_store_n(place, value, __ATOMIC_RELEASE); }

/// Reads what `mp_log_publish` wrote.
static inline uint32_t mp_log_published(const uint32_t *place) { return __atomic_load_n(place, __ATOMIC_ACQUIRE); }

/// CRC-32C (RFC 3720, appendix B.4) of bytes that follow those whose value is `before`; 0 for the first.
uint32_t mp_log_crc32c(uint32_t before, const void *bytes, size_t size);

/// The same without an instruction of the processor.
uint32_t mp_log_crc32c_by_tables(uint32_t before, const void *bytes, size_t size);

/// Copies `size` bytes, each combined with one of `keystream` by exclusive or; as they are where that is NULL.
void mp_log_mix(void *target, const void *source, const void *keystream, size_t size);

/// Tells whether two ranges of memory are the same; 0 where they are not.
static inline int mp_log_same(const void *one, const void *other, size_t size) {
  return __builtin_memcmp(one, other, size) == 0;
}

/// The system's number of the thread that calls; asked for once in each thread.
uint64_t mp_log_thread(void);

/// The number of times that the process was copied by fork since `mp_log_watch_forks` was called first.
uint32_t mp_log_forks(void);
void mp_log_watch_forks(void);

#endif
