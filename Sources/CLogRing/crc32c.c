#include "CLogRing.h"

#include <string.h>

static uint32_t table_step(uint32_t value, uint8_t byte) {
  value ^= byte;
  for (int bit = 0; bit < 8; bit++) value = value & 1 ? value >> 1 ^ 0x82f63b78u : value >> 1;
  return value;
}

static uint32_t portable(uint32_t value, const uint8_t *bytes, size_t size) {
  for (size_t i = 0; i < size; i++) value = table_step(value, bytes[i]);
  return value;
}

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

uint32_t mp_log_crc32c(uint32_t before, const void *bytes, size_t size) {
  return ~(__builtin_cpu_supports("sse4.2") ? by_instruction(~before, bytes, size) : portable(~before, bytes, size));
}
#else
uint32_t mp_log_crc32c(uint32_t before, const void *bytes, size_t size) { return ~portable(~before, bytes, size); }
#endif
