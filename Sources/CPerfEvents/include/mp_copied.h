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

/// The copy of a stack, or of a part of one.
typedef struct mp_stack_copy {
  uint64_t start;
  const uint8_t *bytes;
  size_t size;
} mp_stack_copy;

typedef struct mp_copied_memory {
  /// The stack that the thread is on, and the one that a signal took it from; empty where there is none.
  mp_stack_copy stacks[2];
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
