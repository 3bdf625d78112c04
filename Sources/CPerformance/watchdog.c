#if defined(__linux__)

#include "look_at_watch.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
#include <unwind.h>

#include "sampling.h"

// Nothing but zeros, so that its memory takes no room in the file of the program.
mp_hang_state mp_hangs;

// Nanoseconds between two looks while something hangs, at rest, and once nothing has stirred for a while; half of it is the
// most by which the start of a hang is missed.
enum { PERIOD = 25000000, REST = 32000000, LONG_REST = 38000000, STOP_LIMIT = 60000000 };
static const uint64_t long_quiet = 10000000000u;

static pthread_t watching;

uint64_t mp_hang_time(uint64_t moment) {
  mp_hang_state *state = &mp_hangs;
  uint64_t time = moment > state->skipped ? moment - state->skipped : 0;
  // A moment before the stop counts as it was.
  bool is_before = state->lost != 0 && time + state->lost <= state->before + state->pause + state->lost / 2;
  return is_before ? time + state->lost : time;
}

// MARK: Time that the process was stopped in

/// The time that this thread waited for a processor.
static uint64_t own_queue_time(void) {
  char text[128];
  uint64_t number = 0, queue = 0;
  ssize_t length = pread(mp_hangs.own_times, text, sizeof text - 1, 0);
  if (length <= 0) return 0;
  text[length] = 0;
  const char *at = text;
  return mp_parse_number(&at, &number) && mp_parse_number(&at, &queue) ? queue : 0;
}

/// The part of a gap between two looks that neither the pause between them nor waiting for a processor explains: the
/// process was stopped, frozen, or in a debugger's hands.
static uint64_t stopped_time(uint64_t gap, uint64_t pause, uint64_t queue) {
  uint64_t explained = pause + queue;
  return gap > explained + STOP_LIMIT ? gap - explained : 0;
}

// MARK: The thread that watches

static bool has_work(void) {
  for (int index = 0; index < MP_HANG_WATCHES_MAX; index++) {
    mp_watch *watch = &mp_hangs.watches[index];
    int used = atomic_load(&watch->state);
    if (used == 3) return true;
    if (used != 2) continue;
    if (watch->is_queue || watch->is_declared || atomic_load(&watch->busy_since) != 0) return true;
  }
  return false;
}

static void wait_for(int value, uint64_t nanoseconds) {
  struct timespec limit = {.tv_sec = (time_t)(nanoseconds / 1000000000u), .tv_nsec = (long)(nanoseconds % 1000000000u)};
  syscall(SYS_futex, &mp_hangs.wakeups, FUTEX_WAIT_PRIVATE, value, nanoseconds == 0 ? NULL : &limit, NULL, 0);
}

static void wake(void) {
  atomic_fetch_add(&mp_hangs.wakeups, 1);
  syscall(SYS_futex, &mp_hangs.wakeups, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0);
}

/// Sleeps until there is something to watch.
static void sleep_long(void) {
  mp_hang_state *state = &mp_hangs;
  for (;;) {
    int value = atomic_load(&state->wakeups);
    atomic_store(&state->is_asleep, true);
    bool is_idle = atomic_load(&state->is_paused) || !has_work();
    if (atomic_load(&state->is_stopping) || !is_idle) break;
    wait_for(value, 0);
  }
  atomic_store(&state->is_asleep, false);
}

static bool anything_waits(void) {
  for (int index = 0; index < MP_HANG_WATCHES_MAX; index++) {
    if (atomic_load(&mp_hangs.watches[index].state) == 2 && mp_hangs.watches[index].is_waiting) return true;
  }
  return false;
}

static uint64_t next_pause(void) {
  if (anything_waits()) return PERIOD;
  return mp_hangs.now - mp_hangs.stirred > long_quiet ? LONG_REST : REST;
}

static void look_at_all(void) {
  for (int index = 0; index < MP_HANG_WATCHES_MAX; index++) {
    mp_watch *watch = &mp_hangs.watches[index];
    int used = atomic_load(&watch->state);
    if (used == 2) mp_look_at(watch, index);
    if (used != 3) continue;
    mp_forget_past(watch);
    atomic_store(&watch->state, 0);
  }
}

static void begin_anew(uint64_t moment) {
  mp_hang_state *state = &mp_hangs;
  state->lost = 0;
  state->before = state->now = state->stirred = moment - state->skipped;
  for (int index = 0; index < MP_HANG_WATCHES_MAX; index++) mp_forget_past(&state->watches[index]);
}

