#pragma once
#include "compression.h"

#include <stdlib.h>

/// Output memory, never past `limit`: doubled when full, or the caller's, of which a part is asked for when full.
typedef struct {
  uint8_t *bytes;
  size_t used, capacity, limit;
  mpaas_ask ask;
  void *context;
  mpaas_outcome outcome;
} growing;

/// The sizes that are asked for at once.
enum { GROWING_STEP = 1 << 20 };

/// Makes room for `wanted` bytes in all; says whether there is.
static inline bool grow_to(growing *out, size_t wanted) {
  if (wanted <= out->capacity) return true;
  if (out->ask) {
    if (!out->ask(out->context, wanted - out->capacity)) {
      out->outcome = MPAAS_NO_ROOM;
      return false;
    }
  } else {
    uint8_t *bytes = realloc(out->bytes, wanted);
    if (!bytes) {
      out->outcome = MPAAS_NO_MEMORY;
      return false;
    }
    out->bytes = bytes;
  }
  out->capacity = wanted;
  return true;
}

static inline bool grow(growing *out) {
  if (out->capacity >= out->limit) {
    out->outcome = MPAAS_TOO_LARGE;
    return false;
  }
  size_t most = out->limit - out->capacity;
  size_t more = out->ask ? GROWING_STEP : out->capacity;
  return grow_to(out, out->capacity + (more < most ? more : most));
}
