#include "pages.h"

#include <string.h>

// The database itself: a header of one page, then SQLite's pages, each sealed for its number.

static struct page_file *file_of(sqlite3_file *base) { return (struct page_file *)base; }

static struct mp_place place_of(sqlite3_int64 page) {
  return (struct mp_place){MP_PART_PAGE, (uint64_t)page, 0};
}

static int file_close(sqlite3_file *base) {
  struct page_file *file = file_of(base);
  if (file->keys) file->pages->cipher.close_keys(file->keys);
  int result = file->real->pMethods ? file->real->pMethods->xClose(file->real) : SQLITE_OK;
  sqlite3_free(file->real);
  sqlite3_free(file->header);
  base->pMethods = NULL;
  mp_pages_release(file->pages);
  return result;
}

int mp_page_file_unseal(
    struct page_file *file, struct mp_place place, const uint8_t *sealed, int size, uint8_t *plain) {
  int outcome = file->pages->cipher.open(file->keys, place, sealed, size, plain);
  if (outcome != MP_CIPHER_KEY_UNKNOWN) return outcome;
  int result = mp_page_file_refresh(file);
  if (result == SQLITE_IOERR_AUTH) return MP_CIPHER_KEY_WRONG;
  if (result != SQLITE_OK) return outcome;
  return file->pages->cipher.open(file->keys, place, sealed, size, plain);
}

/// Reads a page into `plain`; one that lies behind the end of the file is zeros, and a short read.
static int read_page(struct page_file *file, sqlite3_int64 page) {
  int outcome = MP_CIPHER_DAMAGED;
  // A connection that has just opened reads the first page without a lock, while another may be writing it.
  for (int attempt = 0; attempt < 4; attempt++) {
    int result = file->real->pMethods->xRead(file->real, file->sealed, MP_PAGE_SIZE, page * MP_PAGE_SIZE);
    if (result != SQLITE_OK) {
      if (result == SQLITE_IOERR_SHORT_READ) memset(file->plain, 0, MP_PAGE_SIZE);
      return result;
    }
    outcome = mp_page_file_unseal(
        file, place_of(page), file->sealed, MP_PAGE_SIZE - MP_PAGE_RESERVED, file->plain);
    if (outcome == MP_CIPHER_DONE) {
      memset(file->plain + MP_PAGE_SIZE - MP_PAGE_RESERVED, 0, MP_PAGE_RESERVED);
      return SQLITE_OK;
    }
  }
  return mp_pages_fail(file->pages, outcome, place_of(page));
}

/// The start of a database of our form: what SQLite wants to know before it looks into the log, where the first page may
/// stand (Database File Format, section 1.3).
static void write_expected_start(uint8_t *target, int size) {
  static const uint8_t start[] = "SQLite format 3\0\x10\0\2\2\x20\x40\x20\x20";
  memset(target, 0, (size_t)size);
  memcpy(target, start, size < 24 ? (size_t)size : 24);
}

static int file_read(sqlite3_file *base, void *target, int size, sqlite3_int64 offset) {
  struct page_file *file = file_of(base);
  sqlite3_int64 page = offset / MP_PAGE_SIZE + 1;
  int within = (int)(offset % MP_PAGE_SIZE);
  if (within + size > MP_PAGE_SIZE) return SQLITE_IOERR_READ;
  int result = read_page(file, page);
  if (result == SQLITE_IOERR_DATA && offset == 0 && size < MP_PAGE_SIZE) {
    // The first page may be torn, and whole in the log; where it is not, SQLite reads all of it next, and fails.
    write_expected_start(target, size);
    return SQLITE_OK;
  }
  if (result == SQLITE_OK || result == SQLITE_IOERR_SHORT_READ) memcpy(target, file->plain + within, (size_t)size);
  return result;
}

static int write_page(struct page_file *file, sqlite3_int64 page, const uint8_t *plain) {
  int outcome = file->pages->cipher.seal(
      file->keys, place_of(page), plain, MP_PAGE_SIZE - MP_PAGE_RESERVED, file->sealed);
  if (outcome != MP_CIPHER_DONE) return mp_pages_fail(file->pages, outcome, place_of(page));
  return file->real->pMethods->xWrite(file->real, file->sealed, MP_PAGE_SIZE, page * MP_PAGE_SIZE);
}

static int file_size(sqlite3_file *base, sqlite3_int64 *size) {
  int result = file_of(base)->real->pMethods->xFileSize(file_of(base)->real, size);
  *size = *size < MP_PAGE_SIZE ? 0 : (*size / MP_PAGE_SIZE - 1) * MP_PAGE_SIZE;
  return result;
}

/// Fills the file up to a number of pages with sealed zeros: no page is ever accepted that was not sealed.
static int extend(struct page_file *file, sqlite3_int64 pages) {
  sqlite3_int64 size;
  int result = file_size(&file->base, &size);
  if (result != SQLITE_OK || size / MP_PAGE_SIZE >= pages) return result;
  memset(file->plain, 0, MP_PAGE_SIZE);
  for (sqlite3_int64 page = size / MP_PAGE_SIZE + 1; page <= pages && result == SQLITE_OK; page++)
    result = write_page(file, page, file->plain);
  return result;
}

