#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// The codings of HTTP's contents (RFC 9110, 8.4.1; RFC 8878; RFC 7932).
typedef enum { MP_CODING_GZIP, MP_CODING_ZSTD, MP_CODING_BROTLI } mp_coding;

typedef enum {
  MP_CODING_DONE,
  /// The content is damaged, ends early, or has something behind its end.
  MP_CODING_DAMAGED,
  /// More than `limit` bytes come out.
  MP_CODING_TOO_LARGE,
  MP_CODING_NO_MEMORY,
  /// The library for it is not on this machine.
  MP_CODING_NO_LIBRARY,
} mp_coding_outcome;

/// Tells whether this machine can decode a coding. Brotli's library is looked for when it is first asked for.
bool mp_coding_decodes(mp_coding coding);

/// Tells whether this machine can encode a coding.
bool mp_coding_encodes(mp_coding coding);

/// Decodes into fresh memory that grows only with what really comes out, and never beyond `limit`.
///
/// On MP_CODING_DONE `*output` is the caller's, to be given to mp_coding_release(); otherwise it is NULL. The decoder's own
/// window is at most 8 MiB.
mp_coding_outcome mp_coding_decode(
    mp_coding coding, const uint8_t *_Nonnull input, size_t size, size_t limit, uint8_t *_Nullable *_Nonnull output,
    size_t *_Nonnull output_size);

/// Encodes at a level for answers that are waited for: 6 of gzip, 3 of zstd, 4 of Brotli.
mp_coding_outcome mp_coding_encode(
    mp_coding coding, const uint8_t *_Nonnull input, size_t size, uint8_t *_Nullable *_Nonnull output,
    size_t *_Nonnull output_size);

void mp_coding_release(uint8_t *_Nullable output);
