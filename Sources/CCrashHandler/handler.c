#if defined(__linux__)

#include "handler.h"

#include <errno.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#include "alternate_stack.h"
#include "sections.h"
#include "mp_text.h"
#include "threads.h"

// Nothing but zeros, so that its memory of almost a megabyte takes no room in the file of the program.
mp_state mp_crash_state;

const int mp_crash_signals[MP_SIGNAL_COUNT] = {SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGABRT, SIGFPE, SIGSYS};

enum { FAILURES_MAX = 3 };

static int index_of(int number) {
  for (int index = 0; index < MP_SIGNAL_COUNT; index++) {
    if (mp_crash_signals[index] == number) return index;
  }
  return 0;
}

// MARK: Passing the signal on

static void give_handlers_back(void) {
  for (int index = 0; index < MP_SIGNAL_COUNT; index++) {
    struct sigaction previous = mp_crash_state.previous[index];
    // A fault that is ignored would come back for ever.
    if (previous.sa_handler == SIG_IGN) previous.sa_handler = SIG_DFL;
    sigaction(mp_crash_signals[index], &previous, NULL);
  }
}

static void signal_default(int number) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = SIG_DFL;
  sigaction(number, &action, NULL);
}

static bool is_function(const struct sigaction *action) {
  return action->sa_handler != SIG_DFL && action->sa_handler != SIG_IGN;
}

/// Tells whether the instruction that raised the signal raises it again when it is returned to.
static bool comes_again(int number, const siginfo_t *signal) {
  return signal->si_code > 0 && number != SIGTRAP && number != SIGSYS && number != SIGABRT;
}

/// Has the same signal come again, in the context of the crash, when the handler returns.
static void queue_again(int number, const siginfo_t *signal) {
  sigset_t one;
  sigemptyset(&one);
  sigaddset(&one, number);
  // Blocked until the kernel restores the mask of the interrupted code.
  sigprocmask(SIG_BLOCK, &one, NULL);
  siginfo_t copy = *signal;
  long result = syscall(SYS_rt_tgsigqueueinfo, (long)getpid(), (long)mp_thread_id(), (long)number, &copy);
  // A fault happens again by itself where that is forbidden, and any other signal is sent anew.
  if (result != 0 && !comes_again(number, signal)) {
    syscall(SYS_tgkill, (long)getpid(), (long)mp_thread_id(), (long)number);
  }
}

/// Passes the signal on to whom it belonged before; the process ends with it unless an earlier handler mends a fault.
static void pass_on(int number, siginfo_t *signal, void *ucontext) {
  give_handlers_back();
  const struct sigaction *previous = &mp_crash_state.previous[index_of(number)];
  if (is_function(previous)) {
    mp_resume_threads();
    if (!comes_again(number, signal)) {
      // It may return and leave the process running, as Swift's backtracer does: no fault would bring it back.
      if (previous->sa_flags & SA_SIGINFO) previous->sa_sigaction(number, signal, ucontext);
      else previous->sa_handler(number);
      signal_default(number);
    }
  }
  queue_again(number, signal);
}

// MARK: The limit in time

/// A timer of the kernel's own, without the C library's bookkeeping: it interrupts whatever the handler hangs in.
static void start_watchdog(mp_state *state) {
  struct sigevent event;
  memset(&event, 0, sizeof event);
  event.sigev_notify = SIGEV_THREAD_ID;
  event.sigev_signo = SIGTRAP;
  event._sigev_un._tid = mp_thread_id();
  if (syscall(SYS_timer_create, (long)CLOCK_MONOTONIC, &event, &state->watchdog) != 0) return;
  state->has_watchdog = true;
  // Later than the limit that the handler looks at by itself.
  uint64_t limit = state->time_limit + state->time_limit / 4;
  struct itimerspec when = {
    .it_value = {.tv_sec = (time_t)(limit / 1000000000u), .tv_nsec = (long)(limit % 1000000000u)},
    .it_interval = {.tv_sec = 1},
  };
  syscall(SYS_timer_settime, (long)state->watchdog, 0L, &when, NULL);
}

