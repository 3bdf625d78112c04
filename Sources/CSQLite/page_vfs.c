#include "pages.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

static mp_pages *of(sqlite3_vfs *vfs) { return vfs->pAppData; }

void mp_pages_own(mp_pages *pages) { atomic_fetch_add(&pages->owners, 1); }

void mp_pages_release(mp_pages *pages) {
  if (atomic_fetch_sub(&pages->owners, 1) != 1) return;
  sqlite3_vfs_unregister(&pages->vfs);
  pages->cipher.release(pages->cipher.context);
  sqlite3_free(pages);
}

const char *mp_pages_name(const mp_pages *pages) { return pages->name; }

struct mp_page_failure mp_pages_failure(mp_pages *pages) {
  struct mp_page_failure failure = pages->failure;
  memset(&pages->failure, 0, sizeof pages->failure);
  return failure;
}

int mp_pages_fail(mp_pages *pages, int outcome, struct mp_place place) {
  pages->failure = (struct mp_page_failure){outcome, place};
  int is_damage = outcome == MP_CIPHER_DAMAGED || outcome == MP_CIPHER_KEY_UNKNOWN;
  return is_damage ? SQLITE_IOERR_DATA : SQLITE_IOERR_AUTH;
}

static int pages_open(sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags, int *out_flags) {
  mp_pages *pages = of(vfs);
  file->pMethods = NULL;
  if (flags & SQLITE_OPEN_MAIN_DB) return mp_page_file_open((struct page_file *)file, pages, name, flags, out_flags);
  if (flags & SQLITE_OPEN_WAL) return mp_log_file_open((struct log_file *)file, pages, name, flags, out_flags);
  // Changes go to the log. What SQLite did in another way could not be taken back after a crash: only a database that
  // has no name yet is written so.
  int is_journal = flags & (SQLITE_OPEN_MAIN_JOURNAL | SQLITE_OPEN_SUPER_JOURNAL);
  if (is_journal && !pages->creates) return SQLITE_CANTOPEN;
  mp_memory_file_open((struct memory_file *)file);
  if (out_flags) *out_flags = flags;
  return SQLITE_OK;
}

static int pages_delete(sqlite3_vfs *vfs, const char *name, int syncs) {
  int result = of(vfs)->real->xDelete(of(vfs)->real, name, syncs);
  // The journal of a database that is being made is in memory.
  return result == SQLITE_IOERR_DELETE_NOENT && of(vfs)->creates ? SQLITE_OK : result;
}

static int pages_access(sqlite3_vfs *vfs, const char *name, int flags, int *out) {
  return of(vfs)->real->xAccess(of(vfs)->real, name, flags, out);
}

static int pages_full_name(sqlite3_vfs *vfs, const char *name, int size, char *out) {
  return of(vfs)->real->xFullPathname(of(vfs)->real, name, size, out);
}

static void *pages_library(sqlite3_vfs *vfs, const char *name) { return of(vfs)->real->xDlOpen(of(vfs)->real, name); }

static void pages_library_error(sqlite3_vfs *vfs, int size, char *out) {
  of(vfs)->real->xDlError(of(vfs)->real, size, out);
}

static void (*pages_symbol(sqlite3_vfs *vfs, void *library, const char *name))(void) {
  return of(vfs)->real->xDlSym(of(vfs)->real, library, name);
}

static void pages_close_library(sqlite3_vfs *vfs, void *library) {
  of(vfs)->real->xDlClose(of(vfs)->real, library);
}

static int pages_randomness(sqlite3_vfs *vfs, int size, char *out) {
  return of(vfs)->real->xRandomness(of(vfs)->real, size, out);
}

static int pages_sleep(sqlite3_vfs *vfs, int microseconds) {
  return of(vfs)->real->xSleep(of(vfs)->real, microseconds);
}

static int pages_time(sqlite3_vfs *vfs, double *out) { return of(vfs)->real->xCurrentTime(of(vfs)->real, out); }

static int pages_last_error(sqlite3_vfs *vfs, int size, char *out) {
  return of(vfs)->real->xGetLastError ? of(vfs)->real->xGetLastError(of(vfs)->real, size, out) : 0;
}

static int pages_time_64(sqlite3_vfs *vfs, sqlite3_int64 *out) {
  return of(vfs)->real->xCurrentTimeInt64(of(vfs)->real, out);
}

mp_pages *mp_pages_create(struct mp_page_cipher cipher, int creates) {
  sqlite3_vfs *real = sqlite3_initialize() == SQLITE_OK ? sqlite3_vfs_find(NULL) : NULL;
  mp_pages *pages = real ? sqlite3_malloc64(sizeof *pages) : NULL;
  if (!pages) {
    cipher.release(cipher.context);
    return NULL;
  }
  memset(pages, 0, sizeof *pages);
  pages->real = real;
  pages->cipher = cipher;
  pages->creates = creates;
  atomic_init(&pages->owners, 1);
  // A name that no other has while this one lives.
  snprintf(pages->name, sizeof pages->name, "mpaas-pages-%llx", (unsigned long long)(uintptr_t)pages);
  int size = sizeof(struct page_file);
  if (size < (int)sizeof(struct log_file)) size = sizeof(struct log_file);
  if (size < (int)sizeof(struct memory_file)) size = sizeof(struct memory_file);
  pages->vfs = (sqlite3_vfs){
      .iVersion = real->iVersion >= 2 ? 2 : 1,
      .szOsFile = size,
      .mxPathname = real->mxPathname,
      .zName = pages->name,
      .pAppData = pages,
      .xOpen = pages_open,
      .xDelete = pages_delete,
      .xAccess = pages_access,
      .xFullPathname = pages_full_name,
      .xDlOpen = pages_library,
      .xDlError = pages_library_error,
      .xDlSym = pages_symbol,
      .xDlClose = pages_close_library,
      .xRandomness = pages_randomness,
      .xSleep = pages_sleep,
      .xCurrentTime = pages_time,
      .xGetLastError = pages_last_error,
      .xCurrentTimeInt64 = pages_time_64,
  };
  if (sqlite3_vfs_register(&pages->vfs, 0) != SQLITE_OK) {
    mp_pages_release(pages);
    return NULL;
  }
  return pages;
}
