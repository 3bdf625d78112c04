/// Declarations that the parts of the encrypting file system share.
#ifndef MPAAS_PAGES_H
#define MPAAS_PAGES_H

#include "CSQLitePages.h"

#include <stdatomic.h>

/// Bytes of a frame of SQLite's log: its header and a page (Database File Format, section 4.1).
#define FRAME_HEADER 24
#define FRAME_SIZE (FRAME_HEADER + MP_PAGE_SIZE)
#define LOG_HEADER 32
/// Bytes that name a run of the system.
#define MP_RUN_SIZE 16

struct mp_pages {
  sqlite3_vfs vfs;
  /// The system's.
  sqlite3_vfs *real;
  struct mp_page_cipher cipher;
  struct mp_page_failure failure;
  int creates;
  /// The owner, and each open file.
  atomic_int owners;
  char name[40];
};

/// The database of a connection.
struct page_file {
  sqlite3_file base;
  mp_pages *pages;
  sqlite3_file *real;
  void *keys;
  struct log_file *log;
  /// The header as it was read last, and memory for a page as it is on the disk, as SQLite has it, and for a header.
  uint8_t *header;
  uint8_t *sealed;
  uint8_t *plain;
  uint8_t *fresh;
};

/// The log of a database.
struct log_file {
  sqlite3_file base;
  mp_pages *pages;
  sqlite3_file *real;
  struct page_file *database;
  /// The mark of the log's beginning; 0 before it is known.
  uint64_t mark;
  /// True where the system has not started anew since the log began: then what is
  /// written was not lost, and what is not as it was written is damaged.
  int is_same_run;
  /// The frame behind the last one that was written under the lock that is held; 0 where none was.
  sqlite3_int64 top;
  /// The frame whose header waits for its page; 0 for none.
  sqlite3_int64 waiting;
  uint8_t waiting_header[FRAME_HEADER];
  uint8_t *sealed;
  uint8_t *plain;
};

/// A file that is in memory alone.
struct memory_file {
  sqlite3_file base;
  uint8_t *bytes;
  sqlite3_int64 size;
  sqlite3_int64 capacity;
};

int mp_page_file_open(struct page_file *file, mp_pages *pages, const char *name, int flags, int *out_flags);
int mp_log_file_open(struct log_file *file, mp_pages *pages, const char *name, int flags, int *out_flags);
void mp_memory_file_open(struct memory_file *file);

/// Reads the header of the file anew where it has changed.
int mp_page_file_refresh(struct page_file *file);
/// Opens sealed bytes; where their key is not known, with the header as it is now.
int mp_page_file_unseal(
    struct page_file *file, struct mp_place place, const uint8_t *sealed, int size, uint8_t *plain);
/// Notes what failed, and gives SQLite's code for it.
int mp_pages_fail(mp_pages *pages, int outcome, struct mp_place place);

void mp_pages_own(mp_pages *pages);

/// Writes which run of the system this is, from its start to the next; 0 and zeros where it does not say.
int mp_system_run(uint8_t *run);

#endif
