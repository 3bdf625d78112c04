/// Stacks unwound by .eh_frame through libunwind's remote interface: no loader lock, no allocation.
#ifndef MP_UNWIND_H
#define MP_UNWIND_H

#include "mp_image.h"
#include "mp_memory.h"
#include "mp_registers.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum mp_frame_kind {
  /// The program counter of the thread: not a return address.
  MP_FRAME_INNERMOST,
  /// A return address.
  MP_FRAME_RETURN,
  /// A place that a signal interrupted: not a return address.
  MP_FRAME_INTERRUPTED,
  /// A caller of an async function, from the chain of async contexts: the start of its continuation.
  MP_FRAME_ASYNC,
} mp_frame_kind;

typedef struct mp_frame {
  uint64_t pc;
  /// The stack pointer and the frame pointer register in this frame; of an async caller 0 and its context.
  uint64_t sp, fp;
  mp_frame_kind kind;
  /// Index into the images, or -1.
  int image;
  /// The bytes from the start of the function that the frame description covers; 0 where there is none.
  uint32_t offset;
  /// It was found by the frame pointer of its callee, which had no description: frames between may be missing.
  bool is_guess;
} mp_frame;

typedef enum mp_stop {
  /// The outermost frame was reached.
  MP_STOP_END,
  /// `max_frames` are full.
  MP_STOP_FULL,
  /// The same frame again, or a stack pointer that goes down.
  MP_STOP_LOOP,
  /// Memory that cannot be read.
  MP_STOP_UNREADABLE,
  /// An address that no image explains.
  MP_STOP_UNKNOWN,
  /// The deadline passed.
  MP_STOP_LATE,
  /// This platform has no unwinder.
  MP_STOP_UNSUPPORTED,
} mp_stop;

typedef struct mp_unwind_options {
  size_t max_frames;
  /// Nanoseconds of CLOCK_MONOTONIC after which to give up; 0 for never.
  uint64_t deadline;
  /// Tells whether callers of async Swift functions are put in behind the async frame that they await.
  bool async_callers;
} mp_unwind_options;

/// Loads libunwind and gets it ready: once before `mp_unwind`, which then neither allocates nor waits for a lock.
///
/// Not async-signal-safe; may be called again and from any thread.
/// - Returns: false where libunwind is not installed; stacks are then followed by frame pointers only.
bool mp_unwind_prepare(void);

/// The library file or function that `mp_unwind_prepare` did not find; NULL where it found all.
const char *mp_unwind_missing(void);

/// Unwinds one stack, innermost frame first.
///
/// Async-signal-safe after `mp_unwind_prepare`. Frame descriptions come from `images` through `memory`, wherever that
/// is. Where an address has none: a wild jump's caller is taken from the top of the stack, as gdb does, other frames
/// are followed by their frame pointer.
/// - Returns: how many frames were written to `out`, at most `options->max_frames`.
size_t mp_unwind(
  const mp_memory *memory, const mp_images *images, const mp_registers *registers, const mp_unwind_options *options,
  mp_frame *out, mp_stop *stop);

/// Follows a chain of Swift async contexts `{parent, resume function}`, beginning with the callers of `context`.
/// - Returns: how many frames were written.
size_t mp_async_chain(
  const mp_memory *memory, const mp_images *images, uint64_t context, mp_frame *out, size_t capacity);

#ifdef __cplusplus
}
#endif
#endif
