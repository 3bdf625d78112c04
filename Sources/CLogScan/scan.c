#include "CLogScan.h"
#include "scan.h"

#include <string.h>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

int mp_log_commonness(uint8_t byte) {
  if (byte == ' ' || byte == '\n') return 255;
  // Each digit is as common as many letters, but what numbers say differs from line to line, and words do not.
  if (byte == '0') return 165;
  if (byte >= '1' && byte <= '9') return 150;
  if (strchr("etaoinsr", byte) && byte) return 230;
  if (byte == '-' || byte == ':' || byte == '.' || byte == '/') return 210;
  if (byte >= 'a' && byte <= 'z') return strchr("qxzjkvw", byte) ? 90 : 170;
  if (byte == '"' || byte == ',' || byte == '=' || byte == '_' || byte == '[' || byte == ']') return 120;
  if (byte >= 'A' && byte <= 'Z') return 80;
  if (byte >= 0xe4 && byte <= 0xe9) return 100;
  return byte >= 0x80 ? 60 : 40;
}

static uint8_t other_case(uint8_t byte, int folds) {
  return folds && byte >= 'a' && byte <= 'z' ? (uint8_t)(byte - 32) : byte;
}

mp_log_needle mp_log_prepare(const char *needle, size_t needle_size, int folds) {
  mp_log_needle prepared;
  memset(&prepared, 0, sizeof prepared);
  prepared.folds = folds != 0;
  int best = 512;
  size_t first = 0, second = 0;
  const size_t looked_at = needle_size < 256 ? needle_size : 256;
  for (size_t i = 0; i < looked_at; i++) {
    int rank = mp_log_commonness((uint8_t)needle[i]);
    // The last of equal ones is taken: numbers that count up differ at their ends.
    if (rank <= best) {
      best = rank;
      first = i;
    }
  }
  best = 512;
  for (size_t i = 0; i < looked_at; i++) {
    size_t distance = i < first ? first - i : i - first;
    // Neighbours come together in other words too.
    int rank = mp_log_commonness((uint8_t)needle[i]) + (distance < 3 ? 40 : 0);
    if (distance > 0 && rank <= best) {
      best = rank;
      second = i;
    }
  }
  if (looked_at == 1) second = first;
  prepared.first = first < second ? first : second;
  prepared.second = first < second ? second : first;
  if (needle_size == 0) return prepared;
  prepared.first_byte = (uint8_t)needle[prepared.first];
  prepared.second_byte = (uint8_t)needle[prepared.second];
  prepared.first_other = other_case(prepared.first_byte, folds);
  prepared.second_other = other_case(prepared.second_byte, folds);
  return prepared;
}

/// Looks at one place after another, from `place` to the last where the needle fits.
static const char *one_by_one(
    const mp_log_needle *p, const char *text, size_t place, size_t size, const char *needle, size_t needle_size) {
  for (; place + needle_size <= size; place++) {
    uint8_t byte = (uint8_t)text[place + p->first];
    if (byte != p->first_byte && byte != p->first_other) continue;
    if (mp_log_is_same(text + place, needle, needle_size, p->folds)) return text + place;
  }
  return NULL;
}

/// The lowest place of a set bit in `mask`, looked at with what is behind it, until the needle is there.
#define LOOK_AT(mask, at, bits)                                                         \
  while (mask) {                                                                        \
    size_t here = (at) + (size_t)__builtin_ctzll(mask) / (bits);                        \
    if (mp_log_is_same(text + here, needle, needle_size, p->folds)) return text + here; \
    mask &= mask - 1;                                                                   \
  }

