#pragma once
#include "content_coding.h"

/// Bytes that come out; they grow by doubling up to the limit.
typedef struct {
  uint8_t *bytes;
  size_t used, capacity, limit;
  mp_coding_outcome outcome;
} mp_output;

/// Makes room for more bytes; false, with the reason in `outcome`, where there is none.
bool mp_output_grow(mp_output *output);

void mp_brotli_decode(mp_output *output, const uint8_t *input, size_t size);
void mp_brotli_encode(mp_output *output, const uint8_t *input, size_t size);
