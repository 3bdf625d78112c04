/// Searches in text at the speed of memory. Nothing is read past the end of what is handed in.
#ifndef MPAAS_LOG_SCAN_H
#define MPAAS_LOG_SCAN_H

#include <stddef.h>
#include <stdint.h>

/// The text that is looked for, prepared once for many searches; by value, without memory of its own.
typedef struct {
  /// The places of the needle's two rarest bytes.
  size_t first, second;
  /// Those bytes, and what else may stand there where case does not count.
  uint8_t first_byte, first_other, second_byte, second_other;
  /// Tells whether ASCII letters of either case are the same; the needle is then in lower case.
  uint8_t folds;
} mp_log_needle;

/// Looks at a needle of at least one byte; `folds` asks that the case of ASCII letters does not count, and the needle
/// must then be in lower case.
mp_log_needle mp_log_prepare(const char *needle, size_t needle_size, int folds);

/// The first place of a prepared needle in `text`; NULL where there is none.
const char *mp_log_find_prepared(
    const mp_log_needle *prepared, const char *text, size_t size, const char *needle, size_t needle_size);

/// The first place of `needle` in `text`; NULL where there is none, or one of them is empty.
const char *mp_log_find(const char *text, size_t size, const char *needle, size_t needle_size);

/// Several texts that are looked for at the same time.
typedef struct mp_log_literals mp_log_literals;

/// Prepares `count` texts of at least three bytes each, which stand one behind the other in `bytes`. Where an entry of
/// `folds` is not 0, the case of ASCII letters does not count, and the text must be in lower case.
///
/// Returns NULL where there are none, one is too short, or there is no memory. The bytes are copied.
mp_log_literals *mp_log_literals_make(const uint8_t *bytes, const size_t *sizes, const uint8_t *folds, size_t count);

void mp_log_literals_free(mp_log_literals *set);

/// A place where one of the texts stands, in the first line that has one where none goes over the end of a line; else
/// the first place. NULL where there is none.
///
/// - by: How many places are looked at in one go at most: 1, 16 or 32; 0 for as many as the processor can.
const char *mp_log_literals_find(const mp_log_literals *set, const char *text, size_t size, int by);

/// Runs an automaton of 256 entries a state over `text` from `*place` on: an entry is where the entries of the next
/// state begin. Stops before the first byte whose entry is not positive, or at the end; `*place` says where.
///
/// Returns the state there.
int32_t mp_log_run(const int32_t *table, int32_t state, const uint8_t *text, size_t size, size_t *place);

/// The number of bytes at the front of a text that tell all about it that regular expressions ask for: up to the first
/// line break but the line feed, and, unless `beyond` says that they may be there, up to the first scalar beyond ASCII.
size_t mp_log_plain_size(const uint8_t *text, size_t size, int beyond);

/// The number of bytes of `text` that are `byte`.
size_t mp_log_count(const char *text, size_t size, uint8_t byte);

/// The last place of `byte` in `text`; NULL where there is none.
const char *mp_log_find_last(const char *text, size_t size, uint8_t byte);

/// The x coordinate of a point of secp256k1 multiplied by a number, which is what Diffie and Hellman's exchange on that
/// curve agrees on; libcrypto does it, loaded at the first call.
///
/// - point: 64 bytes, x and y, big-endian. - number, x: 32 bytes, big-endian.
/// Returns 0 where it was done, 1 where there is no libcrypto, 2 where the point is not on the curve.
int mp_log_agree(const uint8_t *point, const uint8_t *number, uint8_t *x);

#endif
