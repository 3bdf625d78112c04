#include "CLogScan.h"
#include "scan.h"

#include <stdlib.h>
#include <string.h>

#if defined(__x86_64__)
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif

// Three bytes of each literal tell where it may stand. What they are is kept by their halves, as sets of eight buckets
// of literals: one bit each. G. Langdale's Teddy of the Hyperscan library looks for several literals that way.
enum { prints = 3, buckets = 8 };

typedef struct {
  const uint8_t *bytes;
  size_t size;
  /// The places of its three bytes.
  size_t print;
  int folds;
} literal;

struct mp_log_literals {
  uint8_t low[prints][16], high[prints][16];
  /// The bucket of each literal, and the literals in the order of their buckets.
  size_t first[buckets + 1];
  size_t count;
  literal *all;
  uint8_t *bytes;
};

static void note(mp_log_literals *set, int place, uint8_t byte, int bucket) {
  set->low[place][byte & 15] |= (uint8_t)(1 << bucket);
  set->high[place][byte >> 4] |= (uint8_t)(1 << bucket);
}

/// The places of the rarest three bytes.
static size_t rarest(const literal *one) {
  const size_t looked_at = one->size < 256 ? one->size : 256;
  size_t found = 0;
  int best = 4 * 256;
  for (size_t i = 0; i + prints <= looked_at; i++) {
    int rank = 0;
    for (size_t j = 0; j < prints; j++) rank += mp_log_commonness(one->bytes[i + j]);
    if (rank <= best) {
      best = rank;
      found = i;
    }
  }
  return found;
}

static int has_same_print(const literal *one, const literal *other) {
  return one->folds == other->folds && memcmp(one->bytes + one->print, other->bytes + other->print, prints) == 0;
}

mp_log_literals *mp_log_literals_make(const uint8_t *bytes, const size_t *sizes, const uint8_t *folds, size_t count) {
  size_t total = 0;
  for (size_t i = 0; i < count; i++) {
    if (sizes[i] < prints) return NULL;
    total += sizes[i];
  }
  mp_log_literals *set = count > 0 ? calloc(1, sizeof *set) : NULL;
  literal *all = calloc(count + 1, sizeof *all);
  int *bucket = calloc(count + 1, sizeof *bucket);
  uint8_t *copy = malloc(total + 1);
  if (!set || !all || !bucket || !copy) {
    free(set), free(all), free(bucket), free(copy);
    return NULL;
  }
  memcpy(copy, bytes, total);
  // Those that go over lines are found in the order of their starts, so that none begins before one that was found.
  const int is_by_start = memchr(copy, '\n', total) != NULL;
  size_t place = 0, others = 0;
  for (size_t i = 0; i < count; i++) {
    all[i] = (literal){copy + place, sizes[i], 0, folds[i]};
    place += sizes[i];
    if (!is_by_start) all[i].print = rarest(&all[i]);
    // A literal with the same three bytes as another costs nothing in its bucket.
    size_t same = 0;
    while (same < i && !has_same_print(&all[i], &all[same])) same++;
    bucket[i] = same < i ? bucket[same] : (int)(others++ % buckets);
    for (int j = 0; j < prints; j++) {
      uint8_t byte = all[i].bytes[all[i].print + (size_t)j];
      note(set, j, byte, bucket[i]);
      if (folds[i] && byte >= 'a' && byte <= 'z') note(set, j, (uint8_t)(byte - 32), bucket[i]);
    }
  }
  set->all = calloc(count, sizeof *set->all);
  set->bytes = copy;
  for (int b = 0; b < buckets && set->all; b++) {
    set->first[b] = set->count;
    for (size_t i = 0; i < count; i++) {
      if (bucket[i] == b) set->all[set->count++] = all[i];
    }
    set->first[b + 1] = set->count;
  }
  free(all), free(bucket);
  if (!set->all) {
    mp_log_literals_free(set);
    return NULL;
  }
  return set;
}

void mp_log_literals_free(mp_log_literals *set) {
  if (!set) return;
  free(set->all), free(set->bytes);
  free(set);
}

