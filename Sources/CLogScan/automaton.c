#include "CLogScan.h"
#include "scan.h"

int32_t mp_log_run(const int32_t *table, int32_t state, const uint8_t *text, size_t size, size_t *place) {
  const uint8_t *byte = text + *place, *end = text + size;
  int32_t next = 0;
  while (end - byte >= 4) {
    if ((next = table[state + byte[0]]) <= 0) goto stop;
    state = next;
    if ((next = table[state + byte[1]]) <= 0) { byte += 1; goto stop; }
    state = next;
    if ((next = table[state + byte[2]]) <= 0) { byte += 2; goto stop; }
    state = next;
    if ((next = table[state + byte[3]]) <= 0) { byte += 3; goto stop; }
    state = next;
    byte += 4;
  }
  for (; byte < end; byte++) {
    if ((next = table[state + *byte]) <= 0) goto stop;
    state = next;
  }
stop:
  *place = (size_t)(byte - text);
  return state;
}

size_t mp_log_plain_size(const uint8_t *text, size_t size, int beyond) {
  size_t place = 0;
  const mp_bytes16 zero = {0};
  const mp_bytes16 first = zero + 0x0b, more = zero + 0x80;
  while (place < size) {
    // Blocks of 64 that are all ASCII without such breaks are passed at once.
    for (; place + 64 <= size; place += 64) {
      mp_bytes16 found = zero;
      for (size_t i = 0; i < 64; i += 16) {
        mp_bytes16 x = mp_load16((const char *)text + place + i);
        found |= (mp_bytes16)(x - first < 3) | (mp_bytes16)(x >= more);
      }
      uint64_t words[2];
      memcpy(words, &found, sizeof words);
      if (words[0] | words[1]) break;
    }
    const size_t end = size - place < 64 ? size : place + 64;
    for (; place < end; place++) {
      const uint8_t byte = text[place];
      if ((uint8_t)(byte - 0x0b) < 3 || (byte >= 0x80 && !beyond)) return place;
      // U+0085, U+2028 and U+2029.
      if (byte == 0xc2 && (place + 1 == size || text[place + 1] == 0x85)) return place;
      if (byte == 0xe2 && (place + 2 >= size || (text[place + 1] == 0x80 && (text[place + 2] & 0xfe) == 0xa8))) {
        return place;
      }
    }
  }
  return place;
}
