#if defined(__linux__)

#include "sections.h"

#include <string.h>
#include <time.h>
#include <unistd.h>

#include "breadcrumbs.h"
#include "last_words.h"
#include "record_file.h"
#include "mp_text.h"
#include "threads.h"
#include "mp_writer.h"

static void write_process(mp_state *state, mp_writer *writer) {
  mp_write_facts(writer, &state->facts, state->users[atomic_load(&state->user_index)]);
}

enum { HAS_ADDRESS = 1, HAS_SENDER = 2 };

static void write_crash(mp_state *state, mp_writer *writer) {
  const siginfo_t *signal = &state->signal;
  bool was_sent = signal->si_code <= 0;
  bool has_address = !was_sent && state->signal_number != SIGSYS && signal->si_code != SI_KERNEL;
  struct timespec now = {0};
  clock_gettime(CLOCK_REALTIME, &now);
  mp_section_begin(writer, MP_RECORD_CRASH);
  mp_put_u32(writer, (uint32_t)state->signal_number);
  mp_put_u32(writer, (uint32_t)signal->si_code);
  mp_put_u32(writer, (uint32_t)signal->si_errno);
  mp_put_u32(writer, (has_address ? HAS_ADDRESS : 0u) | (was_sent ? HAS_SENDER : 0u));
  mp_put_u64(writer, has_address ? (uint64_t)(uintptr_t)signal->si_addr : 0);
  mp_put_u32(writer, was_sent ? (uint32_t)signal->si_pid : 0);
  mp_put_u32(writer, was_sent ? signal->si_uid : 0);
  mp_put_u64(writer, (uint64_t)atomic_load(&state->crashing_thread));
  mp_put_u64(writer, (uint64_t)now.tv_sec);
  mp_put_u32(writer, (uint32_t)now.tv_nsec);
  uint64_t start = (uint64_t)state->facts.start_seconds * 1000000000u + state->facts.start_nanoseconds;
  uint64_t moment = (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
  mp_put_u64(writer, moment > start ? moment - start : 0);
  mp_put_u64(writer, mp_clock_nanoseconds(CLOCK_BOOTTIME));
  mp_section_end(writer);
}

/// Unwinds a thread, or gives only its pc where unwinding is no longer to be trusted.
static size_t unwind(mp_state *state, const mp_registers *registers, mp_stop *stop) {
  mp_unwind_options options = {.max_frames = MP_FRAMES_MAX, .deadline = state->deadline, .async_callers = true};
  if (state->failures != 0) options.max_frames = 1;
  mp_memory memory = mp_process_memory_reader(&state->memory);
  size_t count = mp_unwind(&memory, &state->images, registers, &options, state->frames, stop);
  if (*stop == MP_STOP_LATE) state->is_late = true;
  return count;
}

/// Bytes of a stack that are kept at most, in pieces that fit a section.
enum { STACK_BYTES = 64 * 1024, STACK_PIECE = 8 * 1024, RED_ZONE = 128 };

/// Keeps the memory above the stack pointer of a thread.
static void write_stack(mp_state *state, mp_writer *writer, int tid, uint64_t pointer) {
  mp_memory memory = mp_process_memory_reader(&state->memory);
  uint64_t at = (pointer - RED_ZONE) & ~(uint64_t)15;
  for (size_t done = 0; done < STACK_BYTES;) {
    // Up to the end of a page, so that what lies before the end of the stack is read.
    size_t wanted = STACK_PIECE - at % STACK_PIECE;
    if (!mp_memory_read(&memory, at, state->scratch, wanted)) {
      wanted = (size_t)state->page_size - at % (uint64_t)state->page_size;
      if (wanted > sizeof state->scratch || !mp_memory_read(&memory, at, state->scratch, wanted)) return;
    }
    mp_section_begin(writer, MP_RECORD_STACK);
    mp_put_u64(writer, (uint64_t)tid);
    mp_put_u64(writer, at);
    mp_put_u32(writer, (uint32_t)wanted);
    mp_put_bytes(writer, state->scratch, wanted);
    mp_section_end(writer);
    at += wanted;
    done += wanted;
  }
}

/// Tells whether frames may be missing from a stack.
static bool is_incomplete(const mp_state *state, size_t count, mp_stop stop) {
  if (stop != MP_STOP_END && stop != MP_STOP_FULL) return true;
  for (size_t index = 0; index < count; index++) {
    if (state->frames[index].is_guess) return true;
  }
  return false;
}

static void write_thread(
  mp_state *state, mp_writer *writer, int tid, uint32_t flags, const mp_registers *registers) {
  mp_thread_record thread = {tid, flags, MP_STOP_UNKNOWN, registers, state->frames, 0};
  if (registers != NULL) thread.count = unwind(state, registers, &thread.stop);
  mp_write_thread(writer, &thread);
  bool is_wanted = registers != NULL && (flags & MP_RECORD_THREAD_CRASHED) != 0 && state->failures == 0;
  if (is_wanted && is_incomplete(state, thread.count, thread.stop)) {
    write_stack(state, writer, tid, registers->values[MP_REGISTER_SP]);
  }
}

static void list_images(mp_state *state, mp_writer *writer) {
  (void)writer;
  mp_memory memory = mp_process_memory_reader(&state->memory);
  state->images = (mp_images){
    .images = state->image_storage,
    .capacity = MP_IMAGES_MAX,
    .paths = state->path_storage,
    .paths_capacity = MP_PATHS_SIZE,
  };
  mp_images_from_maps("/proc/self/maps", &memory, &state->images);
}

static void write_crashed_thread(mp_state *state, mp_writer *writer) {
  mp_registers registers;
  mp_registers_from_ucontext(&registers, state->ucontext);
  write_thread(state, writer, atomic_load(&state->crashing_thread), MP_RECORD_THREAD_CRASHED, &registers);
}

/// The same without its stack, where unwinding has failed.
static void write_crashed_thread_again(mp_state *state, mp_writer *writer) {
  if (state->failures != 0 && !state->has_crashed_thread) write_crashed_thread(state, writer);
  state->has_crashed_thread = true;
}

static void write_images(mp_state *state, mp_writer *writer) {
  mp_write_images(writer, &state->images, state->facts.path);
}

static void write_memory(mp_state *state, mp_writer *writer) {
  mp_write_memory(writer, state->scratch, sizeof state->scratch);
}

static void write_words(mp_state *state, mp_writer *writer) {
  (void)state;
  mp_write_last_words(writer);
}

static void write_trail(mp_state *state, mp_writer *writer) {
  (void)state;
  mp_write_breadcrumbs(writer);
}

/// The words of a scripting runtime in the program about this thread; a weak reference, so that none needs to be.
extern void mp_lua_tell_stack(
  void (*take)(void *context, const char *patch, const char *file, unsigned line, const char *function), void *context)
  __attribute__((weak));

typedef struct {
  mp_writer *writer;
  uint32_t count;
} script_stack;

static void take_script_frame(
  void *context, const char *patch, const char *file, unsigned line, const char *function) {
  script_stack *stack = context;
  mp_put_string(stack->writer, patch);
  mp_put_string(stack->writer, file);
  mp_put_u32(stack->writer, line);
  mp_put_string(stack->writer, function);
  stack->count++;
}

static void write_script(mp_state *state, mp_writer *writer) {
  (void)state;
  if (mp_lua_tell_stack == NULL) return;
  script_stack stack = {.writer = writer};
  mp_section_begin(writer, MP_RECORD_LUA);
  uint32_t count_at = writer->used;
  mp_put_u32(writer, 0);
  mp_lua_tell_stack(take_script_frame, &stack);
  mp_put_u32_at(writer, count_at, stack.count);
  if (stack.count > 0) mp_section_end(writer);
}

static void write_other_threads(mp_state *state, mp_writer *writer) {
  size_t count = atomic_load(&state->slot_count), silent = 0;
  // A failure on the way goes on with the next thread.
  for (; state->next_slot < count;) {
    mp_slot *slot = &state->slots[state->next_slot++];
    int stood = atomic_load(&slot->state);
    if (stood == MP_SLOT_GONE) continue;
    uint32_t flags = slot->also_crashed ? MP_RECORD_THREAD_ALSO_CRASHED : 0;
    if (stood != MP_SLOT_ANSWERED) {
      flags |= MP_RECORD_THREAD_SILENT;
      silent++;
    }
    write_thread(state, writer, atomic_load(&slot->tid), flags, slot->has_registers ? &slot->registers : NULL);
  }
  if (count == MP_THREADS_MAX) mp_write_note(writer, "There were more threads than the record holds.");
  if (silent == 0) return;
  char sentence[128];
  mp_text text = mp_text_in(sentence, sizeof sentence);
  mp_text_add_number(&text, silent);
  mp_text_add(&text, silent == 1 ? " thread did not stop in time." : " threads did not stop in time.");
  mp_write_note(writer, sentence);
}

static void write_failures(mp_state *state, mp_writer *writer) {
  if (state->failures != 0) mp_write_note(writer, state->failure_text);
  if (state->is_late) mp_write_note(writer, "The time limit passed while stacks were being unwound.");
  if (!mp_crash_uses_libunwind()) mp_write_note(writer, "Without libunwind, stacks follow frame pointers only.");
}

static void write_end(mp_state *state, mp_writer *writer) {
  mp_section_begin(writer, MP_RECORD_END);
  mp_put_u32(writer, state->failures != 0 || state->is_late ? 1 : 0);
  mp_put_u64(writer, mp_clock_nanoseconds(CLOCK_MONOTONIC) - (state->deadline - state->time_limit));
  mp_section_end(writer);
}

static void finish_file(mp_state *state, mp_writer *writer) {
  (void)writer;
  mp_record_file_finish(state);
}

typedef void (*step_function)(mp_state *, mp_writer *);

static void stop_threads(mp_state *state, mp_writer *writer) {
  (void)state, (void)writer;
  mp_stop_threads();
}

static void open_file(mp_state *state, mp_writer *writer) {
  mp_record_file_reopen_after_fork(state);
  mp_writer_begin(writer, state->file);
}

static const step_function steps[] = {
  stop_threads, open_file,    write_process, write_crash, list_images,         write_crashed_thread,
  write_crashed_thread_again, write_images,  write_words, write_memory,        write_trail,
  write_script,               write_other_threads, write_failures, write_end, finish_file,
};

enum {
  STEP_COUNT = sizeof steps / sizeof *steps,
  STEPS_AT_THE_END = 3,
  STEP_PROCESS = 2,
  STEP_CRASH = 3,
  STEP_CRASHED_THREAD = 5,
  STEP_OTHERS = 12,
};

void mp_write_rest(void) {
  mp_state *state = &mp_crash_state;
  while (state->step < STEP_COUNT) {
    size_t step = state->step++;
    steps[step](state, &state->writer);
    if (step == STEP_CRASHED_THREAD) state->has_crashed_thread = true;
  }
}

void mp_write_all_but_file(void) {
  for (size_t step = STEP_PROCESS; step < STEP_COUNT - 1; step++) steps[step](&mp_crash_state, &mp_crash_state.writer);
}

void mp_write_skip(bool to_the_end) {
  mp_state *state = &mp_crash_state;
  if (to_the_end && state->step < STEP_COUNT - STEPS_AT_THE_END) state->step = STEP_COUNT - STEPS_AT_THE_END;
  // Without this one the rest is of no use, so it is tried again.
  else if (state->failures == 1 && state->step == STEP_CRASH + 1) state->step = STEP_CRASH;
  // The thread that failed has been counted; those behind it follow.
  else if (state->step == STEP_OTHERS + 1) state->step = STEP_OTHERS;
}

#endif