static void stop_watchdog(mp_state *state) {
  if (state->has_watchdog) syscall(SYS_timer_delete, (long)state->watchdog);
  state->has_watchdog = false;
}

// MARK: Handling

static void describe_failure(mp_state *state, int number, bool is_timeout, const void *ucontext) {
  mp_registers registers;
  mp_registers_from_ucontext(&registers, ucontext);
  mp_text text = mp_text_in(state->failure_text, sizeof state->failure_text);
  if (is_timeout) {
    mp_text_add(&text, "The time limit passed while the report was being written.");
    return;
  }
  mp_text_add(&text, "The crash handler itself failed: signal ");
  mp_text_add_number(&text, (uint64_t)number);
  mp_text_add(&text, " at ");
  mp_text_add_hex(&text, registers.values[MP_REGISTER_PC]);
  mp_text_add(&text, ", step ");
  mp_text_add_number(&text, state->step);
  mp_text_add(&text, ".");
}

/// Makes the return from this handler a return to the crash, past everything that failed in between.
static void return_to_crash(void *ucontext, const void *crash) {
  ucontext_t *here = ucontext;
  const ucontext_t *there = crash;
  here->uc_mcontext = there->uc_mcontext;
  here->uc_sigmask = there->uc_sigmask;
}

/// The handler failed in the middle of its work: goes on behind what failed, and notes it.
static void handle_failure(int number, const siginfo_t *signal, void *ucontext) {
  mp_state *state = &mp_crash_state;
  bool is_timeout = number == SIGTRAP && signal->si_code == SI_TIMER;
  state->hang_in_section = 0;
  if (state->failures++ == 0) describe_failure(state, number, is_timeout, ucontext);
  if (state->failures <= FAILURES_MAX) {
    mp_write_skip(is_timeout);
    mp_write_rest();
  }
  stop_watchdog(state);
  pass_on(state->signal_number, &state->signal, state->ucontext);
  return_to_crash(ucontext, state->ucontext);
}

static void handle_crash(int number, siginfo_t *signal, void *ucontext) {
  mp_state *state = &mp_crash_state;
  state->signal_number = number;
  state->signal = *signal;
  state->ucontext = ucontext;
  state->deadline = mp_clock_nanoseconds(CLOCK_MONOTONIC) + state->time_limit;
  start_watchdog(state);
  mp_process_memory_open(&state->memory, getpid());
  mp_write_rest();
  stop_watchdog(state);
  pass_on(number, signal, ucontext);
}

static void on_signal(int number, siginfo_t *signal, void *ucontext) {
  int saved = errno;
  mp_state *state = &mp_crash_state;
  mp_request request;
  if (mp_is_request(number, signal, &request)) {
    if (request == MP_REQUEST_STACK) mp_alternate_stack_take(ucontext);
    else if (atomic_load(&state->crashing_thread) != 0) mp_stand_still(ucontext, false);
    errno = saved;
    return;
  }
  // Somebody sent what the program chose to ignore.
  if (signal->si_code <= 0 && state->previous[index_of(number)].sa_handler == SIG_IGN) return;
  int self = mp_thread_id(), crashing = 0;
  if (atomic_compare_exchange_strong(&state->crashing_thread, &crashing, self)) {
    handle_crash(number, signal, ucontext);
  } else if (crashing == self) {
    handle_failure(number, signal, ucontext);
  } else {
    mp_stand_still(ucontext, true);
    pass_on(number, signal, ucontext);
  }
  errno = saved;
}

int mp_handler_install(void) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_sigaction = on_signal;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER | SA_RESTART;
  // Nothing interrupts the handler but its own faults.
  sigfillset(&action.sa_mask);
  for (int index = 0; index < MP_SIGNAL_COUNT; index++) {
    if (mp_crash_signals[index] != MP_REQUEST_SIGNAL) sigdelset(&action.sa_mask, mp_crash_signals[index]);
  }
  for (int index = 0; index < MP_SIGNAL_COUNT; index++) {
    if (sigaction(mp_crash_signals[index], &action, &mp_crash_state.previous[index]) != 0) return errno;
  }
  return 0;
}

#endif
