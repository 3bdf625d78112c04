#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum { MPAAS_FORMAT_ZLIB, MPAAS_FORMAT_ZSTD, MPAAS_FORMAT_XZ, MPAAS_FORMAT_GZIP } mpaas_format;

typedef enum {
  MPAAS_DECOMPRESSED,
  /// The data is damaged or ends early.
  MPAAS_DAMAGED,
  /// More than `limit` bytes come out.
  MPAAS_TOO_LARGE,
  MPAAS_NO_MEMORY,
  /// The provider of room gave none.
  MPAAS_NO_ROOM,
} mpaas_outcome;

/// Decompresses `size` bytes into fresh memory that grows only with what really comes out.
///
/// On MPAAS_DECOMPRESSED `*output` is the caller's, to be given to mpaas_release(); otherwise it is NULL.
/// `expected` is how many bytes are announced; it only sizes the first piece of memory.
mpaas_outcome mpaas_decompress(
    mpaas_format format, const uint8_t *_Nonnull input, size_t size, size_t expected, size_t limit,
    uint8_t *_Nullable *_Nonnull output, size_t *_Nonnull output_size);

/// Tells whether this machine has the library that decompresses Brotli; it is looked for when it is first asked for.
bool mpaas_brotli_is_there(void);

/// Asked before more bytes come out, for so many more; false where there is no room for them.
typedef bool (*mpaas_ask)(void *_Nullable context, size_t more);

/// Decompresses into memory of the caller's that has room for `limit` bytes, asking for a part of it at a time.
///
/// Pages that nothing came into are never touched. The decoder's own memory is small: zstd's window is at most 8 MiB
/// (RFC 9659). `*output_size` is how many bytes came out.
mpaas_outcome mpaas_decompress_into(
    mpaas_format format, const uint8_t *_Nonnull input, size_t size, uint8_t *_Nonnull output, size_t limit,
    mpaas_ask _Nonnull ask, void *_Nullable context, size_t *_Nonnull output_size);

/// Decompresses Brotli (RFC 7932) as mpaas_decompress_into() does other formats.
mpaas_outcome mpaas_brotli_into(
    const uint8_t *_Nonnull input, size_t size, uint8_t *_Nonnull output, size_t limit, mpaas_ask _Nonnull ask,
    void *_Nullable context, size_t *_Nonnull output_size);

/// Decompresses a zlib stream a piece at a time, into memory that the caller keeps in one place.
typedef struct mpaas_inflater mpaas_inflater;

/// NULL where the input is no zlib stream, or memory is short. The input must stay.
mpaas_inflater *_Nullable mpaas_inflater_make(const uint8_t *_Nonnull input, size_t size);

/// Goes on until `wanted` bytes have come out since the beginning, and says how many have; fewer where the stream ends
/// or is damaged. `output` is where the first of all bytes went. The checksum at the stream's end is not compared.
size_t mpaas_inflater_fill(mpaas_inflater *_Nonnull inflater, uint8_t *_Nonnull output, size_t wanted);

/// Takes the next `count` bytes into `scratch` instead, and says how many have come out since the beginning.
size_t mpaas_inflater_pass(mpaas_inflater *_Nonnull inflater, uint8_t *_Nonnull scratch, size_t count);

/// The number of bytes of the input that were taken.
size_t mpaas_inflater_taken(const mpaas_inflater *_Nonnull inflater);

void mpaas_inflater_free(mpaas_inflater *_Nullable inflater);

void mpaas_release(uint8_t *_Nullable output);

/// Continues a CRC-32 (polynomial 0xedb88320, as in .gnu_debuglink); the first call has `crc` 0.
uint32_t mpaas_crc32(uint32_t crc, const uint8_t *_Nullable input, size_t size);

#ifdef __cplusplus
}
#endif
