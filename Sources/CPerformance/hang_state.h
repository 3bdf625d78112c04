/// All memory of the watch, set aside before anything hangs. Private to CPerformance.
#ifndef MP_HANG_STATE_H
#define MP_HANG_STATE_H

#if !defined(_GNU_SOURCE)
#define _GNU_SOURCE
#endif

#include <limits.h>
#include <stdatomic.h>

#include "mp_facts.h"
#include "mp_hang.h"
#include "mp_text.h"
#include "mp_writer.h"

enum {
  MP_HANG_IMAGES_MAX = 1024, MP_HANG_PATHS_SIZE = 256 * 1024, MP_QUEUE_WORDS = 32, MP_OTHERS_MAX = 64,
  MP_BASE_FUNCTIONS = 24,
};

/// Time on the processor, and time that a thread waited for one.
typedef struct mp_thread_times {
  uint64_t processor, queue;
} mp_thread_times;

/// The place in the kernel where a thread waits for work.
typedef struct mp_idle_place {
  long call;
  uint64_t argument, sp, pc;
  /// The questions in a row that found the thread here and were answered at once.
  unsigned answers;
} mp_idle_place;

typedef struct mp_watch {
  /// 0 free, 1 being made, 2 in use.
  _Atomic int state;
  char name[MP_HANG_NAME_MAX];
  bool is_queue;
  void (*ask)(void *context, int watch);
  void *context;
  const _Atomic uint32_t *words;
  /// The thread that works, or that answered last.
  _Atomic int tid;
  /// The beginning of the present work; 0 for none. Of a thread.
  _Atomic uint64_t busy_since;
  /// The number of the last question, and of the last that was answered.
  _Atomic uint64_t asked, answered;
  /// The end of what hung, on CLOCK_MONOTONIC; the first one after `is_hanging` counts.
  _Atomic uint64_t ended_at, answered_at;
  /// Bits of `words` that always held the thread at work.
  _Atomic uint32_t owner_words;
  /// The starts of the functions that a piece of the queue's work stands on, as its first answer saw them.
  _Atomic int base_count;
  uint64_t base_functions[MP_BASE_FUNCTIONS];

  // What follows belongs to the watching thread alone. Times are without what was spent stopped.
  bool is_waiting, was_unowned, is_ignored, is_declared, has_base;
  uint64_t start, last_alive, last_processor, change_from, change_to, next_ask, next_trial, next_sample;
  uint64_t busy_from;
  mp_idle_place idle;
  /// The time of the last question, and whether it found the thread waiting for events, as it does in its idle place.
  uint64_t asked_at;
  bool was_waiting_for_events;
  uint64_t base_at;
  mp_thread_times base;
  int base_tid;
  /// Of the frames below the present work; it is another one for each piece of work.
  uint64_t work;
  unsigned turns;
  mp_hang hang;
  mp_hang_sample *samples;
  size_t count;
  int file;
  /// Bytes of the record so far.
  uint64_t written;
  char part[PATH_MAX + 64], final[PATH_MAX + 64];
} mp_watch;

typedef struct mp_hang_state {
  _Atomic bool is_started, is_stopping, is_paused, is_asleep, is_over;
  _Atomic int wakeups;
  mp_hang_settings settings;
  char directory[PATH_MAX];
  mp_facts facts;
  mp_watch watches[MP_HANG_WATCHES_MAX];

  int own_times;
  /// The last look, and this one; and the time that the process was stopped in so far.
  uint64_t before, now, skipped;
  /// The last look that found something at work.
  uint64_t stirred;
  /// Of the time between the two, the time that the process was stopped.
  uint64_t lost;
  /// The time that was to pass between the two.
  uint64_t pause;

  mp_process_memory memory;
  mp_images images;
  mp_image image_storage[MP_HANG_IMAGES_MAX];
  char path_storage[MP_HANG_PATHS_SIZE];
  mp_frame frames[MP_HANG_FRAMES_MAX];
  mp_writer writer;
  char scratch[16 * 1024];
} mp_hang_state;

extern mp_hang_state mp_hangs __attribute__((visibility("hidden")));

/// A moment of CLOCK_MONOTONIC as a time without what was spent stopped.
uint64_t mp_hang_time(uint64_t moment);

#endif
