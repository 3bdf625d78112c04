#include <string.h>

#include "look.h"

void mp_set_bytes(char *to, size_t capacity, const char *from, size_t size) {
  if (size >= capacity) size = capacity - 1;
  memcpy(to, from, size);
  to[size] = 0;
}

void mp_set_text(char *to, size_t capacity, const char *from) {
  mp_set_bytes(to, capacity, from, strnlen(from, capacity));
}

mp_finding *mp_add_finding(mp_findings *out, int kind, int confidence) {
  if (out->count == out->capacity) {
    out->is_truncated = true;
    return NULL;
  }
  mp_finding *finding = &out->items[out->count++];
  memset(finding, 0, sizeof *finding);
  finding->kind = kind;
  finding->confidence = confidence;
  return finding;
}