static int file_write(sqlite3_file *base, const void *source, int size, sqlite3_int64 offset) {
  struct page_file *file = file_of(base);
  const uint8_t *bytes = source;
  if (size != MP_PAGE_SIZE || offset % MP_PAGE_SIZE != 0) return SQLITE_IOERR_WRITE;
  // A page of another form, as a copy of a plain database has it, uses the bytes that the seal needs.
  if (offset == 0 && (bytes[16] != 0x10 || bytes[17] != 0 || bytes[20] != MP_PAGE_RESERVED)) return SQLITE_IOERR_WRITE;
  sqlite3_int64 page = offset / MP_PAGE_SIZE + 1;
  int result = extend(file, page - 1);
  return result == SQLITE_OK ? write_page(file, page, source) : result;
}

static int file_truncate(sqlite3_file *base, sqlite3_int64 size) {
  struct page_file *file = file_of(base);
  sqlite3_int64 pages = (size + MP_PAGE_SIZE - 1) / MP_PAGE_SIZE;
  int result = extend(file, pages);
  if (result != SQLITE_OK) return result;
  return file->real->pMethods->xTruncate(file->real, (pages + 1) * MP_PAGE_SIZE);
}

static int file_sync(sqlite3_file *base, int flags) {
  return file_of(base)->real->pMethods->xSync(file_of(base)->real, flags);
}

static int file_lock(sqlite3_file *base, int level) {
  return file_of(base)->real->pMethods->xLock(file_of(base)->real, level);
}

static int file_unlock(sqlite3_file *base, int level) {
  return file_of(base)->real->pMethods->xUnlock(file_of(base)->real, level);
}

static int file_check_lock(sqlite3_file *base, int *out) {
  return file_of(base)->real->pMethods->xCheckReservedLock(file_of(base)->real, out);
}

/// Refuses ways to keep changes that are not the log, of which nothing could be taken back after a crash.
static int control_pragma(struct page_file *file, char **words) {
  if (file->pages->creates || sqlite3_stricmp(words[1], "journal_mode") != 0 || !words[2]) return SQLITE_NOTFOUND;
  if (sqlite3_stricmp(words[2], "wal") == 0) return SQLITE_NOTFOUND;
  words[0] = sqlite3_mprintf("an encrypted database keeps its changes in a log (journal_mode WAL)");
  return SQLITE_ERROR;
}

static int write_header(struct page_file *file, const uint8_t *header) {
  int result = file->real->pMethods->xWrite(file->real, header, MP_PAGE_SIZE, 0);
  if (result == SQLITE_OK) result = file->real->pMethods->xSync(file->real, SQLITE_SYNC_NORMAL);
  return result == SQLITE_OK ? mp_page_file_refresh(file) : result;
}

static int read_header(struct page_file *file, uint8_t *target) {
  int result = mp_page_file_refresh(file);
  if (result == SQLITE_OK) memcpy(target, file->header, MP_PAGE_SIZE);
  return result;
}

static int count_others(struct page_file *file, struct mp_generation_count *count) {
  sqlite3_int64 size;
  uint8_t bytes[4];
  int result = file_size(&file->base, &size);
  count->others = 0;
  for (sqlite3_int64 page = 1; result == SQLITE_OK && page <= size / MP_PAGE_SIZE; page++) {
    result = file->real->pMethods->xRead(file->real, bytes, 4, (page + 1) * MP_PAGE_SIZE - 4);
    uint32_t generation =
        bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
    count->others += generation != count->generation;
  }
  return result;
}

static int file_control(sqlite3_file *base, int operation, void *argument) {
  struct page_file *file = file_of(base);
  switch (operation) {
    case SQLITE_FCNTL_PRAGMA: return control_pragma(file, argument);
    // Room that is made beforehand would be pages without a seal; and no page can be used where it lies.
    case SQLITE_FCNTL_SIZE_HINT:
    case SQLITE_FCNTL_CHUNK_SIZE: return SQLITE_OK;
    case SQLITE_FCNTL_MMAP_SIZE: return SQLITE_NOTFOUND;
    case MP_CONTROL_WRITE_HEADER: return write_header(file, argument);
    case MP_CONTROL_READ_HEADER: return read_header(file, argument);
    case MP_CONTROL_COUNT_OTHERS: return count_others(file, argument);
    default: return file->real->pMethods->xFileControl(file->real, operation, argument);
  }
}

static int file_sector(sqlite3_file *base) { return file_of(base)->real->pMethods->xSectorSize(file_of(base)->real); }

/// Without padding of the log, and without writes of several pages at once.
static int file_traits(sqlite3_file *base) { return SQLITE_IOCAP_POWERSAFE_OVERWRITE; }

