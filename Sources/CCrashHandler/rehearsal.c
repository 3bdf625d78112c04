#if defined(__linux__)

#include "rehearsal.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#include "sections.h"
#include "mp_text.h"
#include "threads.h"
#include "mp_writer.h"

/// The calls that only the end of a record makes; they fail without doing anything.
static void bind_the_rest(void) {
  struct sigaction current;
  sigaction(SIGSEGV, NULL, &current);
  sigset_t none;
  sigemptyset(&none);
  sigaddset(&none, SIGSEGV);
  sigdelset(&none, SIGSEGV);
  sigprocmask(SIG_BLOCK, &none, NULL);
  rename("", "");
  unlink("");
  if (ftruncate(-1, 0) == 0) return;
  mp_resume_threads();
}

/// Gives back what was read of the process: up to 256 KB that nothing needs until a crash, which reads anew.
static void give_back(mp_process_memory *memory, uintptr_t page) {
  uintptr_t start = ((uintptr_t)memory->bytes + page - 1) / page * page;
  uintptr_t end = ((uintptr_t)memory->bytes + sizeof memory->bytes) / page * page;
  if (start < end) madvise((void *)start, end - start, MADV_DONTNEED);
}

void mp_rehearse(void) {
  mp_state *state = &mp_crash_state;
  ucontext_t here;
  getcontext(&here);
  state->ucontext = &here;
  state->signal_number = SIGABRT;
  state->deadline = mp_clock_nanoseconds(CLOCK_MONOTONIC) + state->time_limit;
  atomic_store(&state->crashing_thread, mp_thread_id());
  mp_process_memory_open(&state->memory, getpid());
  int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
  mp_writer_begin(&state->writer, nowhere);
  mp_write_all_but_file();
  if (nowhere >= 0) close(nowhere);
  bind_the_rest();
  mp_process_memory_close(&state->memory);
  give_back(&state->memory, (uintptr_t)state->page_size);
  state->ucontext = NULL;
  state->step = 0;
  state->next_slot = 0;
  state->has_crashed_thread = false;
  state->is_late = false;
  atomic_store(&state->finished, 0);
  atomic_store(&state->crashing_thread, 0);
}

#endif
