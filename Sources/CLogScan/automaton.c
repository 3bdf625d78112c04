#include "CLogScan.h"

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

int mp_log_is_plain(const uint8_t *text, size_t size, int beyond) {
  int has_break = 0, has_more = 0;
  for (size_t i = 0; i < size; i++) {
    has_break |= (uint8_t)(text[i] - 0x0b) < 3;
    has_more |= text[i] >= 0x80;
  }
  if (has_break || (has_more && !beyond)) return 0;
  if (!has_more) return 1;
  for (size_t i = 0; i + 1 < size; i++) {
    // U+0085, U+2028 and U+2029.
    if (text[i] == 0xc2 && text[i + 1] == 0x85) return 0;
    if (text[i] == 0xe2 && text[i + 1] == 0x80 && i + 2 < size && (text[i + 2] == 0xa8 || text[i + 2] == 0xa9)) return 0;
  }
  return 1;
}
