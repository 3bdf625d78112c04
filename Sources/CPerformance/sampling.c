#if defined(__linux__)

#include "sampling.h"

#include <errno.h>
#include <linux/futex.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/// libdispatch's workers block nearly all signals; this one is left open to them, beside those of faults.
#define SAMPLE_SIGNAL SIGPROF

enum { ANSWER_TIME = 50000000, STAND_TIME = 300000000, UNWIND_TIME = 100000000 };

/// The address that marks a queued signal as ours.
static char mark;
static struct sigaction previous;

/// One request at a time: the watching thread makes them all.
static struct {
  /// The thread that is asked; its negative once it has taken the request, 0 for none.
  _Atomic int tid;
  _Atomic int answered;
  /// The number of the last request that is over.
  _Atomic int over;
  int number;
  mp_registers registers;
} request;

static void futex_wait(_Atomic int *word, int value, long nanoseconds) {
  struct timespec limit = {.tv_sec = 0, .tv_nsec = nanoseconds};
  syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, value, &limit, NULL, 0);
}

static void futex_wake(_Atomic int *word) {
  syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0);
}

static void pass_on(int number, siginfo_t *signal, void *ucontext) {
  if (previous.sa_flags & SA_SIGINFO) {
    previous.sa_sigaction(number, signal, ucontext);
  } else if (previous.sa_handler == SIG_DFL) {
    struct sigaction action = {.sa_handler = SIG_DFL};
    sigaction(number, &action, NULL);
    raise(number);
  } else if (previous.sa_handler != SIG_IGN) {
    previous.sa_handler(number);
  }
}

/// Shows the registers, and stands still until the stack has been read.
static void on_signal(int number, siginfo_t *signal, void *ucontext) {
  int saved = errno, self = mp_thread_id(), expected = self;
  if (signal->si_code != SI_QUEUE || signal->si_value.sival_ptr != &mark) {
    pass_on(number, signal, ucontext);
  } else if (atomic_compare_exchange_strong(&request.tid, &expected, -self)) {
    int own = request.number;
    mp_registers_from_ucontext(&request.registers, ucontext);
    atomic_store(&request.answered, 1);
    futex_wake(&request.answered);
    // A bound of its own: whatever becomes of the other thread, this one goes on.
    uint64_t end = mp_clock_nanoseconds(CLOCK_MONOTONIC) + STAND_TIME;
    for (int over; (over = atomic_load(&request.over)) < own && mp_clock_nanoseconds(CLOCK_MONOTONIC) < end;) {
      futex_wait(&request.over, over, 50000000);
    }
  }
  errno = saved;
}

bool mp_sampling_prepare(void) {
  mp_unwind_prepare();
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_sigaction = on_signal;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART;
  sigfillset(&action.sa_mask);
  return sigaction(SAMPLE_SIGNAL, &action, &previous) == 0;
}

void mp_sampling_list_images(void) {
  mp_hang_state *state = &mp_hangs;
  mp_process_memory_flush(&state->memory);
  mp_memory memory = mp_process_memory_reader(&state->memory);
  state->images = (mp_images){
    .images = state->image_storage,
    .capacity = MP_HANG_IMAGES_MAX,
    .paths = state->path_storage,
    .paths_capacity = MP_HANG_PATHS_SIZE,
  };
  mp_images_from_maps("/proc/self/maps", &memory, &state->images);
}

/// Tells whether the signal would reach our handler: it is still installed, and the thread does not block it.
static bool can_ask(int tid) {
  struct sigaction current;
  if (sigaction(SAMPLE_SIGNAL, NULL, &current) != 0 || current.sa_sigaction != on_signal) return false;
  char path[64], text[2048];
  mp_text name = mp_text_in(path, sizeof path);
  mp_text_add(&name, "/proc/self/task/");
  mp_text_add_number(&name, (uint64_t)tid);
  mp_text_add(&name, "/status");
  if (mp_read_file(path, text, sizeof text) <= 0) return false;
  const char *mask = strstr(text, "SigBlk:");
  if (mask == NULL) return true;
  uint64_t blocked = 0;
  for (mask += 7; *mask == ' ' || *mask == '\t'; mask++) continue;
  for (; *mask != '\n' && *mask != 0; mask++) {
    blocked = blocked << 4 | (uint64_t)(*mask <= '9' ? *mask - '0' : *mask - 'a' + 10);
  }
  return (blocked >> (SAMPLE_SIGNAL - 1) & 1) == 0;
}