static int file_map_shared(sqlite3_file *base, int page, int size, int extends, void volatile **out) {
  return file_of(base)->real->pMethods->xShmMap(file_of(base)->real, page, size, extends, out);
}

int mp_page_file_refresh(struct page_file *file) {
  int result = file->real->pMethods->xRead(file->real, file->fresh, MP_PAGE_SIZE, 0);
  if (result != SQLITE_OK) return result;
  if (memcmp(file->header, file->fresh, MP_PAGE_SIZE) == 0) return SQLITE_OK;
  int outcome = file->pages->cipher.reload(file->keys, file->fresh);
  if (outcome != MP_CIPHER_DONE) return mp_pages_fail(file->pages, outcome, place_of(0));
  memcpy(file->header, file->fresh, MP_PAGE_SIZE);
  return SQLITE_OK;
}

static int file_lock_shared(sqlite3_file *base, int lock, int count, int flags) {
  struct page_file *file = file_of(base);
  int result = file->real->pMethods->xShmLock(file->real, lock, count, flags);
  // The owner of lock 0 writes to the log, that of lock 1 from it to the file: both do so with the newest key.
  int writes = (flags & SQLITE_SHM_LOCK) && (flags & SQLITE_SHM_EXCLUSIVE) && lock < 2;
  if (result != SQLITE_OK || !writes) return result;
  if (file->log) {
    file->log->mark = 0;
    file->log->top = 0;
    file->log->waiting = 0;
  }
  result = mp_page_file_refresh(file);
  if (result != SQLITE_OK) {
    file->real->pMethods->xShmLock(file->real, lock, count, SQLITE_SHM_UNLOCK | SQLITE_SHM_EXCLUSIVE);
  }
  return result;
}

static void file_barrier(sqlite3_file *base) { file_of(base)->real->pMethods->xShmBarrier(file_of(base)->real); }

static int file_unmap_shared(sqlite3_file *base, int deletes) {
  return file_of(base)->real->pMethods->xShmUnmap(file_of(base)->real, deletes);
}

static const sqlite3_io_methods file_methods = {
    .iVersion = 2,
    .xClose = file_close,
    .xRead = file_read,
    .xWrite = file_write,
    .xTruncate = file_truncate,
    .xSync = file_sync,
    .xFileSize = file_size,
    .xLock = file_lock,
    .xUnlock = file_unlock,
    .xCheckReservedLock = file_check_lock,
    .xFileControl = file_control,
    .xSectorSize = file_sector,
    .xDeviceCharacteristics = file_traits,
    .xShmMap = file_map_shared,
    .xShmLock = file_lock_shared,
    .xShmBarrier = file_barrier,
    .xShmUnmap = file_unmap_shared,
};

/// Reads the header and makes the keys.
static int open_keys(struct page_file *file) {
  sqlite3_int64 size = 0;
  int result = file->real->pMethods->xFileSize(file->real, &size);
  if (result != SQLITE_OK) return result;
  int outcome = MP_CIPHER_PLAIN;
  if (size >= MP_PAGE_SIZE) {
    result = file->real->pMethods->xRead(file->real, file->header, MP_PAGE_SIZE, 0);
    if (result != SQLITE_OK) return result;
    outcome = file->pages->cipher.open_keys(file->pages->cipher.context, file->header, &file->keys);
  }
  return outcome == MP_CIPHER_DONE ? SQLITE_OK : mp_pages_fail(file->pages, outcome, place_of(0));
}

int mp_page_file_open(struct page_file *file, mp_pages *pages, const char *name, int flags, int *out_flags) {
  memset(file, 0, sizeof *file);
  file->pages = pages;
  file->real = sqlite3_malloc64((sqlite3_uint64)pages->real->szOsFile);
  file->header = sqlite3_malloc64(4 * MP_PAGE_SIZE);
  int result = SQLITE_NOMEM;
  if (file->real && file->header) {
    memset(file->real, 0, (size_t)pages->real->szOsFile);
    file->sealed = file->header + MP_PAGE_SIZE;
    file->plain = file->sealed + MP_PAGE_SIZE;
    file->fresh = file->plain + MP_PAGE_SIZE;
    // A file that SQLite made would have no header.
    result = pages->real->xOpen(pages->real, name, file->real, flags & ~SQLITE_OPEN_CREATE, out_flags);
  }
  if (result == SQLITE_OK && (file->real->pMethods->iVersion < 2 || !file->real->pMethods->xShmMap))
    result = SQLITE_CANTOPEN;
  if (result == SQLITE_OK) result = open_keys(file);
  if (result == SQLITE_OK) {
    file->base.pMethods = &file_methods;
    mp_pages_own(pages);
    return SQLITE_OK;
  }
  if (file->real && file->real->pMethods) file->real->pMethods->xClose(file->real);
  sqlite3_free(file->real);
  sqlite3_free(file->header);
  return result;
}
