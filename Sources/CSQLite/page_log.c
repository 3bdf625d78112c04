#include "pages.h"

#include <string.h>

// The log. SQLite's header of 32 bytes and its frames of 24 and a page become
//
//     header: magic 8, mark 8, sealed: SQLite's header 32, run of the system 16
//     frame:  mark 8, sealed: SQLite's frame, the first 8 bytes of the seal again
//
// The mark is random and new with each beginning: frames of another are left from before. Where the bytes at the end of a
// frame are not those of its seal, a process ended while it was written; else it was damaged.

#define MARK 8
#define HEADER_PLAIN (LOG_HEADER + MP_RUN_SIZE)
#define HEADER_BYTES (8 + MARK + HEADER_PLAIN + MP_PAGE_RESERVED)
#define FRAME_BYTES (MARK + FRAME_SIZE + MP_PAGE_RESERVED + MARK)

static const uint8_t magic[8] = "MPWAL1\0";

static struct log_file *log_of(sqlite3_file *base) { return (struct log_file *)base; }

static struct mp_place place_of(struct log_file *log, sqlite3_int64 frame) {
  uint64_t part = frame == 0 ? MP_PART_LOG_HEADER : MP_PART_FRAME;
  return (struct mp_place){part, (uint64_t)frame, log->mark};
}

static sqlite3_int64 frame_offset(sqlite3_int64 frame) { return HEADER_BYTES + (frame - 1) * FRAME_BYTES; }

static uint64_t mark_at(const uint8_t *bytes) {
  uint64_t mark;
  memcpy(&mark, bytes, sizeof mark);
  return mark;
}

/// Tells whether random words are the same but for a few bits, as damage leaves them.
static int is_near(uint64_t one, uint64_t other) { return __builtin_popcountll(one ^ other) <= 8; }

static int fail(struct log_file *log, int outcome, sqlite3_int64 frame) {
  return mp_pages_fail(log->pages, outcome, place_of(log, frame));
}

/// Reads the header into `plain`: SQLite's, or zeros where the log has not begun.
static int read_header(struct log_file *log) {
  uint8_t bytes[HEADER_BYTES], run[MP_RUN_SIZE];
  log->mark = 0;
  memset(log->plain, 0, HEADER_PLAIN);
  int result = log->real->pMethods->xRead(log->real, bytes, HEADER_BYTES, 0);
  if (result != SQLITE_OK) return result;
  int is_empty = 1;
  for (int i = 0; i < HEADER_BYTES; i++) is_empty &= bytes[i] == 0;
  // Room that the file system gave before the power was cut.
  if (is_empty) return SQLITE_OK;
  log->mark = mark_at(bytes + sizeof magic);
  int outcome = memcmp(bytes, magic, sizeof magic) == 0 ? MP_CIPHER_DONE : MP_CIPHER_DAMAGED;
  if (outcome == MP_CIPHER_DONE) {
    outcome = mp_page_file_unseal(
        log->database, place_of(log, 0), bytes + sizeof magic + MARK, HEADER_PLAIN, log->plain);
  }
  if (outcome != MP_CIPHER_DONE) {
    result = fail(log, outcome, 0);
    log->mark = 0;
    return result;
  }
  log->is_same_run = mp_system_run(run) && memcmp(log->plain + LOG_HEADER, run, MP_RUN_SIZE) == 0;
  return SQLITE_OK;
}

static int write_header(struct log_file *log, const uint8_t *header) {
  uint8_t bytes[HEADER_BYTES], plain[HEADER_PLAIN];
  do sqlite3_randomness(sizeof log->mark, &log->mark);
  while (log->mark == 0);
  log->top = log->waiting = 0;
  memcpy(bytes, magic, sizeof magic);
  memcpy(bytes + sizeof magic, &log->mark, MARK);
  memcpy(plain, header, LOG_HEADER);
  log->is_same_run = mp_system_run(plain + LOG_HEADER);
  int outcome = log->pages->cipher.seal(
      log->database->keys, place_of(log, 0), plain, HEADER_PLAIN, bytes + sizeof magic + MARK);
  if (outcome != MP_CIPHER_DONE) return fail(log, outcome, 0);
  return log->real->pMethods->xWrite(log->real, bytes, HEADER_BYTES, 0);
}

/// Knows the mark of the log's beginning, where it has one.
static int know_mark(struct log_file *log) {
  if (log->mark != 0) return SQLITE_OK;
  int result = read_header(log);
  return result == SQLITE_IOERR_SHORT_READ ? SQLITE_OK : result;
}

/// The kinds of bytes that stand in the place of a frame.
enum state { STATE_WHOLE, STATE_NONE, STATE_TORN, STATE_DAMAGED };

