/// The watch over threads and queues that have to answer soon: what a program does while it hangs.
#ifndef MP_HANG_H
#define MP_HANG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "mp_unwind.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { MP_HANG_SAMPLES_MAX = 48, MP_HANG_FRAMES_MAX = 128, MP_HANG_WATCHES_MAX = 8, MP_HANG_NAME_MAX = 64 };

/// A look at a thread during a hang. Times are nanoseconds.
typedef struct mp_hang_sample {
  /// The time since the hang began.
  uint64_t at;
  int tid;
  /// The kernel's letter: R, S, D, …; 0 where it is not known.
  char state;
  /// The number of the system call that it is in; -1 where it is in none.
  int call;
  /// The first argument of the call: a descriptor, or the address of a lock.
  uint64_t argument;
  /// The thread that holds the lock; 0 where the system does not tell.
  int owner;
  /// The time on the processor, and the time it waited for one, since the watch over this hang began.
  uint64_t processor, queue;
  mp_stop stop;
  uint32_t count;
  mp_frame frames[MP_HANG_FRAMES_MAX];
} mp_hang_sample;

typedef enum mp_hang_flag {
  /// It lasts longer than what is called severe, and a record of it is kept.
  MP_HANG_SEVERE = 1,
  MP_HANG_FATAL = 2,
  /// The queue went on to other work meanwhile.
  MP_HANG_PARTLY = 4,
} mp_hang_flag;

/// A hang that is over. Times are nanoseconds.
typedef struct mp_hang {
  const char *name;
  uint32_t flags;
  uint64_t duration;
  /// The wall clock at its beginning.
  int64_t seconds;
  uint32_t nanoseconds;
  /// The part of the watched time that `processor` and `queue` of the last sample are of.
  uint64_t watched;
  size_t count;
  const mp_hang_sample *samples;
} mp_hang;

typedef struct mp_hang_settings {
  /// The folder of records; NULL, and there are none.
  const char *directory;
  /// The durations from which a hang is small, one, severe and fatal, in nanoseconds.
  uint64_t micro, hang, severe, fatal;
  /// Called on the watching thread when a hang is over that lasted `micro` at least; may be NULL.
  void (*ended)(void *context, const mp_hang *hang);
  void *context;
} mp_hang_settings;

/// Begins to watch; once in a process.
/// - Returns: 0, EALREADY, ENOTSUP where hangs cannot be watched, or another errno.
int mp_hang_start(const mp_hang_settings *settings);
/// Ends it, and waits until the thread that watches has ended.
void mp_hang_stop(void);
/// Stops looking until it is called with false: nothing wakes up meanwhile.
void mp_hang_pause(bool is_paused);

/// Watches the calling thread, which says itself when it works.
/// - Returns: The number of the watch, or -1 where there are too many.
int mp_hang_watch_thread(const char *name);
/// The watched thread begins with a piece of work, and is through with it. Nanoseconds; from that thread alone.
void mp_hang_begin(int watch);
void mp_hang_done(int watch);

/// Watches a serial queue: `ask` has it call `mp_hang_answer`, on the queue, behind what waits there.
///
/// - state: The memory of libdispatch's queue, of which 128 bytes can be read, to see who works for it; may be NULL.
int mp_hang_watch_queue(const char *name, void (*ask)(void *context, int watch), void *context, const void *state);
void mp_hang_answer(int watch);
void mp_hang_unwatch(int watch);

/// libdispatch's main queue; NULL where there is none.
const void *mp_hang_main_queue(void);

/// The stack of the calling thread, innermost first, without this function itself.
/// - Returns: How many addresses were written.
size_t mp_call_stack(uint64_t *out, size_t capacity);

#ifdef __cplusplus
}
#endif
#endif
