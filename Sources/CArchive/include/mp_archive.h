#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// An archive that is being read from memory, front to back.
typedef struct mp_archive mp_archive;

typedef enum {
  MP_ARCHIVE_ENTRY,
  MP_ARCHIVE_END,
  /// The archive is damaged, encrypted or of a kind that is not read.
  MP_ARCHIVE_DAMAGED,
} mp_archive_step;

/// Loads libarchive at the first call; says whether it is there.
bool mp_archive_load(void);

/// The file or function that was missing when loading failed.
const char *_Nullable mp_archive_missing(void);

/// libarchive's version as it names itself; NULL where it is not there.
const char *_Nullable mp_archive_version(void);

/// Opens an archive in memory, which must stay until mp_archive_close(). NULL where there is no memory or no library.
mp_archive *_Nullable mp_archive_open(const void *_Nonnull bytes, size_t size);

/// Steps to the next file; folders and links are left out.
///
/// `path` is valid until the next call; `size` is -1 where the archive does not tell it beforehand.
mp_archive_step mp_archive_next(
    mp_archive *_Nonnull archive, const char *_Nullable *_Nonnull path, int64_t *_Nonnull size,
    int64_t *_Nonnull modified);

/// Reads on in the current file: how many bytes came, 0 at its end, negative where it is damaged.
ptrdiff_t mp_archive_read(mp_archive *_Nonnull archive, void *_Nonnull target, size_t size);

/// What libarchive says about its last failure; valid until the next call.
const char *_Nullable mp_archive_error(mp_archive *_Nonnull archive);

void mp_archive_close(mp_archive *_Nonnull archive);

#ifdef __cplusplus
}
#endif