/// Reads a frame into `plain`.
static int read_frame(struct log_file *log, sqlite3_int64 frame, enum state *state) {
  *state = STATE_NONE;
  int result = log->real->pMethods->xRead(log->real, log->sealed, FRAME_BYTES, frame_offset(frame));
  if (result != SQLITE_OK) return result == SQLITE_IOERR_SHORT_READ ? SQLITE_OK : result;
  uint64_t mark = mark_at(log->sealed);
  if (log->mark == 0 || mark != log->mark) {
    // Another connection may have begun the log anew.
    result = read_header(log);
    if (result != SQLITE_OK) return result == SQLITE_IOERR_SHORT_READ ? SQLITE_OK : result;
    if (!is_near(mark, log->mark)) return SQLITE_OK;
  }
  uint64_t start = mark_at(log->sealed + MARK), end = mark_at(log->sealed + FRAME_BYTES - MARK);
  int outcome = mp_page_file_unseal(log->database, place_of(log, frame), log->sealed + MARK, FRAME_SIZE, log->plain);
  if (outcome == MP_CIPHER_DONE && mark == log->mark && start == end) {
    *state = STATE_WHOLE;
  } else {
    *state = is_near(start, end) ? STATE_DAMAGED : STATE_TORN;
  }
  return SQLITE_OK;
}

/// Reads a part of a frame.
static int read_part(struct log_file *log, void *target, int size, sqlite3_int64 frame, int within) {
  enum state state;
  int result = read_frame(log, frame, &state);
  if (result != SQLITE_OK) return result;
  if (state == STATE_WHOLE) {
    memcpy(target, log->plain + within, (size_t)size);
    return SQLITE_OK;
  }
  // Whole frames are read to find out how far the log goes: to what a process left that ended while it wrote, or after
  // a cut of the power, to what did not reach the disk. Else they are there.
  int seeks_end = within == 0 && size == FRAME_SIZE;
  if (!seeks_end || (state == STATE_DAMAGED && log->is_same_run)) return fail(log, MP_CIPHER_DAMAGED, frame);
  memset(target, 0, (size_t)size);
  return SQLITE_OK;
}

static int log_read(sqlite3_file *base, void *target, int size, sqlite3_int64 offset) {
  struct log_file *log = log_of(base);
  if (offset + size <= LOG_HEADER) {
    int result = read_header(log);
    memcpy(target, log->plain + offset, (size_t)size);
    return result;
  }
  sqlite3_int64 place = offset - LOG_HEADER;
  if (place < 0 || place % FRAME_SIZE + size > FRAME_SIZE) return SQLITE_IOERR_READ;
  return read_part(log, target, size, place / FRAME_SIZE + 1, (int)(place % FRAME_SIZE));
}

/// Seals what stands in `plain` as a frame.
static int write_frame(struct log_file *log, sqlite3_int64 frame) {
  if (log->mark == 0) return SQLITE_IOERR_WRITE;
  memcpy(log->sealed, &log->mark, MARK);
  int outcome = log->pages->cipher.seal(
      log->database->keys, place_of(log, frame), log->plain, FRAME_SIZE, log->sealed + MARK);
  if (outcome != MP_CIPHER_DONE) return fail(log, outcome, frame);
  memcpy(log->sealed + FRAME_BYTES - MARK, log->sealed + MARK, MARK);
  return log->real->pMethods->xWrite(log->real, log->sealed, FRAME_BYTES, frame_offset(frame));
}

/// Takes the header of a frame: one that is there gets it at once, as where SQLite computes its sums anew; for a new one it
/// waits for the page, which comes next.
static int write_frame_header(struct log_file *log, const uint8_t *header, sqlite3_int64 frame) {
  enum state state = STATE_NONE;
  int result = know_mark(log);
  if (result == SQLITE_OK && frame != log->top) result = read_frame(log, frame, &state);
  if (result != SQLITE_OK) return result;
  if (state == STATE_WHOLE) {
    memcpy(log->plain, header, FRAME_HEADER);
    return write_frame(log, frame);
  }
  memcpy(log->waiting_header, header, FRAME_HEADER);
  log->waiting = frame;
  return SQLITE_OK;
}

static int write_frame_page(struct log_file *log, const uint8_t *page, sqlite3_int64 frame, int has_header) {
  enum state state = STATE_WHOLE;
  if (has_header) {
    memcpy(log->plain, log->waiting_header, FRAME_HEADER);
  } else {
    int result = know_mark(log);
    if (result == SQLITE_OK) result = read_frame(log, frame, &state);
    if (result != SQLITE_OK) return result;
    if (state != STATE_WHOLE) return fail(log, MP_CIPHER_DAMAGED, frame);
  }
  memcpy(log->plain + FRAME_HEADER, page, MP_PAGE_SIZE);
  int result = write_frame(log, frame);
  if (result == SQLITE_OK && has_header) log->top = frame + 1;
  return result;
}

