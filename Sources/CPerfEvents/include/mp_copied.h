/// The memory of a thread at one moment: a copy of its stack, and the files that are mapped.
#ifndef MP_COPIED_H
#define MP_COPIED_H

#include "mp_memory.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Bytes that stand for a range of addresses.
typedef struct mp_span {
  uint64_t start, end;
  const uint8_t *bytes;
} mp_span;

typedef struct mp_copied_memory {
  uint64_t stack_start;
  const uint8_t *stack;
  size_t stack_size;
  /// In order of their addresses, without overlaps.
  const mp_span *spans;
  size_t span_count;
  /// The span that was read last.
  size_t last;
} mp_copied_memory;

/// The reader of `memory`, which must stay where it is.
mp_memory mp_copied_memory_reader(mp_copied_memory *memory);

#ifdef __cplusplus
}
#endif
#endif