#if defined(__x86_64__)
__attribute__((target("avx2"))) static const char *by_32(
    const mp_log_needle *p, const char *text, size_t size, const char *needle, size_t needle_size) {
  const __m256i a = _mm256_set1_epi8((char)p->first_byte), a2 = _mm256_set1_epi8((char)p->first_other);
  const __m256i b = _mm256_set1_epi8((char)p->second_byte), b2 = _mm256_set1_epi8((char)p->second_other);
  const size_t last = size - needle_size;
  size_t place = 0;
  // The furthest byte that is loaded is that of the second place, 31 behind.
  for (; place + 31 <= last; place += 32) {
    __m256i x = _mm256_loadu_si256((const __m256i *)(text + place + p->first));
    __m256i y = _mm256_loadu_si256((const __m256i *)(text + place + p->second));
    __m256i hit = _mm256_cmpeq_epi8(x, a);
    __m256i second = _mm256_cmpeq_epi8(y, b);
    if (p->folds) {
      hit = _mm256_or_si256(hit, _mm256_cmpeq_epi8(x, a2));
      second = _mm256_or_si256(second, _mm256_cmpeq_epi8(y, b2));
    }
    uint64_t mask = (uint32_t)_mm256_movemask_epi8(_mm256_and_si256(hit, second));
    LOOK_AT(mask, place, 1)
  }
  return one_by_one(p, text, place, size, needle, needle_size);
}
#endif

/// In any vector unit: a block of 16 with no hit is passed by two words of zeros.
static const char *by_16(
    const mp_log_needle *p, const char *text, size_t size, const char *needle, size_t needle_size) {
  const mp_bytes16 zero = {0};
  const mp_bytes16 a = zero + p->first_byte, a2 = zero + p->first_other;
  const mp_bytes16 b = zero + p->second_byte, b2 = zero + p->second_other;
  const size_t last = size - needle_size;
  size_t place = 0;
  for (; place + 15 <= last; place += 16) {
    mp_bytes16 x = mp_load16(text + place + p->first), y = mp_load16(text + place + p->second);
    mp_bytes16 hit = (mp_bytes16)(((x == a) | (x == a2)) & ((y == b) | (y == b2)));
    uint64_t words[2];
    memcpy(words, &hit, sizeof words);
    if (!(words[0] | words[1])) continue;
    for (int half = 0; half < 2; half++) {
      // A set byte is eight bits: one of them is enough.
      uint64_t mask = words[half] & 0x8080808080808080u;
      LOOK_AT(mask, place + (size_t)half * 8, 8)
    }
  }
  return one_by_one(p, text, place, size, needle, needle_size);
}

const char *mp_log_find_prepared(
    const mp_log_needle *prepared, const char *text, size_t size, const char *needle, size_t needle_size) {
  if (needle_size == 0 || size < needle_size) return NULL;
  if (needle_size == 1 && !prepared->folds) return memchr(text, needle[0], size);
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2")) return by_32(prepared, text, size, needle, needle_size);
#endif
  return by_16(prepared, text, size, needle, needle_size);
}

const char *mp_log_find(const char *text, size_t size, const char *needle, size_t needle_size) {
  if (size == 0 || needle_size == 0) return NULL;
  mp_log_needle prepared = mp_log_prepare(needle, needle_size, 0);
  return mp_log_find_prepared(&prepared, text, size, needle, needle_size);
}

size_t mp_log_count(const char *text, size_t size, uint8_t byte) {
  size_t total = 0, place = 0;
  const mp_bytes16 zero = {0};
  const mp_bytes16 wanted = zero + byte;
  while (place + 16 <= size) {
    // A lane holds at most 255 hits.
    mp_bytes16 lanes = zero;
    for (int round = 0; round < 255 && place + 16 <= size; round++, place += 16) {
      lanes -= (mp_bytes16)(mp_load16(text + place) == wanted);
    }
    for (int lane = 0; lane < 16; lane++) total += lanes[lane];
  }
  for (; place < size; place++) total += (uint8_t)text[place] == byte;
  return total;
}

const char *mp_log_find_last(const char *text, size_t size, uint8_t byte) {
  const mp_bytes16 zero = {0};
  const mp_bytes16 wanted = zero + byte;
  while (size >= 16) {
    mp_bytes16 hit = (mp_bytes16)(mp_load16(text + size - 16) == wanted);
    uint64_t words[2];
    memcpy(words, &hit, sizeof words);
    if (words[0] | words[1]) break;
    size -= 16;
  }
  while (size > 0) {
    size--;
    if ((uint8_t)text[size] == byte) return text + size;
  }
  return NULL;
}
