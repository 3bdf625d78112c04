#if !defined(_GNU_SOURCE)
#define _GNU_SOURCE
#endif

#include "mp_span.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "mp_text.h"

int mp_spans_on;
__thread mp_span_ring *mp_own_spans;

static _Atomic(mp_span_ring *) rings;
static _Atomic uint64_t threads;

/// The rings of threads that have ended stay: what they recorded is read later.
mp_span_ring *mp_span_ring_make(void) {
  mp_span_ring *ring = calloc(1, sizeof *ring);
  if (ring == NULL) return NULL;
  ring->thread = atomic_fetch_add(&threads, 1) + 1;
  ring->tid = mp_thread_id();
  ring->following = atomic_load(&rings);
  while (!atomic_compare_exchange_weak(&rings, &ring->following, ring)) continue;
  mp_own_spans = ring;
  return ring;
}

mp_span_ring *mp_span_rings(void) {
  return atomic_load(&rings);
}

static uint64_t clock_now(void) {
  struct timespec now = {0};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

typedef struct {
  uint64_t clock, count;
} moment;

/// Both clocks at the same moment, as near as can be: the closest of some pairs.
static moment look(void) {
  moment best = {0, 0};
  uint64_t closest = UINT64_MAX;
  for (int turn = 0; turn < 16; turn++) {
    uint64_t before = mp_span_count(), clock = clock_now(), after = mp_span_count();
    if (after - before >= closest) continue;
    closest = after - before;
    best = (moment){clock, before + (after - before) / 2};
  }
  return best;
}

static moment begun;

__attribute__((constructor)) static void begin(void) {
  begun = look();
}

uint64_t mp_span_nanoseconds(uint64_t count) {
  moment now = look();
  // The longer the program has run, the more exact is the ratio.
  double ratio = now.count > begun.count ? (double)(now.clock - begun.clock) / (double)(now.count - begun.count) : 1;
  double since = ((double)count - (double)now.count) * ratio;
  double result = (double)now.clock + since;
  return result > 0 ? (uint64_t)result : 0;
}
