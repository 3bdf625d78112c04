/// Spans and marks: what each thread has recorded, in a ring of its own.
///
/// Recording neither locks nor calls the system: a word that says whether it is wanted, the processor's own count of time,
/// and 32 bytes of the thread's memory.
#ifndef MP_SPAN_H
#define MP_SPAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>
#if defined(__x86_64__)
#include <x86intrin.h>
#endif

#ifdef __cplusplus
extern "C" {
#endif

/// Entries of a ring; a power of two.
enum { MP_SPAN_RING = 8192 };

typedef enum mp_span_kind { MP_SPAN_BEGIN = 0, MP_SPAN_END = 1, MP_SPAN_MARK = 2 } mp_span_kind;

typedef struct mp_span_entry {
  /// The processor's count.
  uint64_t time;
  /// The text of the tag, NUL-terminated, which lives as long as the process.
  const char *_Nullable tag;
  /// The number of the span, with the kind in the two highest bits.
  uint64_t span;
  /// The number of the span around it; 0 for none.
  uint64_t parent;
} mp_span_entry;

typedef struct mp_span_ring {
  uint64_t next;
  /// The number of the thread among those that recorded; it stands in the upper half of the numbers of its spans.
  uint64_t thread;
  uint64_t spans;
  /// The innermost span that is under way on the thread; 0 for none.
  uint64_t current;
  int tid;
  struct mp_span_ring *_Nullable following;
  mp_span_entry entries[MP_SPAN_RING];
} mp_span_ring;

/// 1 while spans are recorded.
extern int mp_spans_on;
extern __thread mp_span_ring *_Nullable mp_own_spans;

/// Makes the ring of the calling thread; NULL where memory is short.
mp_span_ring *_Nullable mp_span_ring_make(void);
/// The rings of all threads that have recorded, the newest first.
mp_span_ring *_Nullable mp_span_rings(void);
/// The number of entries that a ring has had, and the one at a number.
static inline uint64_t mp_span_next(const mp_span_ring *_Nonnull ring) {
  return __atomic_load_n(&ring->next, __ATOMIC_ACQUIRE);
}

static inline mp_span_entry mp_span_at(const mp_span_ring *_Nonnull ring, uint64_t number) {
  return ring->entries[number & (MP_SPAN_RING - 1)];
}

/// The nanoseconds of CLOCK_MONOTONIC that a count of the processor stands for.
uint64_t mp_span_nanoseconds(uint64_t count);

static inline bool mp_spans_are_on(void) {
  return __builtin_expect(__atomic_load_n(&mp_spans_on, __ATOMIC_RELAXED) != 0, 0);
}

static inline void mp_spans_set(bool is_on) {
  __atomic_store_n(&mp_spans_on, is_on ? 1 : 0, __ATOMIC_RELAXED);
}

static inline uint64_t mp_span_count(void) {
#if defined(__x86_64__)
  return __rdtsc();
#elif defined(__aarch64__)
  uint64_t count;
  __asm__ volatile("mrs %0, cntvct_el0" : "=r"(count));
  return count;
#else
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
#endif
}

static inline mp_span_ring *_Nullable mp_span_own_ring(void) {
  mp_span_ring *ring = mp_own_spans;
  return __builtin_expect(ring != NULL, 1) ? ring : mp_span_ring_make();
}

static inline void mp_span_put(
  mp_span_ring *_Nonnull ring, const char *_Nullable tag, uint64_t span, uint64_t parent, mp_span_kind kind) {
  uint64_t next = ring->next;
  mp_span_entry *entry = &ring->entries[next & (MP_SPAN_RING - 1)];
  entry->time = mp_span_count();
  entry->tag = tag;
  entry->span = span | (uint64_t)kind << 62;
  entry->parent = parent;
  __atomic_store_n(&ring->next, next + 1, __ATOMIC_RELEASE);
}

/// Begins a span on the calling thread; `parent` 0 for the one that is under way there.
/// - Returns: Its number, 0 where nothing is recorded.
static inline uint64_t mp_span_begin(const char *_Nonnull tag, uint64_t parent) {
  if (!mp_spans_are_on()) return 0;
  mp_span_ring *ring = mp_span_own_ring();
  if (ring == NULL) return 0;
  uint64_t span = ring->thread << 40 | ++ring->spans;
  mp_span_put(ring, tag, span, parent != 0 ? parent : ring->current, MP_SPAN_BEGIN);
  return span;
}

/// Ends a span, on whatever thread.
static inline void mp_span_end(uint64_t span) {
  if (span == 0) return;
  mp_span_ring *ring = mp_span_own_ring();
  if (ring != NULL) mp_span_put(ring, NULL, span, 0, MP_SPAN_END);
}

/// The innermost span that is under way on the calling thread; 0 for none.
static inline uint64_t mp_span_current(void) {
  mp_span_ring *ring = mp_own_spans;
  return ring == NULL ? 0 : ring->current;
}

/// Makes a span the innermost one of the calling thread.
/// - Returns: The one before.
static inline uint64_t mp_span_enter(uint64_t span) {
  mp_span_ring *ring = span == 0 ? NULL : mp_own_spans;
  if (ring == NULL) return 0;
  uint64_t before = ring->current;
  ring->current = span;
  return before;
}

static inline void mp_span_leave(uint64_t span, uint64_t before) {
  mp_span_ring *ring = span == 0 ? NULL : mp_own_spans;
  if (ring != NULL) ring->current = before;
}

static inline void mp_span_mark(const char *_Nonnull tag) {
  if (!mp_spans_are_on()) return;
  mp_span_ring *ring = mp_span_own_ring();
  if (ring != NULL) mp_span_put(ring, tag, 0, ring->current, MP_SPAN_MARK);
}

#ifdef __cplusplus
}
#endif
#endif
