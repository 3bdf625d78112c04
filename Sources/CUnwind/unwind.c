#include "mp_unwind.h"

#include <string.h>
#include <time.h>

#include "async.h"
#include "session.h"
#include "signals.h"

static bool in_text(const mp_images *images, uint64_t address) {
  int index = mp_image_index(images, address);
  if (index < 0) return false;
  const mp_image *image = &images->images[index];
  return address >= image->text_start && address < image->text_end;
}

/// The caller of a function that was jumped to but is none: the call has just pushed the return address.
static bool follow_call(mp_session *session) {
  uint64_t *values = session->registers.values;
#if defined(__aarch64__)
  uint64_t caller = values[30];
  if (!in_text(session->images, caller) || caller == values[MP_REGISTER_PC]) return false;
#else
  uint64_t caller;
  if (!mp_memory_read(session->memory, values[MP_REGISTER_SP], &caller, sizeof caller)) return false;
  if (!in_text(session->images, caller)) return false;
  values[MP_REGISTER_SP] += 8;
#endif
  values[MP_REGISTER_PC] = caller;
  return true;
}

/// The caller by the frame pointer, for code without a description: it must lead up the stack and back into code.
static bool follow_frame_pointer(mp_session *session) {
  uint64_t *values = session->registers.values;
  uint64_t frame = values[MP_REGISTER_FP], record[2];
  if (frame % 8 != 0 || frame < values[MP_REGISTER_SP]) return false;
  if (!mp_memory_read(session->memory, frame, record, sizeof record)) return false;
  if (!in_text(session->images, record[1])) return false;
  values[MP_REGISTER_FP] = record[0];
  values[MP_REGISTER_SP] = frame + 16;
  values[MP_REGISTER_PC] = record[1];
  return true;
}

static bool is_late(uint64_t deadline) {
  if (deadline == 0) return false;
  struct timespec now;
  if (clock_gettime(CLOCK_MONOTONIC, &now) != 0) return false;
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec >= deadline;
}

/// Goes to the caller of `frame`; `stop` says why where it cannot, `guessed` whether the frame pointer was all there
/// was.
///
/// - lookup: the address whose description holds: the pc itself, or one less for a return address.
/// - signal: the kernel's way back from a signal handler, where the frame is that.
static bool go_to_caller(
  mp_session *session, const mp_frame *frame, uint64_t lookup, uint64_t signal, mp_stop *stop, bool *guessed) {
  *guessed = false;
  mp_registers before = session->registers;
  mp_step step = MP_STEP_NO_DESCRIPTION;
  if (frame->pc != 0) step = mp_session_step(session, lookup);
  if (step == MP_STEP_DONE) return true;
  *stop = step == MP_STEP_OUTERMOST ? MP_STOP_END : session->memory_failed ? MP_STOP_UNREADABLE : MP_STOP_UNKNOWN;
  if (step == MP_STEP_OUTERMOST) return false;
  session->registers = before;
  // A C library without descriptions of what is written in assembly.
  if (signal != 0) return step == MP_STEP_NO_DESCRIPTION && mp_follow_signal(session);
  bool is_return = lookup != frame->pc;
  bool known = in_text(session->images, frame->pc);
  if (step == MP_STEP_NO_DESCRIPTION) {
    if (!is_return && !known) return follow_call(session);
    if (!is_return && mp_follow_entry(session)) return true;
    if (known && follow_frame_pointer(session)) return *guessed = true;
    if (!is_return) return follow_call(session);
  }
  return false;
}

/// Tells whether the caller's frame lies where a caller's can: further up, unless a signal changed the stack.
static bool is_further_up(const mp_frame *frame, const mp_registers *caller, bool after_signal) {
  uint64_t sp = caller->values[MP_REGISTER_SP], pc = caller->values[MP_REGISTER_PC];
  if (after_signal) return sp != frame->sp || pc != frame->pc;
  if (sp > frame->sp) return true;
  // A leaf without a stack frame on machines with a link register.
  return sp == frame->sp && frame->kind != MP_FRAME_RETURN && pc != frame->pc;
}

/// Tells whether a description that was followed is that of another trampoline.
///
/// The registers that a signal leaves take hundreds of bytes, so that most frames need not be looked at.
static bool is_signal_frame(const mp_session *session, const mp_frame *frame, uint64_t lookup) {
  if (session->function == 0 || session->registers.values[MP_REGISTER_SP] - frame->sp < 256) return false;
  return mp_is_described_as_signal(session->memory, session->images, lookup);
}

