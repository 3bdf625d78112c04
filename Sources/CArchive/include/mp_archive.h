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
  /// A header that may be passed over.
  MP_ARCHIVE_RETRY,
  /// The archive is damaged, encrypted or of a kind that is not read.
  MP_ARCHIVE_DAMAGED,
} mp_archive_step;

/// Loads libarchive at the first call; says whether it is there.
bool mp_archive_load(void);

/// The file or function that was missing when loading failed.
const char *_Nullable mp_archive_missing(void);

/// libarchive's version as it names itself; NULL where it is not there.
const char *_Nullable mp_archive_version(void);

typedef enum {
  /// A zip, a tar or a 7-Zip, plain or compressed, or one compressed file, which is a member called "data".
  MP_ARCHIVE_ANY,
  MP_ARCHIVE_ZIP,
  /// A tar, plain or compressed.
  MP_ARCHIVE_TAR,
} mp_archive_form;

/// Opens an archive in memory, which must stay until mp_archive_close(). NULL where there is no memory or no library.
mp_archive *_Nullable mp_archive_open(const void *_Nonnull bytes, size_t size, mp_archive_form form);

typedef enum {
  MP_ARCHIVE_FILE,
  MP_ARCHIVE_FOLDER,
  MP_ARCHIVE_LINK,
  /// A second name of a file before it in the archive.
  MP_ARCHIVE_HARD_LINK,
  /// A device, a pipe or a socket.
  MP_ARCHIVE_OTHER,
} mp_archive_kind;

/// An archive's facts about one of its members; strings are valid until the next step.
typedef struct {
  const char *_Nullable path;
  /// The path in UTF-8, where its characters are known.
  const char *_Nullable characters;
  /// The target of a symbolic link.
  const char *_Nullable target;
  /// Bytes; -1 where the archive does not tell it beforehand.
  int64_t size;
  /// Seconds since 1970.
  int64_t modified;
  mp_archive_kind kind;
  bool is_executable;
  bool is_encrypted;
  /// Tells whether libarchive found something in it that should not be.
  bool is_doubtful;
  /// The number of compressions around the whole archive.
  int compressions;
} mp_archive_member;

/// Steps to the next member, of whatever kind.
mp_archive_step mp_archive_next(mp_archive *_Nonnull archive, mp_archive_member *_Nonnull member);

/// Reads on in the current file: how many bytes came, 0 at its end, negative where it is damaged.
ptrdiff_t mp_archive_read(mp_archive *_Nonnull archive, void *_Nonnull target, size_t size);

/// The words of libarchive about its last failure; valid until the next call.
const char *_Nullable mp_archive_error(mp_archive *_Nonnull archive);

void mp_archive_close(mp_archive *_Nonnull archive);

#ifdef __cplusplus
}
#endif
