#if defined(__linux__)

#include "hang_record.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

#include "sampling.h"

static bool open_file(mp_watch *watch) {
  char *const paths[] = {watch->part, watch->final};
  const char *const suffixes[] = {".part", ".raw"};
  uint64_t time = mp_clock_nanoseconds(CLOCK_REALTIME) / 1000;
  for (int index = 0; index < 2; index++) {
    mp_text path = mp_text_in(paths[index], sizeof watch->part);
    mp_text_add(&path, mp_hangs.directory);
    mp_text_add(&path, "/hang-");
    mp_text_add_number(&path, time);
    mp_text_add(&path, "-");
    mp_text_add_number(&path, (uint64_t)getpid());
    mp_text_add(&path, suffixes[index]);
  }
  watch->file = open(watch->part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  // The lock tells the next start that this process still lives.
  if (watch->file >= 0) flock(watch->file, LOCK_EX | LOCK_NB);
  return watch->file >= 0;
}

static void write_hang(const mp_watch *watch, mp_writer *writer) {
  const mp_hang_settings *settings = &mp_hangs.settings;
  const mp_hang *hang = &watch->hang;
  mp_section_begin(writer, MP_RECORD_HANG);
  mp_put_string(writer, watch->name);
  mp_put_u64(writer, watch->count == 0 ? 0 : (uint64_t)watch->samples[watch->count - 1].tid);
  mp_put_u64(writer, (uint64_t)hang->seconds);
  mp_put_u32(writer, hang->nanoseconds);
  uint64_t start = (uint64_t)mp_hangs.facts.start_seconds * 1000000000u + mp_hangs.facts.start_nanoseconds;
  uint64_t moment = (uint64_t)hang->seconds * 1000000000u + hang->nanoseconds;
  mp_put_u64(writer, moment > start ? moment - start : 0);
  mp_put_u64(writer, mp_clock_nanoseconds(CLOCK_BOOTTIME));
  const uint64_t limits[] = {settings->micro, settings->hang, settings->severe, settings->fatal};
  for (size_t index = 0; index < sizeof limits / sizeof *limits; index++) mp_put_u64(writer, limits[index]);
  mp_put_u64(writer, watch->base_at);
  mp_section_end(writer);
}

static void write_sample(mp_writer *writer, const mp_hang_sample *sample) {
  mp_section_begin(writer, MP_RECORD_SAMPLE);
  mp_put_u64(writer, sample->at);
  mp_put_u64(writer, (uint64_t)sample->tid);
  mp_put_u32(writer, (uint32_t)(unsigned char)sample->state);
  mp_put_u32(writer, (uint32_t)sample->call);
  mp_put_u64(writer, sample->argument);
  mp_put_u64(writer, (uint64_t)sample->owner);
  mp_put_u64(writer, sample->processor);
  mp_put_u64(writer, sample->queue);
  mp_put_u32(writer, (uint32_t)sample->stop);
  mp_put_u32(writer, sample->count);
  for (uint32_t index = 0; index < sample->count; index++) {
    mp_put_u64(writer, sample->frames[index].pc);
    mp_put_u32(writer, (uint32_t)sample->frames[index].kind);
    mp_put_u32(writer, sample->frames[index].offset);
  }
  mp_section_end(writer);
}

/// The stacks of the threads that do not hang; the one that holds the lock is among them.
static void write_other_threads(const mp_watch *watch, mp_writer *writer) {
  int tids[MP_OTHERS_MAX];
  size_t count = mp_list_threads(tids, MP_OTHERS_MAX);
  int hung = watch->count == 0 ? 0 : watch->samples[watch->count - 1].tid, self = mp_thread_id();
  for (size_t index = 0; index < count; index++) {
    if (tids[index] == hung || tids[index] == self) continue;
    mp_place place = mp_place_of(tids[index]);
    if (place.state == 0 || place.state == 'Z') continue;
    mp_taken taken = mp_take_stack(tids[index], &place, true);
    mp_thread_record thread = {
      .tid = tids[index], .stop = taken.stop, .frames = mp_hangs.frames, .count = taken.count,
    };
    mp_write_thread(writer, &thread);
  }
}

void mp_hang_record_begin(mp_watch *watch) {
  mp_hang_state *state = &mp_hangs;
  mp_writer *writer = &state->writer;
  if (state->directory[0] == 0 || watch->file >= 0 || !open_file(watch)) return;
  const mp_facts *facts = mp_crash_facts();
  mp_writer_prepare();
  mp_writer_begin(writer, watch->file);
  mp_write_facts(writer, facts == NULL ? &state->facts : facts, mp_crash_user());
  write_hang(watch, writer);
  for (size_t index = 0; index < watch->count; index++) write_sample(writer, &watch->samples[index]);
  mp_write_images(writer, &state->images, state->facts.path);
  write_other_threads(watch, writer);
  mp_write_memory(writer, state->scratch, sizeof state->scratch);
  mp_write_breadcrumbs(writer);
  watch->written = writer->offset;
  if (writer->failed) mp_hang_record_discard(watch);
}

/// Goes on with the record where it ended.
static mp_writer *resume(mp_watch *watch) {
  mp_writer *writer = &mp_hangs.writer;
  writer->file = watch->file;
  writer->offset = watch->written;
  writer->failed = false;
  return writer;
}

void mp_hang_record_add(mp_watch *watch, const mp_hang_sample *sample) {
  if (watch->file < 0) return;
  mp_writer *writer = resume(watch);
  write_sample(writer, sample);
  if (!writer->failed) watch->written = writer->offset;
}

void mp_hang_record_finish(mp_watch *watch) {
  if (watch->file < 0) return;
  mp_writer *writer = resume(watch);
  mp_section_begin(writer, MP_RECORD_HANG_END);
  mp_put_u64(writer, watch->hang.duration);
  mp_put_u32(writer, watch->hang.flags);
  mp_section_end(writer);
  mp_section_begin(writer, MP_RECORD_END);
  mp_put_u32(writer, 0);
  mp_put_u64(writer, watch->hang.duration);
  mp_section_end(writer);
  rename(watch->part, watch->final);
  close(watch->file);
  watch->file = -1;
}

void mp_hang_record_discard(mp_watch *watch) {
  if (watch->file < 0) return;
  unlink(watch->part);
  close(watch->file);
  watch->file = -1;
}

#endif
