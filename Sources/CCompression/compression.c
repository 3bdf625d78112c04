#include "compression.h"
#include "growing.h"

#ifdef __linux__
#include <libdeflate.h>
#endif
#include <lzma.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>

/// `window`: 15 for a zlib stream, 31 for gzip.
static void inflate_all(growing *out, const uint8_t *input, size_t size, int window) {
  z_stream stream;
  memset(&stream, 0, sizeof stream);
  if (inflateInit2(&stream, window) != Z_OK) {
    out->outcome = MPAAS_NO_MEMORY;
    return;
  }
  out->outcome = MPAAS_DAMAGED;
  size_t taken = 0;
  for (;;) {
    if (out->used == out->capacity && !grow(out)) break;
    const size_t piece = 1u << 30;
    size_t in = size - taken < piece ? size - taken : piece;
    size_t room = out->capacity - out->used < piece ? out->capacity - out->used : piece;
    stream.next_in = (Bytef *)(input + taken);
    stream.avail_in = (uInt)in;
    stream.next_out = out->bytes + out->used;
    stream.avail_out = (uInt)room;
    int status = inflate(&stream, Z_NO_FLUSH);
    taken += in - stream.avail_in;
    out->used += room - stream.avail_out;
    if (status == Z_STREAM_END) {
      // Old linkers put several streams one after another.
      if (taken == size || inflateReset(&stream) != Z_OK) {
        out->outcome = MPAAS_DECOMPRESSED;
        break;
      }
      continue;
    }
    if (status == Z_MEM_ERROR) out->outcome = MPAAS_NO_MEMORY;
    if (status == Z_BUF_ERROR && stream.avail_out == 0) continue;
    if (status != Z_OK) break;
  }
  inflateEnd(&stream);
}

/// Inflates into memory of the size that the data is said to have, in one go and two to three times as fast; false, with
/// nothing done, where that size is not known or not true, and for what is damaged or more than one stream.
static bool inflate_at_once(growing *out, const uint8_t *input, size_t size, mpaas_format format, size_t expected) {
#ifdef __linux__
  if (format == MPAAS_FORMAT_GZIP && size >= 18) {
    // ISIZE (RFC 1952 section 2.3.1): of the last stream, modulo 2^32.
    const uint8_t *end = input + size - 4;
    expected = (size_t)end[0] | (size_t)end[1] << 8 | (size_t)end[2] << 16 | (size_t)end[3] << 24;
  }
  // No stream expands more than that (1,032 times).
  if (expected == 0 || expected > out->limit || expected / 1032 > size) return false;
  if (out->ask ? !grow_to(out, expected) : expected > out->capacity) return false;
  struct libdeflate_decompressor *decompressor = libdeflate_alloc_decompressor();
  if (!decompressor) return false;
  size_t taken = 0, made = 0;
  enum libdeflate_result result =
      format == MPAAS_FORMAT_GZIP
          ? libdeflate_gzip_decompress_ex(decompressor, input, size, out->bytes, expected, &taken, &made)
          : libdeflate_zlib_decompress_ex(decompressor, input, size, out->bytes, expected, &taken, &made);
  libdeflate_free_decompressor(decompressor);
  if (result != LIBDEFLATE_SUCCESS || taken != size) return false;
  out->used = made;
  out->outcome = MPAAS_DECOMPRESSED;
  return true;
#else
  (void)out, (void)input, (void)size, (void)format, (void)expected;
  return false;
#endif
}

struct mpaas_inflater {
  z_stream stream;
  const uint8_t *input;
  size_t size, taken, made;
  bool ended;
};

mpaas_inflater *mpaas_inflater_make(const uint8_t *input, size_t size) {
  // RFC 1950, 2.2: method 8, no preset dictionary, the two bytes a multiple of 31.
  if (size < 2 || (input[0] & 15) != 8 || (input[1] & 32) || ((input[0] << 8) + input[1]) % 31) return NULL;
  mpaas_inflater *inflater = calloc(1, sizeof *inflater);
  if (!inflater) return NULL;
  inflater->input = input;
  inflater->size = size;
  inflater->taken = 2;
  // Raw: the checksum would cost a tenth more, and who stops half-way never gets to it.
  if (inflateInit2(&inflater->stream, -MAX_WBITS) != Z_OK) {
    free(inflater);
    return NULL;
  }
  return inflater;
}

/// `output` is where the next byte goes.
static void inflate_more(mpaas_inflater *inflater, uint8_t *output, size_t wanted) {
  const size_t piece = 1u << 30;
  const size_t start = inflater->made;
  while (inflater->made < wanted && !inflater->ended) {
    size_t in = inflater->size - inflater->taken < piece ? inflater->size - inflater->taken : piece;
    size_t room = wanted - inflater->made < piece ? wanted - inflater->made : piece;
    inflater->stream.next_in = (Bytef *)(inflater->input + inflater->taken);
    inflater->stream.avail_in = (uInt)in;
    inflater->stream.next_out = output + (inflater->made - start);
    inflater->stream.avail_out = (uInt)room;
    int status = inflate(&inflater->stream, Z_NO_FLUSH);
    inflater->taken += in - inflater->stream.avail_in;
    inflater->made += room - inflater->stream.avail_out;
    bool moved = inflater->stream.avail_in < in || inflater->stream.avail_out < room;
    if (status != Z_OK || !moved) inflater->ended = true;
  }
}

