#if defined(__linux__)

#if !defined(_GNU_SOURCE)
#define _GNU_SOURCE
#endif

#include "last_words.h"
#include "state.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "mp_text.h"
#include "sanitizer.h"

enum { SPOKEN_MAX = 4096, EXCEPTION_MAX = 2048 };

/// Text that a thread wrote to standard error, piece by piece.
static struct {
  _Atomic int writing;
  int thread;
  uint64_t time;
  size_t length;
  char text[SPOKEN_MAX];
} spoken;

/// Pieces that follow each other within this time are one text; older text is no last word.
enum { BELONGS_TOGETHER = 200 * 1000000 };
#define STILL_FRESH (5u * 1000000000u)

#if !MP_HAS_SANITIZER

static void listen(const char *text, size_t length) {
  // Two threads at once: the second is not heard, rather than waited for.
  int free = 0;
  if (!atomic_compare_exchange_strong(&spoken.writing, &free, 1)) return;
  int thread = mp_thread_id();
  uint64_t now = mp_clock_nanoseconds(CLOCK_MONOTONIC);
  if (spoken.thread != thread || now - spoken.time > BELONGS_TOGETHER) spoken.length = 0;
  if (length > SPOKEN_MAX) length = SPOKEN_MAX;
  if (length > SPOKEN_MAX - spoken.length) spoken.length = 0;
  memcpy(spoken.text + spoken.length, text, length);
  spoken.length += length;
  spoken.thread = thread;
  spoken.time = now;
  atomic_store(&spoken.writing, 0);
}

/// Stands in front of the C library's: Swift's runtime says its fatal errors through it.
__attribute__((visibility("default"))) int fputs(const char *restrict text, FILE *restrict stream) {
  size_t length = strlen(text);
  if (stream == stderr && atomic_load(&mp_crash_state.is_installed)) listen(text, length);
  return fwrite(text, 1, length, stream) == length ? 1 : EOF;
}

#endif

/// glibc's `struct abort_msg_s` (include/stdlib.h there): what assert, abort and malloc's checks print last.
typedef struct {
  unsigned int size;
  char text[];
} abort_message;

static abort_message **abort_message_place;
static char exception_text[EXCEPTION_MAX];
static _Atomic int exception_thread;

void mp_last_words_prepare(void) {
  abort_message_place = dlvsym(RTLD_DEFAULT, "__abort_msg", "GLIBC_PRIVATE");
  mp_terminate_hook_install();
}

void mp_keep_exception(const char *type, const char *what) {
  mp_text text = mp_text_in(exception_text, sizeof exception_text);
  mp_text_add(&text, "uncaught exception ");
  mp_text_add(&text, type);
  if (what != NULL) {
    mp_text_add(&text, ": ");
    mp_text_add(&text, what);
  }
  atomic_store(&exception_thread, mp_thread_id());
}

static void write_words(mp_writer *writer, const char *image, const char *text, size_t length) {
  while (length > 0 && (text[length - 1] == '\n' || text[length - 1] == 0)) length--;
  if (length == 0) return;
  mp_section_begin(writer, MP_RECORD_LAST_WORDS);
  mp_put_string(writer, image);
  mp_put_u32(writer, (uint32_t)length);
  mp_put_bytes(writer, text, length);
  mp_section_end(writer);
}

static void write_abort_message(mp_writer *writer) {
  if (abort_message_place == NULL || *abort_message_place == NULL) return;
  mp_state *state = &mp_crash_state;
  mp_memory memory = mp_process_memory_reader(&state->memory);
  uint64_t address = (uint64_t)(uintptr_t)*abort_message_place;
  unsigned int size;
  if (!mp_memory_read(&memory, address, &size, sizeof size) || size < sizeof size) return;
  size_t length = size - sizeof size;
  if (length >= SPOKEN_MAX) length = SPOKEN_MAX - 1;
  length = memory.read(memory.context, address + sizeof size, state->scratch, length);
  state->scratch[length] = 0;
  write_words(writer, "libc.so.6", state->scratch, strlen(state->scratch));
}

void mp_write_last_words(mp_writer *writer) {
  mp_state *state = &mp_crash_state;
  int number = state->signal_number, thread = atomic_load(&state->crashing_thread);
  if (number != SIGILL && number != SIGTRAP && number != SIGABRT) return;
  bool is_fresh = mp_clock_nanoseconds(CLOCK_MONOTONIC) - spoken.time < STILL_FRESH;
  bool is_exception = number == SIGABRT && atomic_load(&exception_thread) == thread;
  // The C++ runtime says the same in pieces.
  if (spoken.thread == thread && spoken.length != 0 && is_fresh && !is_exception) {
    write_words(writer, "libswiftCore.so", spoken.text, spoken.length);
  }
  if (is_exception) write_words(writer, "libstdc++.so.6", exception_text, strlen(exception_text));
  if (number == SIGABRT) write_abort_message(writer);
}

#endif
