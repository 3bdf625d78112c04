#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// An archive that is being written, front to back.
typedef struct mp_archive_writer mp_archive_writer;

typedef enum {
  MP_ARCHIVE_WRITE_FILE,
  MP_ARCHIVE_WRITE_EXECUTABLE,
  MP_ARCHIVE_WRITE_FOLDER,
  MP_ARCHIVE_WRITE_LINK,
} mp_archive_write_kind;

/// Takes the next bytes of the archive; says whether it could.
typedef bool (*mp_archive_sink)(void *_Nullable context, const void *_Nonnull bytes, size_t size);

/// Begins an archive: a zip (deflate), else a tar compressed by zstd. Times, owners and groups are 0, so that the same
/// files give the same bytes.
///
/// NULL where libarchive is not there (mp_archive_missing()), or cannot write the format.
mp_archive_writer *_Nullable mp_archive_write_open(
    bool is_zip, mp_archive_sink _Nonnull sink, void *_Nullable context);

/// Begins an entry. `target` is where a link leads, else NULL; `size` is that of a file, else 0.
bool mp_archive_write_entry(
    mp_archive_writer *_Nonnull writer, mp_archive_write_kind kind, const char *_Nonnull path,
    const char *_Nullable target, int64_t size);

/// Writes on in the current file.
bool mp_archive_write_data(mp_archive_writer *_Nonnull writer, const void *_Nonnull bytes, size_t size);

/// Writes what is left; nothing more may be written then.
bool mp_archive_write_end(mp_archive_writer *_Nonnull writer);

/// The words of libarchive about its last failure; valid until the next call.
const char *_Nullable mp_archive_write_error(mp_archive_writer *_Nonnull writer);

void mp_archive_write_close(mp_archive_writer *_Nonnull writer);

#ifdef __cplusplus
}
#endif
