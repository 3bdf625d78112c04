/// All memory of the crash handler, set aside before anything goes wrong. Private to CCrashHandler.
#ifndef MP_STATE_H
#define MP_STATE_H

#if !defined(_GNU_SOURCE)
#define _GNU_SOURCE
#endif

#include <limits.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "mp_crash.h"
#include "mp_facts.h"
#include "mp_record.h"
#include "mp_unwind.h"
#include "mp_writer.h"

enum {
  MP_THREADS_MAX = 1024,
  MP_FRAMES_MAX = 400,
  MP_IMAGES_MAX = 1024,
  MP_PATHS_SIZE = 256 * 1024,
  MP_SIGNAL_COUNT = 7,
  MP_RESERVED_BYTES = 512 * 1024,
  MP_ALTERNATE_STACK_SIZE = 64 * 1024,
};

typedef enum mp_slot_state {
  MP_SLOT_EMPTY,
  MP_SLOT_ASKED,
  MP_SLOT_ANSWERED,
  MP_SLOT_GONE,
  MP_SLOT_SILENT,
} mp_slot_state;

/// A thread that is being stopped, or that was.
typedef struct mp_slot {
  _Atomic int tid;
  _Atomic int state;
  bool also_crashed;
  bool has_registers;
  mp_registers registers;
} mp_slot;

typedef struct mp_state {
  _Atomic bool is_installed;
  mp_facts facts;
  _Atomic int user_index;
  char users[2][128];

  char directory[PATH_MAX];
  /// `DIRECTORY/crash-TIME-PID`; `.part`, `.raw` and `.crumbs` are put behind it.
  char stem[PATH_MAX + 64];
  char part_path[PATH_MAX + 80], final_path[PATH_MAX + 80], crumbs_path[PATH_MAX + 80];
  /// The process that the open file belongs to; a forked child opens its own when it crashes.
  int owner_pid;
  int file;
  long page_size;

  struct sigaction previous[MP_SIGNAL_COUNT];
  uint64_t time_limit;
  uint32_t fault_in_section, hang_in_section;

  /// The thread whose crash is being written, 0 for none.
  _Atomic int crashing_thread;
  /// 1 once threads that stand still may go on; they wait on it.
  _Atomic int finished;
  _Atomic int answers;
  _Atomic size_t slot_count;
  mp_slot slots[MP_THREADS_MAX];

  int signal_number;
  siginfo_t signal;
  /// The registers of the crash, in the frame that the kernel made for the handler.
  void *ucontext;
  uint64_t deadline;
  /// The number of times that the handler itself failed, and which step it was at.
  int failures;
  size_t step;
  /// The next thread to write, so that a failure does not begin with the first again.
  size_t next_slot;
  bool has_crashed_thread;
  char failure_text[160];
  bool is_late;
  int watchdog;
  bool has_watchdog;
  mp_writer writer;
  mp_process_memory memory;
  mp_images images;
  mp_image image_storage[MP_IMAGES_MAX];
  char path_storage[MP_PATHS_SIZE];
  mp_frame frames[MP_FRAMES_MAX];
  char scratch[16 * 1024];
} mp_state;

extern mp_state mp_crash_state __attribute__((visibility("hidden")));

extern const int mp_crash_signals[MP_SIGNAL_COUNT] __attribute__((visibility("hidden")));

#endif
