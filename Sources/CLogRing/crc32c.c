#include "CLogRing.h"

#include <pthread.h>
#include <string.h>

#if defined(__x86_64__)
#include <nmmintrin.h>

__attribute__((target("sse4.2"))) static uint32_t by_instruction(uint32_t value, const uint8_t *bytes, size_t size) {
  uint64_t wide = value;
  for (; size >= 8; bytes += 8, size -= 8) {
    uint64_t word;
    memcpy(&word, bytes, 8);
    wide = _mm_crc32_u64(wide, word);
  }
  value = (uint32_t)wide;
  for (; size > 0; bytes++, size--) value = _mm_crc32_u8(value, *bytes);
  return value;
}

static int has_instruction(void) { return __builtin_cpu_supports("sse4.2"); }
#elif defined(__ARM_FEATURE_CRC32)
// Every 64-bit processor of Apple's, and others that the compiler was told of.
#include <arm_acle.h>

static uint32_t by_instruction(uint32_t value, const uint8_t *bytes, size_t size) {
  for (; size >= 8; bytes += 8, size -= 8) {
    uint64_t word;
    memcpy(&word, bytes, 8);
    value = __crc32cd(value, word);
  }
  for (; size > 0; bytes++, size--) value = __crc32cb(value, *bytes);
  return value;
}

static int has_instruction(void) { return 1; }
#else
static uint32_t by_instruction(uint32_t value, const uint8_t *bytes, size_t size) {
  (void)bytes;
  (void)size;
  return value;
}

static int has_instruction(void) { return 0; }
#endif

// Eight bytes at a time: tables[n][b] is what byte b becomes n bytes later.
static uint32_t tables[8][256];

static void make_tables(void) {
  for (uint32_t byte = 0; byte < 256; byte++) {
    uint32_t value = byte;
    for (int bit = 0; bit < 8; bit++) value = value & 1 ? value >> 1 ^ 0x82f63b78u : value >> 1;
    tables[0][byte] = value;
  }
  for (int later = 1; later < 8; later++)
    for (int byte = 0; byte < 256; byte++)
      tables[later][byte] = tables[later - 1][byte] >> 8 ^ tables[0][tables[later - 1][byte] & 0xff];
}

static uint32_t by_tables(uint32_t value, const uint8_t *bytes, size_t size) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, make_tables);
  for (; size >= 8; bytes += 8, size -= 8) {
    value ^= bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
    value = tables[7][value & 0xff] ^ tables[6][value >> 8 & 0xff] ^ tables[5][value >> 16 & 0xff]
        ^ tables[4][value >> 24] ^ tables[3][bytes[4]] ^ tables[2][bytes[5]] ^ tables[1][bytes[6]]
        ^ tables[0][bytes[7]];
  }
  for (; size > 0; bytes++, size--) value = value >> 8 ^ tables[0][(value ^ *bytes) & 0xff];
  return value;
}

uint32_t mp_log_crc32c(uint32_t before, const void *bytes, size_t size) {
  return ~(has_instruction() ? by_instruction(~before, bytes, size) : by_tables(~before, bytes, size));
}

uint32_t mp_log_crc32c_by_tables(uint32_t before, const void *bytes, size_t size) {
  return ~by_tables(~before, bytes, size);
}
