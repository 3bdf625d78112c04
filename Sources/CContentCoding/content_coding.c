#include "brotli.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>

enum { GZIP_LEVEL = 6, ZSTD_LEVEL = 3, GZIP_WINDOW = 31, ZSTD_WINDOW_LOG = 23 };

bool mp_output_grow(mp_output *output) {
  if (output->capacity >= output->limit) {
    output->outcome = MP_CODING_TOO_LARGE;
    return false;
  }
  size_t room = output->capacity ? output->capacity : 4096;
  size_t capacity = room > output->limit - output->capacity ? output->limit : output->capacity + room;
  uint8_t *bytes = realloc(output->bytes, capacity);
  if (!bytes) {
    output->outcome = MP_CODING_NO_MEMORY;
    return false;
  }
  output->bytes = bytes;
  output->capacity = capacity;
  return true;
}

/// The most that zlib counts at a time.
static uInt piece(size_t count) { return count < (1u << 30) ? (uInt)count : 1u << 30; }

static void gunzip(mp_output *output, const uint8_t *input, size_t size) {
  z_stream stream;
  memset(&stream, 0, sizeof stream);
  if (inflateInit2(&stream, GZIP_WINDOW) != Z_OK) {
    output->outcome = MP_CODING_NO_MEMORY;
    return;
  }
  output->outcome = MP_CODING_DAMAGED;
  size_t taken = 0;
  for (;;) {
    // A content that fills the limit exactly has its end still to come.
    uint8_t last;
    bool is_full = output->used == output->capacity && output->capacity == output->limit;
    if (!is_full && output->used == output->capacity && !mp_output_grow(output)) break;
    uInt in = piece(size - taken), room = is_full ? 1 : piece(output->capacity - output->used);
    stream.next_in = (Bytef *)(input + taken);
    stream.avail_in = in;
    stream.next_out = is_full ? &last : output->bytes + output->used;
    stream.avail_out = room;
    int status = inflate(&stream, Z_NO_FLUSH);
    taken += in - stream.avail_in;
    if (is_full && stream.avail_out == 0) {
      output->outcome = MP_CODING_TOO_LARGE;
      break;
    }
    if (!is_full) output->used += room - stream.avail_out;
    if (status == Z_STREAM_END) {
      // Several members may stand one after another (RFC 1952, 2.2).
      if (taken == size) output->outcome = MP_CODING_DONE;
      if (taken == size || inflateReset(&stream) != Z_OK) break;
      continue;
    }
    if (status == Z_MEM_ERROR) output->outcome = MP_CODING_NO_MEMORY;
    if (status == Z_BUF_ERROR && stream.avail_out == 0) continue;
    if (status != Z_OK || (taken == size && stream.avail_out > 0)) break;
  }
  inflateEnd(&stream);
}

static void unzstd(mp_output *output, const uint8_t *input, size_t size) {
  ZSTD_DCtx *context = ZSTD_createDCtx();
  if (!context) {
    output->outcome = MP_CODING_NO_MEMORY;
    return;
  }
  ZSTD_DCtx_setParameter(context, ZSTD_d_windowLogMax, ZSTD_WINDOW_LOG);
  output->outcome = MP_CODING_DAMAGED;
  ZSTD_inBuffer in = {input, size, 0};
  for (;;) {
    uint8_t last;
    bool is_full = output->used == output->capacity && output->capacity == output->limit;
    if (!is_full && output->used == output->capacity && !mp_output_grow(output)) break;
    ZSTD_outBuffer out = {output->bytes, output->capacity, output->used};
    ZSTD_outBuffer probe = {&last, 1, 0};
    size_t before = in.pos;
    size_t status = ZSTD_decompressStream(context, is_full ? &probe : &out, &in);
    bool moved = in.pos != before || out.pos != output->used;
    if (!is_full) output->used = out.pos;
    if (is_full && probe.pos > 0) {
      output->outcome = MP_CODING_TOO_LARGE;
      break;
    }
    if (ZSTD_isError(status)) break;
    if (status == 0 && in.pos == in.size) {
      output->outcome = MP_CODING_DONE;
      break;
    }
    if (!moved && output->used < output->capacity) break;
    if (!moved && is_full) break;
  }
  ZSTD_freeDCtx(context);
}

static void gzip(mp_output *output, const uint8_t *input, size_t size) {
  z_stream stream;
  memset(&stream, 0, sizeof stream);
  if (deflateInit2(&stream, GZIP_LEVEL, Z_DEFLATED, GZIP_WINDOW, 8, Z_DEFAULT_STRATEGY) != Z_OK) return;
  size_t taken = 0;
  int status = Z_OK;
  while (status == Z_OK || status == Z_BUF_ERROR) {
    if (output->used == output->capacity && !mp_output_grow(output)) break;
    uInt in = piece(size - taken), room = piece(output->capacity - output->used);
    stream.next_in = (Bytef *)(input + taken);
    stream.avail_in = in;
    stream.next_out = output->bytes + output->used;
    stream.avail_out = room;
    status = deflate(&stream, taken + in == size ? Z_FINISH : Z_NO_FLUSH);
    taken += in - stream.avail_in;
    output->used += room - stream.avail_out;
  }
  if (status == Z_STREAM_END) output->outcome = MP_CODING_DONE;
  deflateEnd(&stream);
}

static void zstd(mp_output *output, const uint8_t *input, size_t size) {
  size_t bound = ZSTD_compressBound(size);
  output->bytes = malloc(bound);
  if (!output->bytes) return;
  output->capacity = bound;
  size_t made = ZSTD_compress(output->bytes, bound, input, size, ZSTD_LEVEL);
  if (ZSTD_isError(made)) return;
  output->used = made;
  output->outcome = MP_CODING_DONE;
}

static mp_coding_outcome finish(mp_output *made, uint8_t **output, size_t *output_size) {
  *output = NULL;
  *output_size = 0;
  if (made->outcome != MP_CODING_DONE) {
    free(made->bytes);
    return made->outcome;
  }
  *output = made->bytes;
  *output_size = made->used;
  return MP_CODING_DONE;
}

mp_coding_outcome mp_coding_decode(
    mp_coding coding, const uint8_t *input, size_t size, size_t limit, uint8_t **output, size_t *output_size) {
  mp_output made = {.limit = limit ? limit : 1, .outcome = MP_CODING_NO_LIBRARY};
  if (mp_coding_decodes(coding)) {
    switch (coding) {
    case MP_CODING_GZIP: gunzip(&made, input, size); break;
    case MP_CODING_ZSTD: unzstd(&made, input, size); break;
    case MP_CODING_BROTLI: mp_brotli_decode(&made, input, size); break;
    }
  }
  return finish(&made, output, output_size);
}

mp_coding_outcome mp_coding_encode(
    mp_coding coding, const uint8_t *input, size_t size, uint8_t **output, size_t *output_size) {
  mp_output made = {.limit = SIZE_MAX / 2, .outcome = MP_CODING_NO_MEMORY};
  if (!mp_coding_encodes(coding)) {
    made.outcome = MP_CODING_NO_LIBRARY;
  } else {
    switch (coding) {
    case MP_CODING_GZIP: gzip(&made, input, size); break;
    case MP_CODING_ZSTD: zstd(&made, input, size); break;
    case MP_CODING_BROTLI: mp_brotli_encode(&made, input, size); break;
    }
  }
  return finish(&made, output, output_size);
}

void mp_coding_release(uint8_t *output) { free(output); }