static void *watch(void *nothing) {
  (void)nothing;
  mp_hang_state *state = &mp_hangs;
  pthread_setname_np(pthread_self(), "mpaas-hangs");
  state->own_times = open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC);
  // The last reading of the time that this thread waited for a processor; at rest only every 16th look pays for one.
  uint64_t queue = own_queue_time(), last = mp_clock_nanoseconds(CLOCK_MONOTONIC);
  unsigned looks = 0;
  begin_anew(last);
  while (!atomic_load(&state->is_stopping)) {
    if (atomic_load(&state->is_paused) || !has_work()) {
      sleep_long();
      last = mp_clock_nanoseconds(CLOCK_MONOTONIC);
      queue = own_queue_time();
      begin_anew(last);
    }
    state->pause = next_pause();
    wait_for(atomic_load(&state->wakeups), state->pause);
    uint64_t moment = mp_clock_nanoseconds(CLOCK_MONOTONIC);
    bool is_gap = moment - last > state->pause + STOP_LIMIT;
    state->lost = is_gap ? stopped_time(moment - last, state->pause, own_queue_time() - queue) : 0;
    state->skipped += state->lost;
    state->before = state->now;
    state->now = moment - state->skipped;
    look_at_all();
    // Looking takes time of its own, which is no stop.
    last = mp_clock_nanoseconds(CLOCK_MONOTONIC);
    if (looks++ % 16 == 0 || anything_waits()) queue = own_queue_time();
  }
  for (int index = 0; index < MP_HANG_WATCHES_MAX; index++) mp_end_watch(&state->watches[index]);
  if (state->own_times >= 0) close(state->own_times);
  atomic_store(&state->is_over, true);
  return NULL;
}

// MARK: Interface

static void after_fork(void) {
  mp_hang_state *state = &mp_hangs;
  atomic_store(&state->is_started, false);
  for (int index = 0; index < MP_HANG_WATCHES_MAX; index++) {
    if (state->watches[index].file > 0) close(state->watches[index].file);
    state->watches[index].file = -1;
    atomic_store(&state->watches[index].state, 0);
  }
}

static int start_thread(void) {
  sigset_t all, before;
  sigfillset(&all);
  // Workers of libdispatch that this thread starts inherit its mask: faults and looks have to get through to them.
  static const int open_signals[] = {SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV, SIGSYS, SIGPROF};
  for (size_t index = 0; index < sizeof open_signals / sizeof *open_signals; index++) {
    sigdelset(&all, open_signals[index]);
  }
  pthread_attr_t attributes;
  int error = pthread_attr_init(&attributes);
  if (error != 0) return error;
  pthread_attr_setstacksize(&attributes, 512 * 1024);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  error = pthread_create(&watching, &attributes, watch, NULL);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  pthread_attr_destroy(&attributes);
  return error;
}

int mp_hang_start(const mp_hang_settings *settings) {
  mp_hang_state *state = &mp_hangs;
  bool expected = false;
  if (!atomic_compare_exchange_strong(&state->is_started, &expected, true)) return EALREADY;
  static bool is_prepared;
  state->settings = *settings;
  state->directory[0] = 0;
  int error = 0;
  if (settings->directory != NULL && realpath(settings->directory, state->directory) == NULL) error = errno;
  mp_crash_configuration none = {0};
  mp_facts_gather(&state->facts, &none);
  mp_process_memory_open(&state->memory, getpid());
  if (error == 0 && !is_prepared) {
    is_prepared = mp_sampling_prepare();
    if (!is_prepared) error = errno;
    pthread_atfork(NULL, NULL, after_fork);
  }
  atomic_store(&state->is_stopping, false);
  atomic_store(&state->is_over, false);
  if (error == 0) error = start_thread();
  if (error != 0) atomic_store(&state->is_started, false);
  return error;
}

void mp_hang_stop(void) {
  mp_hang_state *state = &mp_hangs;
  if (!atomic_load(&state->is_started) || atomic_exchange(&state->is_stopping, true)) return;
  wake();
  pthread_join(watching, NULL);
  atomic_store(&state->is_started, false);
}

/// The process ends in order: what hung until now is over. Nothing is waited for long.
__attribute__((destructor(102))) static void end_with_process(void) {
  mp_hang_state *state = &mp_hangs;
  if (!atomic_load(&state->is_started) || atomic_exchange(&state->is_stopping, true)) return;
  if (pthread_equal(watching, pthread_self())) return;
  wake();
  for (int turn = 0; turn < 200 && !atomic_load(&state->is_over); turn++) {
    struct timespec pause = {.tv_nsec = 1000000};
    nanosleep(&pause, NULL);
  }
}

void mp_hang_pause(bool is_paused) {
  atomic_store(&mp_hangs.is_paused, is_paused);
  wake();
}