static int log_write(sqlite3_file *base, const void *source, int size, sqlite3_int64 offset) {
  struct log_file *log = log_of(base);
  sqlite3_int64 waiting = log->waiting;
  log->waiting = 0;
  if (offset == 0 && size == LOG_HEADER) return write_header(log, source);
  sqlite3_int64 place = offset - LOG_HEADER, frame = place / FRAME_SIZE + 1;
  if (place >= 0 && place % FRAME_SIZE == 0 && size == FRAME_HEADER) return write_frame_header(log, source, frame);
  if (place < 0 || place % FRAME_SIZE != FRAME_HEADER || size != MP_PAGE_SIZE) return SQLITE_IOERR_WRITE;
  return write_frame_page(log, source, frame, waiting == frame);
}

static int log_truncate(sqlite3_file *base, sqlite3_int64 size) {
  struct log_file *log = log_of(base);
  log->mark = 0;
  log->top = log->waiting = 0;
  // Bytes behind the last whole frame are no frame.
  sqlite3_int64 bytes = size < LOG_HEADER ? 0 : HEADER_BYTES + (size - LOG_HEADER) / FRAME_SIZE * FRAME_BYTES;
  return log->real->pMethods->xTruncate(log->real, bytes);
}

static int log_size(sqlite3_file *base, sqlite3_int64 *size) {
  int result = log_of(base)->real->pMethods->xFileSize(log_of(base)->real, size);
  if (*size < HEADER_BYTES) {
    *size = 0;
  } else {
    sqlite3_int64 frames = (*size - HEADER_BYTES) / FRAME_BYTES;
    *size = LOG_HEADER + frames * FRAME_SIZE;
  }
  return result;
}

static int log_close(sqlite3_file *base) {
  struct log_file *log = log_of(base);
  if (log->database->log == log) log->database->log = NULL;
  int result = log->real->pMethods->xClose(log->real);
  sqlite3_free(log->real);
  sqlite3_free(log->sealed);
  base->pMethods = NULL;
  mp_pages_release(log->pages);
  return result;
}

static int log_sync(sqlite3_file *base, int flags) {
  return log_of(base)->real->pMethods->xSync(log_of(base)->real, flags);
}

static int log_lock(sqlite3_file *base, int level) { return SQLITE_OK; }

static int log_check_lock(sqlite3_file *base, int *out) {
  *out = 0;
  return SQLITE_OK;
}

static int log_control(sqlite3_file *base, int operation, void *argument) {
  if (operation == SQLITE_FCNTL_SIZE_HINT || operation == SQLITE_FCNTL_CHUNK_SIZE) return SQLITE_OK;
  return log_of(base)->real->pMethods->xFileControl(log_of(base)->real, operation, argument);
}

static int log_sector(sqlite3_file *base) { return log_of(base)->real->pMethods->xSectorSize(log_of(base)->real); }
static int log_traits(sqlite3_file *base) { return SQLITE_IOCAP_POWERSAFE_OVERWRITE; }

static const sqlite3_io_methods log_methods = {
    .iVersion = 1,
    .xClose = log_close,
    .xRead = log_read,
    .xWrite = log_write,
    .xTruncate = log_truncate,
    .xSync = log_sync,
    .xFileSize = log_size,
    .xLock = log_lock,
    .xUnlock = log_lock,
    .xCheckReservedLock = log_check_lock,
    .xFileControl = log_control,
    .xSectorSize = log_sector,
    .xDeviceCharacteristics = log_traits,
};

int mp_log_file_open(struct log_file *log, mp_pages *pages, const char *name, int flags, int *out_flags) {
  memset(log, 0, sizeof *log);
  log->pages = pages;
  log->database = (struct page_file *)sqlite3_database_file_object(name);
  log->real = sqlite3_malloc64((sqlite3_uint64)pages->real->szOsFile);
  log->sealed = sqlite3_malloc64(FRAME_BYTES + FRAME_SIZE);
  int result = SQLITE_NOMEM;
  if (log->real && log->sealed) {
    memset(log->real, 0, (size_t)pages->real->szOsFile);
    log->plain = log->sealed + FRAME_BYTES;
    result = pages->real->xOpen(pages->real, name, log->real, flags, out_flags);
  }
  if (result == SQLITE_OK) {
    log->base.pMethods = &log_methods;
    log->database->log = log;
    mp_pages_own(pages);
    return SQLITE_OK;
  }
  if (log->real && log->real->pMethods) log->real->pMethods->xClose(log->real);
  sqlite3_free(log->real);
  sqlite3_free(log->sealed);
  return result;
}