/// Has the thread show its registers; false where it does not answer. It stands still until `let_go`.
static bool ask(int tid) {
  siginfo_t info;
  memset(&info, 0, sizeof info);
  info.si_signo = SAMPLE_SIGNAL;
  info.si_code = SI_QUEUE;
  info.si_pid = getpid();
  info.si_uid = getuid();
  info.si_value.sival_ptr = &mark;
  request.number++;
  atomic_store(&request.answered, 0);
  atomic_store(&request.tid, tid);
  if (syscall(SYS_rt_tgsigqueueinfo, (long)getpid(), (long)tid, (long)SAMPLE_SIGNAL, &info) != 0) {
    atomic_store(&request.tid, 0);
    return false;
  }
  uint64_t end = mp_clock_nanoseconds(CLOCK_MONOTONIC) + ANSWER_TIME;
  while (atomic_load(&request.answered) == 0) {
    int expected = tid;
    bool is_late = mp_clock_nanoseconds(CLOCK_MONOTONIC) > end;
    // Where it has begun to answer it is waited for.
    if (is_late && atomic_compare_exchange_strong(&request.tid, &expected, 0)) return false;
    futex_wait(&request.answered, 0, 5000000);
  }
  return true;
}

static void let_go(void) {
  atomic_store(&request.tid, 0);
  atomic_store(&request.over, request.number);
  futex_wake(&request.over);
}

static size_t unwind(const mp_registers *registers, mp_stop *stop) {
  mp_hang_state *state = &mp_hangs;
  mp_memory memory = mp_process_memory_reader(&state->memory);
  mp_unwind_options options = {
    .max_frames = MP_HANG_FRAMES_MAX,
    .deadline = mp_clock_nanoseconds(CLOCK_MONOTONIC) + UNWIND_TIME,
    .async_callers = true,
  };
  return mp_unwind(&memory, &state->images, registers, &options, state->frames, stop);
}

/// Finds the frame pointer that the kernel does not tell: the first pair on the stack of an address further up and a
/// return address that makes the stack lead to its end.
static void look_for_frame_pointer(mp_taken *taken) {
  enum { WORDS = 512, TRIES = 16 };
  mp_hang_state *state = &mp_hangs;
  mp_memory memory = mp_process_memory_reader(&state->memory);
  uint64_t sp = taken->registers.values[MP_REGISTER_SP], pair[2];
  int tries = 0;
  for (int word = 0; word < WORDS && tries < TRIES; word++) {
    uint64_t at = sp + 8 * (uint64_t)word;
    if (!mp_memory_read(&memory, at, pair, sizeof pair)) return;
    bool is_chain = pair[0] == 0 || (pair[0] > at && pair[0] - at < 1 << 20 && pair[0] % 8 == 0);
    if (!is_chain || mp_image_index(&state->images, pair[1]) < 0) continue;
    tries++;
    mp_taken tried = *taken;
    tried.registers.values[MP_REGISTER_FP] = at;
    tried.count = unwind(&tried.registers, &tried.stop);
    if (tried.stop != MP_STOP_END) continue;
    *taken = tried;
    return;
  }
  taken->count = unwind(&taken->registers, &taken->stop);
}

static mp_taken take_from_kernel(const mp_place *place) {
  mp_taken taken = {.stop = MP_STOP_UNKNOWN};
  if (!place->is_in_call) return taken;
  taken.has_registers = true;
  taken.registers.values[MP_REGISTER_SP] = place->sp;
  taken.registers.values[MP_REGISTER_PC] = place->pc;
  taken.count = unwind(&taken.registers, &taken.stop);
  if (taken.stop != MP_STOP_END && taken.stop != MP_STOP_FULL) look_for_frame_pointer(&taken);
  return taken;
}

mp_taken mp_take_stack(int tid, const mp_place *place, bool gently) {
  mp_process_memory_flush(&mp_hangs.memory);
  bool is_kernels = place->is_in_call && (gently || mp_is_cut_short(place) || place->state == 'D');
  if (is_kernels || !can_ask(tid) || !ask(tid)) return take_from_kernel(place);
  mp_taken taken = {.has_registers = true, .registers = request.registers};
  mp_process_memory_flush(&mp_hangs.memory);
  taken.count = unwind(&taken.registers, &taken.stop);
  let_go();
  return taken;
}

#endif