static int take_watch(const char *name, bool is_queue) {
  for (int index = 0; index < MP_HANG_WATCHES_MAX; index++) {
    mp_watch *watch = &mp_hangs.watches[index];
    int expected = 0;
    if (!atomic_compare_exchange_strong(&watch->state, &expected, 1)) continue;
    if (watch->samples == NULL) {
      void *memory = mmap(
        NULL, MP_HANG_SAMPLES_MAX * sizeof(mp_hang_sample), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
      if (memory == MAP_FAILED) {
        atomic_store(&watch->state, 0);
        return -1;
      }
      watch->samples = memory;
    }
    mp_text text = mp_text_in(watch->name, sizeof watch->name);
    mp_text_add(&text, name);
    watch->is_queue = is_queue;
    watch->file = -1;
    watch->words = NULL;
    atomic_store(&watch->tid, is_queue ? 0 : mp_thread_id());
    atomic_store(&watch->busy_since, 0);
    atomic_store(&watch->owner_words, ~0u);
    atomic_store(&watch->base_count, 0);
    atomic_store(&watch->asked, 0);
    atomic_store(&watch->answered, 0);
    watch->idle = (mp_idle_place){0};
    watch->was_unowned = watch->is_waiting = watch->is_declared = false;
    mp_forget_past(watch);
    return index;
  }
  return -1;
}

int mp_hang_watch_thread(const char *name) {
  int index = take_watch(name, false);
  if (index >= 0) atomic_store(&mp_hangs.watches[index].state, 2);
  return index;
}

int mp_hang_watch_queue(const char *name, void (*ask)(void *context, int watch), void *context, const void *state) {
  int index = take_watch(name, true);
  if (index < 0) return -1;
  mp_watch *watch = &mp_hangs.watches[index];
  watch->ask = ask;
  watch->context = context;
  watch->words = state;
  atomic_store(&watch->state, 2);
  wake();
  return index;
}

void mp_hang_unwatch(int watch) {
  // The thread that watches takes it away, so that it never looks at what is gone.
  if (watch < 0 || watch >= MP_HANG_WATCHES_MAX) return;
  atomic_store(&mp_hangs.watches[watch].state, atomic_load(&mp_hangs.is_started) ? 3 : 0);
  wake();
}

void mp_hang_begin(int watch) {
  if (watch < 0 || watch >= MP_HANG_WATCHES_MAX) return;
  atomic_store(&mp_hangs.watches[watch].busy_since, mp_clock_nanoseconds(CLOCK_MONOTONIC));
  if (atomic_load(&mp_hangs.is_asleep) && !atomic_load(&mp_hangs.is_paused)) wake();
}

void mp_hang_done(int watch) {
  if (watch < 0 || watch >= MP_HANG_WATCHES_MAX) return;
  atomic_store(&mp_hangs.watches[watch].ended_at, mp_clock_nanoseconds(CLOCK_MONOTONIC));
  atomic_store(&mp_hangs.watches[watch].busy_since, 0);
}

/// The thread that a word of the queue's state names.
static int owner_in(uint32_t word) {
  return (int)(word & FUTEX_TID_MASK);
}

typedef struct {
  mp_watch *watch;
  int count, skipped;
} base_collector;

static _Unwind_Reason_Code take_base_function(struct _Unwind_Context *context, void *argument) {
  base_collector *found = argument;
  uint64_t function = (uint64_t)(uintptr_t)_Unwind_GetRegionStart(context);
  if (found->count == MP_BASE_FUNCTIONS) return _URC_END_OF_STACK;
  if (function != 0 && found->skipped++ != 0) found->watch->base_functions[found->count++] = function;
  return _URC_NO_REASON;
}

/// Learns what the queue's work stands on, from the stack of an answer.
static void learn_base(mp_watch *watch) {
  base_collector found = {.watch = watch};
  _Unwind_Backtrace(take_base_function, &found);
  atomic_store(&watch->base_count, found.count);
}

void mp_hang_answer(int number) {
  if (number < 0 || number >= MP_HANG_WATCHES_MAX) return;
  mp_watch *watch = &mp_hangs.watches[number];
  int tid = mp_thread_id();
  uint32_t known = watch->words == NULL ? 0 : atomic_load(&watch->owner_words);
  for (int word = 0; word < MP_QUEUE_WORDS && known != 0; word++) {
    if (owner_in(watch->words == NULL ? 0 : atomic_load(&watch->words[word])) != tid) known &= ~(1u << word);
  }
  atomic_store(&watch->owner_words, known);
  if (atomic_load(&watch->base_count) == 0) learn_base(watch);
  atomic_store(&watch->tid, tid);
  atomic_store(&watch->answered_at, mp_clock_nanoseconds(CLOCK_MONOTONIC));
  atomic_store(&watch->answered, atomic_load(&watch->asked));
}

/// A weak reference, so that programs without libdispatch have none.
extern char _dispatch_main_q[] __attribute__((weak));

const void *mp_hang_main_queue(void) {
  return _dispatch_main_q;
}

#endif