size_t mpaas_inflater_fill(mpaas_inflater *inflater, uint8_t *output, size_t wanted) {
  inflate_more(inflater, output + inflater->made, wanted);
  return inflater->made;
}

size_t mpaas_inflater_pass(mpaas_inflater *inflater, uint8_t *scratch, size_t count) {
  inflate_more(inflater, scratch, inflater->made + count);
  return inflater->made;
}

size_t mpaas_inflater_taken(const mpaas_inflater *inflater) { return inflater->taken; }

void mpaas_inflater_free(mpaas_inflater *inflater) {
  if (!inflater) return;
  inflateEnd(&inflater->stream);
  free(inflater);
}

static void unzstd_all(growing *out, const uint8_t *input, size_t size) {
  ZSTD_DStream *stream = ZSTD_createDStream();
  if (!stream) {
    out->outcome = MPAAS_NO_MEMORY;
    return;
  }
  // The caller's memory is counted, and this would not be.
  if (out->ask) ZSTD_DCtx_setParameter(stream, ZSTD_d_windowLogMax, 23);
  out->outcome = MPAAS_DAMAGED;
  ZSTD_inBuffer in = {input, size, 0};
  size_t status = 1;
  for (;;) {
    if (status == 0 && in.pos == in.size) {
      out->outcome = MPAAS_DECOMPRESSED;
      break;
    }
    if (out->used == out->capacity && !grow(out)) break;
    ZSTD_outBuffer piece = {out->bytes, out->capacity, out->used};
    size_t before = in.pos;
    status = ZSTD_decompressStream(stream, &piece, &in);
    bool moved = in.pos != before || piece.pos != out->used;
    out->used = piece.pos;
    if (ZSTD_isError(status) || (!moved && status != 0)) break;
  }
  ZSTD_freeDStream(stream);
}

static void unxz_all(growing *out, const uint8_t *input, size_t size) {
  lzma_stream stream = LZMA_STREAM_INIT;
  // The largest preset's dictionary and a little: what asks for more is not debug information.
  if (lzma_stream_decoder(&stream, 80u << 20, LZMA_CONCATENATED) != LZMA_OK) {
    out->outcome = MPAAS_NO_MEMORY;
    return;
  }
  out->outcome = MPAAS_DAMAGED;
  stream.next_in = input;
  stream.avail_in = size;
  for (;;) {
    if (out->used == out->capacity && !grow(out)) break;
    stream.next_out = out->bytes + out->used;
    stream.avail_out = out->capacity - out->used;
    lzma_ret status = lzma_code(&stream, LZMA_FINISH);
    out->used = out->capacity - stream.avail_out;
    if (status == LZMA_STREAM_END) {
      out->outcome = MPAAS_DECOMPRESSED;
      break;
    }
    if (status == LZMA_MEM_ERROR) out->outcome = MPAAS_NO_MEMORY;
    if (status != LZMA_OK) break;
  }
  lzma_end(&stream);
}

static void decompress_all(growing *out, mpaas_format format, const uint8_t *input, size_t size, size_t expected) {
  switch (format) {
  case MPAAS_FORMAT_ZLIB:
  case MPAAS_FORMAT_GZIP:
    if (inflate_at_once(out, input, size, format, expected) || out->outcome == MPAAS_NO_ROOM) break;
    inflate_all(out, input, size, format == MPAAS_FORMAT_GZIP ? 31 : 15);
    break;
  case MPAAS_FORMAT_ZSTD: unzstd_all(out, input, size); break;
  case MPAAS_FORMAT_XZ: unxz_all(out, input, size); break;
  }
}

mpaas_outcome mpaas_decompress(
    mpaas_format format, const uint8_t *input, size_t size, size_t expected, size_t limit, uint8_t **output,
    size_t *output_size) {
  *output = NULL;
  *output_size = 0;
  size_t first = size > SIZE_MAX / 8 ? size : size * 8;
  if (expected < first) first = expected;
  if (first > limit) first = limit;
  growing out = {.used = 0, .capacity = first ? first : 1, .limit = limit ? limit : 1};
  out.bytes = malloc(out.capacity);
  if (!out.bytes) return MPAAS_NO_MEMORY;
  decompress_all(&out, format, input, size, expected);
  if (out.outcome != MPAAS_DECOMPRESSED) {
    free(out.bytes);
    return out.outcome;
  }
  uint8_t *fitted = realloc(out.bytes, out.used ? out.used : 1);
  *output = fitted ? fitted : out.bytes;
  *output_size = out.used;
  return MPAAS_DECOMPRESSED;
}

mpaas_outcome mpaas_decompress_into(
    mpaas_format format, const uint8_t *input, size_t size, uint8_t *output, size_t limit, mpaas_ask ask, void *context,
    size_t *output_size) {
  growing out = {.bytes = output, .limit = limit, .ask = ask, .context = context};
  decompress_all(&out, format, input, size, 0);
  *output_size = out.used;
  return out.outcome;
}

void mpaas_release(uint8_t *output) { free(output); }

uint32_t mpaas_crc32(uint32_t crc, const uint8_t *input, size_t size) {
  return input ? (uint32_t)crc32_z(crc, input, size) : crc;
}
