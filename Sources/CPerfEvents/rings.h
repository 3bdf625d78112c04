/// The rings that the kernel writes records into, one for each processor. Private to CPerfEvents.
#ifndef MP_RINGS_H
#define MP_RINGS_H

#include "mp_perf.h"

enum { MP_RING_LIMIT = 1024, MP_RECORD_LIMIT = 1 << 16, MP_KERNEL_LIMIT = 128 };

typedef struct mp_ring {
  /// The page that both sides keep their places in; NULL where there is no such processor.
  void *control;
  uint8_t *bytes;
  size_t size;
  int file;
  /// The place that a round of reading ends at.
  uint64_t end;
} mp_ring;

struct mp_perf {
  mp_perf_options options;
  int processors;
  mp_ring rings[MP_RING_LIMIT];
  int *files;
  size_t file_count, file_room;
  /// The identifiers of events that sample waits.
  uint64_t *waits;
  size_t wait_count, wait_room;
  /// Room for a record that begins at a ring's end and goes on at its start.
  uint8_t *scratch;
  uint64_t kernel[MP_KERNEL_LIMIT];
};

/// Takes note of an event that samples waits.
void mp_ring_learn_wait(mp_perf *perf, uint64_t id);

#endif