/// The async function that a stack has been seen to run.
typedef struct {
  size_t index;
  uint64_t context;
  bool is_certain;
} async_frame;

/// Takes note of the frame at `index` where it is an async function's; one with a frame of its own wins.
static void look_for_async(
  const mp_session *session, const mp_registers *registers, const mp_frame *frames, size_t index, async_frame *found) {
  if (found->is_certain) return;
  uint64_t context = mp_async_frame_context(
    session->memory, session->images, registers, session->function, session->registers.values[MP_REGISTER_SP]);
  if (context != 0) {
    *found = (async_frame){index, context, true};
  } else if (found->context == 0) {
    mp_frame first;
    context = mp_async_register_context(session->memory, session->images, registers);
    if (context == 0 || mp_async_chain(session->memory, session->images, context, &first, 1) == 0) return;
    // A callee elsewhere that leaves the register alone is not the async function.
    if (first.image == frames[index].image) *found = (async_frame){index, context, false};
  }
}

/// Puts the logical callers behind the async frame; the outermost frames make room where there is none.
static size_t insert_async(
  const mp_memory *memory, const mp_images *images, const async_frame *found, mp_frame *frames, size_t count,
  size_t capacity) {
  mp_frame callers[64];
  size_t added = mp_async_chain(memory, images, found->context, callers, sizeof callers / sizeof *callers);
  size_t at = found->index + 1;
  if (added > capacity - at) added = capacity - at;
  size_t kept = count - at;
  if (kept > capacity - at - added) kept = capacity - at - added;
  memmove(frames + at + added, frames + at, kept * sizeof *frames);
  memcpy(frames + at, callers, added * sizeof *frames);
  return at + added + kept;
}

size_t mp_unwind(
  const mp_memory *memory, const mp_images *images, const mp_registers *registers, const mp_unwind_options *options,
  mp_frame *out, mp_stop *stop) {
#if !defined(__linux__)
  (void)memory, (void)images, (void)registers, (void)options, (void)out;
  *stop = MP_STOP_UNSUPPORTED;
  return 0;
#endif
  mp_session session = {.memory = memory, .images = images, .registers = *registers};
  mp_frame_kind kind = MP_FRAME_INNERMOST;
  async_frame async = {0};
  int signals = 0;
  bool guessed = false;
  size_t count = 0;
  *stop = MP_STOP_FULL;
  while (count < options->max_frames) {
    // Bit 60 marks async frames on some systems; no stack lies there.
    uint64_t *fp = &session.registers.values[MP_REGISTER_FP];
    if (*fp >> 60 == 1) *fp &= ~((uint64_t)1 << 60);
    mp_registers here = session.registers;
    mp_frame *frame = &out[count];
    uint64_t pc = here.values[MP_REGISTER_PC];
    *frame = (mp_frame){
      .pc = pc, .sp = here.values[MP_REGISTER_SP], .fp = *fp, .kind = kind, .image = mp_image_index(images, pc),
      .is_guess = guessed,
    };
    count++;
    if (is_late(options->deadline)) {
      *stop = MP_STOP_LATE;
      break;
    }
    // The kernel's trampoline is not called: it is entered at its start, before which another function may lie.
    uint64_t signal = frame->image < 0 ? 0 : mp_signal_return(memory, pc, kind != MP_FRAME_RETURN);
    uint64_t lookup = signal != 0 ? signal : kind == MP_FRAME_RETURN ? pc - 1 : pc;
    bool has_caller = go_to_caller(&session, frame, lookup, signal, stop, &guessed);
    if (session.function != 0 && pc >= session.function && pc - session.function <= UINT32_MAX) {
      frame->offset = (uint32_t)(pc - session.function);
    }
    if (!has_caller) break;
    bool is_signal = signal != 0 || is_signal_frame(&session, frame, lookup);
    if (session.registers.values[MP_REGISTER_PC] == 0 && !is_signal) {
      *stop = MP_STOP_END;
      break;
    }
    if (!is_further_up(frame, &session.registers, is_signal) || (is_signal && ++signals > 16)) {
      *stop = MP_STOP_LOOP;
      break;
    }
    if (options->async_callers && !is_signal) look_for_async(&session, &here, out, count - 1, &async);
    kind = is_signal ? MP_FRAME_INTERRUPTED : MP_FRAME_RETURN;
    *stop = MP_STOP_FULL;
  }
  if (async.context != 0) count = insert_async(memory, images, &async, out, count, options->max_frames);
  return count;
}