/// The literal of some buckets whose three bytes stand at `place`; the place where it begins, or NULL.
static const char *look_at(
    const mp_log_literals *set, unsigned bits, const char *text, size_t place, size_t size) {
  while (bits) {
    int bucket = __builtin_ctz(bits);
    bits &= bits - 1;
    for (size_t i = set->first[bucket]; i < set->first[bucket + 1]; i++) {
      const literal *one = &set->all[i];
      if (place < one->print) continue;
      size_t start = place - one->print;
      if (one->size > size - start) continue;
      if (mp_log_is_same(text + start, (const char *)one->bytes, one->size, one->folds)) return text + start;
    }
  }
  return NULL;
}

/// The buckets whose three bytes stand at a place.
static inline unsigned buckets_at(const mp_log_literals *set, const char *text) {
  unsigned bits = 0xff;
  for (int j = 0; j < prints; j++) {
    uint8_t byte = (uint8_t)text[j];
    bits &= set->low[j][byte & 15] & set->high[j][byte >> 4];
  }
  return bits;
}

static const char *one_by_one(const mp_log_literals *set, const char *text, size_t place, size_t size) {
  for (; place + prints <= size; place++) {
    const char *found = look_at(set, buckets_at(set, text + place), text, place, size);
    if (found) return found;
  }
  return NULL;
}

#if defined(__x86_64__)
__attribute__((target("avx2"))) static const char *by_32(const mp_log_literals *set, const char *text, size_t size) {
  __m256i low[prints], high[prints];
  for (int j = 0; j < prints; j++) {
    low[j] = _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)set->low[j]));
    high[j] = _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)set->high[j]));
  }
  const __m256i half = _mm256_set1_epi8(15), zero = _mm256_setzero_si256();
  size_t place = 0;
  for (; place + 32 + prints - 1 <= size; place += 32) {
    __m256i hit = zero;
    for (int j = 0; j < prints; j++) {
      __m256i x = _mm256_loadu_si256((const __m256i *)(text + place + j));
      __m256i one = _mm256_shuffle_epi8(low[j], _mm256_and_si256(x, half));
      __m256i two = _mm256_shuffle_epi8(high[j], _mm256_and_si256(_mm256_srli_epi16(x, 4), half));
      one = _mm256_and_si256(one, two);
      hit = j == 0 ? one : _mm256_and_si256(hit, one);
    }
    uint32_t mask = ~(uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(hit, zero));
    while (mask) {
      size_t here = place + (size_t)__builtin_ctz(mask);
      const char *found = look_at(set, buckets_at(set, text + here), text, here, size);
      if (found) return found;
      mask &= mask - 1;
    }
  }
  return one_by_one(set, text, place, size);
}

__attribute__((target("ssse3"))) static inline mp_bytes16 shuffled(mp_bytes16 table, mp_bytes16 index) {
  return (mp_bytes16)_mm_shuffle_epi8((__m128i)table, (__m128i)index);
}
#define BY_16 __attribute__((target("ssse3")))
#elif defined(__aarch64__)
static inline mp_bytes16 shuffled(mp_bytes16 table, mp_bytes16 index) {
  return (mp_bytes16)vqtbl1q_u8((uint8x16_t)table, (uint8x16_t)index);
}
#define BY_16
#endif

#if defined(BY_16)
BY_16 static const char *by_16(const mp_log_literals *set, const char *text, size_t size) {
  size_t place = 0;
  for (; place + 16 + prints - 1 <= size; place += 16) {
    mp_bytes16 hit = {0};
    for (int j = 0; j < prints; j++) {
      mp_bytes16 x = mp_load16(text + place + j);
      mp_bytes16 one = shuffled(mp_load16((const char *)set->low[j]), x & 15) &
                       shuffled(mp_load16((const char *)set->high[j]), x >> 4);
      hit = j == 0 ? one : hit & one;
    }
    uint64_t words[2];
    memcpy(words, &hit, sizeof words);
    if (!(words[0] | words[1])) continue;
    for (size_t i = 0; i < 16; i++) {
      if (!hit[i]) continue;
      const char *found = look_at(set, hit[i], text, place + i, size);
      if (found) return found;
    }
  }
  return one_by_one(set, text, place, size);
}
#endif

const char *mp_log_literals_find(const mp_log_literals *set, const char *text, size_t size, int by) {
#if defined(__x86_64__)
  if ((by == 0 || by == 32) && __builtin_cpu_supports("avx2")) return by_32(set, text, size);
  if (by != 1 && __builtin_cpu_supports("ssse3")) return by_16(set, text, size);
#elif defined(__aarch64__)
  if (by != 1) return by_16(set, text, size);
#endif
  return one_by_one(set, text, 0, size);
}
