/// The state that the searches of this module share.
#ifndef MPAAS_LOG_SCAN_SHARED_H
#define MPAAS_LOG_SCAN_SHARED_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/// The rough frequency of a byte in logs: the rarest bytes of a text are looked for.
int mp_log_commonness(uint8_t byte);

static inline uint8_t mp_log_folded(uint8_t byte) {
  return byte >= 'A' && byte <= 'Z' ? (uint8_t)(byte + 32) : byte;
}

/// Tells whether a text is the needle, which is in lower case where `folds`.
static inline int mp_log_is_same(const char *text, const char *needle, size_t size, int folds) {
  if (!folds) return memcmp(text, needle, size) == 0;
  for (size_t i = 0; i < size; i++) {
    if (mp_log_folded((uint8_t)text[i]) != (uint8_t)needle[i]) return 0;
  }
  return 1;
}

typedef uint8_t mp_bytes16 __attribute__((vector_size(16)));

static inline mp_bytes16 mp_load16(const char *text) {
  mp_bytes16 value;
  memcpy(&value, text, sizeof value);
  return value;
}

#endif
