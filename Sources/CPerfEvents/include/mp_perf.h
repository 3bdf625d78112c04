/// Samples of other programs by `perf_event_open(2)`: where processors are, and where threads begin to wait.
///
/// Linux only; elsewhere opening returns `-ENOTSUP`. Functions return 0 or more on success and a negated `errno`
/// otherwise.
#ifndef MP_PERF_H
#define MP_PERF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "mp_registers.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct mp_perf_options {
  /// Samples of each second that a thread is on a processor.
  uint32_t rate;
  /// Bytes of the stack that each sample copies: a multiple of 8, less than 65,000.
  uint32_t stack_size;
  /// Tells if the kernel's own work is sampled too, which a privilege is needed for.
  bool kernel;
  /// Tells if threads and processes that start later are sampled.
  bool follow;
  /// Tells if sampling begins when the process becomes another program.
  bool on_exec;
} mp_perf_options;

typedef enum mp_perf_kind {
  /// A thread was on a processor.
  MP_PERF_RUNNING,
  /// A thread gave its processor up.
  MP_PERF_WAITING,
  /// A thread left its processor.
  MP_PERF_SWITCH_OUT,
  /// A thread came to a processor.
  MP_PERF_SWITCH_IN,
  /// Code of a file was mapped.
  MP_PERF_MAP,
  /// A thread has a new name.
  MP_PERF_NAME,
  /// A process or a thread started.
  MP_PERF_START,
  /// A thread ended.
  MP_PERF_END,
  /// Records that there was no room for: `count`.
  MP_PERF_LOST,
  /// The kernel left samples out because they cost too much.
  MP_PERF_THROTTLED,
} mp_perf_kind;

typedef struct mp_perf_record {
  mp_perf_kind kind;
  int process, thread;
  /// Nanoseconds of CLOCK_MONOTONIC.
  uint64_t time;
  /// Of `MP_PERF_WAITING`: how often the thread gave up its processor since the sample before, this one included.
  uint64_t count;
  /// Of `MP_PERF_SWITCH_OUT`: it would have gone on, another one had its turn.
  bool is_preempted;
  /// Of `MP_PERF_NAME`: the name is that of a new program.
  bool is_exec;
  /// Of `MP_PERF_START`: the process and the thread that started it.
  int parent, parent_thread;
  /// The kernel's functions, innermost first; valid until the next record is read.
  const uint64_t *kernel;
  size_t kernel_count;
  /// Of samples, where the thread has a user's side.
  bool has_registers;
  mp_registers registers;
  /// The stack from the stack pointer on; valid until the next record is read.
  const uint8_t *stack;
  size_t stack_size;
  /// Of `MP_PERF_MAP`.
  uint64_t address, length, offset;
  /// Of `MP_PERF_MAP` and `MP_PERF_NAME`; valid until the next record is read.
  const char *text;
} mp_perf_record;

/// Events of threads on every processor.
typedef struct mp_perf mp_perf;

/// The most permissive use that is allowed here: 0 for none, 1 for programs only, 2 with the kernel's work.
int mp_perf_permission(void);

/// Makes room for events; nothing is sampled yet.
int mp_perf_open(const mp_perf_options *options, mp_perf **out);
/// Gets ready to sample a thread.
int mp_perf_add(mp_perf *perf, int thread);
/// Begins to sample, where the options do not leave that to the program's start.
void mp_perf_start(mp_perf *perf);
/// Ends the sampling; records that are there can be read still.
void mp_perf_stop(mp_perf *perf);
void mp_perf_close(mp_perf *perf);

/// Nanoseconds that a sample takes of the time of a thread, measured on this one; 0 where it cannot be.
uint64_t mp_perf_sample_cost(const mp_perf_options *options);

/// Waits until a part of the room is used, or for so many milliseconds.
void mp_perf_wait(mp_perf *perf, int milliseconds);

/// Hands every record that is there now to `visit`, those of one processor after those of another.
///
/// - light: the records that are no samples, or the samples. After the samples all room is free again: so the light
///   ones of a round are read first.
void mp_perf_each(
  mp_perf *perf, bool light, void (*visit)(void *context, const mp_perf_record *record), void *context);

#ifdef __cplusplus
}
#endif
#endif
