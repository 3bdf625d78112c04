/// A file system for SQLite in which databases and their logs are encrypted page by page.
///
/// It lies over the system's own, which does locks and shared memory. The form of the files is told in Storage.md.
#ifndef MPAAS_SQLITE_PAGES_H
#define MPAAS_SQLITE_PAGES_H

#include <sqlite3.h>
#include <stdint.h>

/// Bytes of a page, of which the last 32 are SQLite's reserved ones; also those of the header in front of the first page.
#define MP_PAGE_SIZE 4096
#define MP_PAGE_RESERVED 32

/// The parts of files that are sealed, each for its place alone.
enum { MP_PART_PAGE = 1, MP_PART_FRAME = 2, MP_PART_LOG_HEADER = 3 };

/// Outcomes of the functions of a cipher.
enum {
  MP_CIPHER_DONE = 0,
  /// The bytes are not those that were written.
  MP_CIPHER_DAMAGED = 1,
  /// They were sealed with a key that is not known.
  MP_CIPHER_KEY_UNKNOWN = 2,
  /// The key is not the one of the file.
  MP_CIPHER_KEY_WRONG = 3,
  /// The file is no encrypted database.
  MP_CIPHER_PLAIN = 4,
  MP_CIPHER_FAILED = 5,
};

/// The place of sealed bytes, which they cannot be moved from.
struct mp_place {
  /// One of the parts above.
  uint64_t part;
  /// The page or the frame, from 1 on.
  uint64_t number;
  /// Random bytes of the log's beginning; 0 for pages.
  uint64_t mark;
};

/// The functions that encrypt, of a library that knows no SQLite.
///
/// Sealed bytes are a nonce of 12, the ciphertext, a tag of 16, and 4 that name the key.
struct mp_page_cipher {
  void *context;
  /// Makes the keys of a file by its header of `MP_PAGE_SIZE` bytes.
  int (*open_keys)(void *context, const uint8_t *header, void **keys);
  /// Reads a header that has changed.
  int (*reload)(void *keys, const uint8_t *header);
  void (*close_keys)(void *keys);
  int (*seal)(void *keys, struct mp_place place, const uint8_t *plain, int size, uint8_t *sealed);
  int (*open)(void *keys, struct mp_place place, const uint8_t *sealed, int size, uint8_t *plain);
  /// Gives the context back.
  void (*release)(void *context);
};

/// The part of a file that could not be read.
struct mp_page_failure {
  /// One of the outcomes; `MP_CIPHER_DONE` where nothing failed.
  int outcome;
  struct mp_place place;
};

/// The file system of one connection.
typedef struct mp_pages mp_pages;

/// Makes and registers a file system.
///
/// `creates` says whether it writes the first pages of a database, which SQLite does without a log; it opens none that has
/// some then. NULL where there is no memory; the context has been given back.
mp_pages *mp_pages_create(struct mp_page_cipher cipher, int creates);
/// The name to open a connection with.
const char *mp_pages_name(const mp_pages *pages);
/// The last failure, which this forgets.
struct mp_page_failure mp_pages_failure(mp_pages *pages);
/// Gives the file system back; it goes when its last file is closed.
void mp_pages_release(mp_pages *pages);

/// Operations of `sqlite3_file_control` on an encrypted database.
enum {
  /// Writes the header, `MP_PAGE_SIZE` bytes, has it on the disk, and goes on with its keys.
  MP_CONTROL_WRITE_HEADER = 0x6d701,
  /// Copies the header.
  MP_CONTROL_READ_HEADER,
  /// Counts the pages of the file that are not of a generation: a `struct mp_generation_count`.
  MP_CONTROL_COUNT_OTHERS,
};

struct mp_generation_count {
  uint32_t generation;
  int64_t others;
};

/// Reads the first bytes of a connection's file, without another descriptor: closing one would end all locks of the
/// process.
static inline int mp_sqlite_read_start(sqlite3 *database, void *target, int size) {
  sqlite3_file *file = 0;
  int result = sqlite3_file_control(database, "main", SQLITE_FCNTL_FILE_POINTER, &file);
  if (result != SQLITE_OK || !file || !file->pMethods) return SQLITE_ERROR;
  return file->pMethods->xRead(file, target, size, 0);
}

/// Has a connection keep bytes free at the end of each page, in the database that it makes or writes by VACUUM INTO.
static inline int mp_sqlite_reserve(sqlite3 *database, int bytes) {
  return sqlite3_file_control(database, "main", SQLITE_FCNTL_RESERVE_BYTES, &bytes);
}

#endif
