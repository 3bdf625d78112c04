#if defined(__linux__)

#include "record_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "mp_text.h"

static void name_files(mp_state *state) {
  mp_text stem = mp_text_in(state->stem, sizeof state->stem);
  mp_text_add(&stem, state->directory);
  mp_text_add(&stem, "/crash-");
  mp_text_add_number(&stem, mp_clock_nanoseconds(CLOCK_REALTIME) / 1000);
  mp_text_add(&stem, "-");
  mp_text_add_number(&stem, (uint64_t)getpid());
  char *const paths[] = {state->part_path, state->final_path, state->crumbs_path};
  const char *const suffixes[] = {".part", ".raw", ".crumbs"};
  for (int index = 0; index < 3; index++) {
    mp_text path = mp_text_in(paths[index], sizeof state->part_path);
    mp_text_add(&path, state->stem);
    mp_text_add(&path, suffixes[index]);
  }
}

/// Opens and locks; the lock tells the next start that this process still lives.
static int open_part(mp_state *state) {
  name_files(state);
  state->file = open(state->part_path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (state->file < 0) return errno;
  flock(state->file, LOCK_EX | LOCK_NB);
  state->owner_pid = getpid();
  return 0;
}

/// Takes room on the disk now, so that a report can be written when the disk is full.
static int reserve(int file) {
  struct rlimit limit;
  // The system would end a process that asks for more than its limit.
  if (getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur < MP_RESERVED_BYTES) return EFBIG;
  int error = posix_fallocate(file, 0, MP_RESERVED_BYTES);
  return error == EOPNOTSUPP || error == EINVAL ? 0 : error;
}

int mp_record_file_open(mp_state *state) {
  int error = open_part(state);
  if (error != 0) return error;
  error = reserve(state->file);
  if (error != 0) mp_record_file_discard(state);
  return error;
}

void mp_record_file_reopen_after_fork(mp_state *state) {
  if (state->owner_pid == getpid()) return;
  if (state->file >= 0) close(state->file);
  if (open_part(state) != 0) state->file = -1;
}

void mp_record_file_finish(mp_state *state) {
  if (state->writer.failed) return;
  if (ftruncate(state->file, (off_t)state->writer.offset) != 0) return;
  rename(state->part_path, state->final_path);
  // The ring stands in the record now. A forked child never had a file for it.
  unlink(state->crumbs_path);
}

void mp_record_file_discard(mp_state *state) {
  if (state->owner_pid != getpid() || state->file < 0) return;
  unlink(state->part_path);
  unlink(state->crumbs_path);
  close(state->file);
  state->file = -1;
}

#endif
