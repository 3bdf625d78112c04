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

/// Opens a zip or a tar (plain or compressed) in memory, which must stay until mp_archive_close(), to be read by
/// mp_archive_next_member(). NULL where there is no memory or no library.
mp_archive *_Nullable mp_archive_open_tree(const void *_Nonnull bytes, size_t size, bool is_zip);

typedef enum {
  MP_ARCHIVE_FILE,
  MP_ARCHIVE_FOLDER,
  MP_ARCHIVE_LINK,
  /// A second name of a file before it in the archive.
  MP_ARCHIVE_HARD_LINK,
  /// A device, a pipe or a socket.
  MP_ARCHIVE_OTHER,
} mp_archive_kind;

/// What an archive says about one of its members; strings are valid until the next step.
typedef struct {
  const char *_Nullable path;
  /// Where a symbolic link leads.
  const char *_Nullable target;
  /// Bytes; -1 where the archive does not tell it beforehand.
  int64_t size;
  mp_archive_kind kind;
  bool is_executable;
  bool is_encrypted;
  /// Whether libarchive found something in it that should not be.
  bool is_doubtful;
  /// How many compressions lie around the whole archive.
  int compressions;
} mp_archive_member;

/// Steps to the next member, of whatever kind.
mp_archive_step mp_archive_next_member(mp_archive *_Nonnull archive, mp_archive_member *_Nonnull member);

/// Reads on in the current file: how many bytes came, 0 at its end, negative where it is damaged.
ptrdiff_t mp_archive_read(mp_archive *_Nonnull archive, void *_Nonnull target, size_t size);

/// What libarchive says about its last failure; valid until the next call.
const char *_Nullable mp_archive_error(mp_archive *_Nonnull archive);

void mp_archive_close(mp_archive *_Nonnull archive);

#ifdef __cplusplus
}
#endif
