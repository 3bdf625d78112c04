#include "pages.h"

#include <string.h>

// Files of sorts, of statements that may be taken back, and of VACUUM: nothing of them is ever written to the disk.

static int memory_close(sqlite3_file *base) {
  sqlite3_free(((struct memory_file *)base)->bytes);
  return SQLITE_OK;
}

static int memory_read(sqlite3_file *base, void *target, int size, sqlite3_int64 offset) {
  struct memory_file *file = (struct memory_file *)base;
  sqlite3_int64 there = offset < file->size ? file->size - offset : 0;
  if (there > size) there = size;
  if (there > 0) memcpy(target, file->bytes + offset, (size_t)there);
  if (there == size) return SQLITE_OK;
  memset((uint8_t *)target + there, 0, (size_t)(size - there));
  return SQLITE_IOERR_SHORT_READ;
}

static int memory_grow(struct memory_file *file, sqlite3_int64 size) {
  if (size > file->capacity) {
    sqlite3_int64 capacity = file->capacity > 0 ? file->capacity : 1 << 16;
    while (capacity < size) capacity += capacity < 1 << 26 ? capacity : 1 << 26;
    uint8_t *larger = sqlite3_realloc64(file->bytes, (sqlite3_uint64)capacity);
    if (!larger) return SQLITE_IOERR_NOMEM;
    file->bytes = larger;
    file->capacity = capacity;
  }
  if (size > file->size) {
    memset(file->bytes + file->size, 0, (size_t)(size - file->size));
    file->size = size;
  }
  return SQLITE_OK;
}

static int memory_write(sqlite3_file *base, const void *source, int size, sqlite3_int64 offset) {
  struct memory_file *file = (struct memory_file *)base;
  int result = memory_grow(file, offset + size);
  if (result == SQLITE_OK) memcpy(file->bytes + offset, source, (size_t)size);
  return result;
}

static int memory_truncate(sqlite3_file *base, sqlite3_int64 size) {
  struct memory_file *file = (struct memory_file *)base;
  if (size > file->size) return memory_grow(file, size);
  file->size = size;
  return SQLITE_OK;
}

static int memory_size(sqlite3_file *base, sqlite3_int64 *size) {
  *size = ((struct memory_file *)base)->size;
  return SQLITE_OK;
}

static int memory_sync(sqlite3_file *base, int flags) { return SQLITE_OK; }
static int memory_lock(sqlite3_file *base, int level) { return SQLITE_OK; }

static int memory_check(sqlite3_file *base, int *out) {
  *out = 0;
  return SQLITE_OK;
}

static int memory_control(sqlite3_file *base, int operation, void *argument) { return SQLITE_NOTFOUND; }
static int memory_sector(sqlite3_file *base) { return MP_PAGE_SIZE; }
static int memory_traits(sqlite3_file *base) { return SQLITE_IOCAP_POWERSAFE_OVERWRITE; }

static const sqlite3_io_methods memory_methods = {
    .iVersion = 1,
    .xClose = memory_close,
    .xRead = memory_read,
    .xWrite = memory_write,
    .xTruncate = memory_truncate,
    .xSync = memory_sync,
    .xFileSize = memory_size,
    .xLock = memory_lock,
    .xUnlock = memory_lock,
    .xCheckReservedLock = memory_check,
    .xFileControl = memory_control,
    .xSectorSize = memory_sector,
    .xDeviceCharacteristics = memory_traits,
};

void mp_memory_file_open(struct memory_file *file) {
  memset(file, 0, sizeof *file);
  file->base.pMethods = &memory_methods;
}
