#if defined(__linux__)

#include "threads.h"

#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "mp_numbers.h"
#include "mp_text.h"

/// Threads that are being listed.
typedef struct {
  int *tids;
  size_t count, capacity;
} thread_list;

static bool add_thread(void *context, int thread) {
  thread_list *list = context;
  if (list->count == list->capacity) return false;
  list->tids[list->count++] = thread;
  return true;
}

size_t mp_list_threads(int *tids, size_t capacity) {
  thread_list list = {tids, 0, capacity};
  mp_numbers_each("/proc/self/task", add_thread, &list);
  return list.count;
}

/// The addresses that mark a queued signal as ours: no other code has them.
static char marks[2];

bool mp_ask_thread(int tid, mp_request request) {
  siginfo_t info;
  memset(&info, 0, sizeof info);
  info.si_signo = MP_REQUEST_SIGNAL;
  info.si_code = SI_QUEUE;
  info.si_pid = getpid();
  info.si_uid = getuid();
  info.si_value.sival_ptr = &marks[request];
  return syscall(SYS_rt_tgsigqueueinfo, (long)getpid(), (long)tid, (long)MP_REQUEST_SIGNAL, &info) == 0;
}

bool mp_is_request(int number, const siginfo_t *signal, mp_request *request) {
  if (number != MP_REQUEST_SIGNAL || signal->si_code != SI_QUEUE) return false;
  const char *mark = signal->si_value.sival_ptr;
  if (mark != &marks[MP_REQUEST_STACK] && mark != &marks[MP_REQUEST_STOP]) return false;
  *request = (mp_request)(mark - marks);
  return true;
}

static void wait_while(_Atomic int *word, int value, long nanoseconds) {
  struct timespec limit = {.tv_sec = nanoseconds / 1000000000, .tv_nsec = nanoseconds % 1000000000};
  syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, value, &limit, NULL, 0);
}

static void wake(_Atomic int *word) {
  syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0);
}

static mp_slot *slot_of(int tid) {
  size_t count = atomic_load(&mp_crash_state.slot_count);
  for (size_t index = 0; index < count; index++) {
    if (atomic_load(&mp_crash_state.slots[index].tid) == tid) return &mp_crash_state.slots[index];
  }
  return NULL;
}

/// Fills the slot that the crashing thread has laid out for this one; false while there is none.
static bool show(int tid, const void *ucontext, bool also_crashed) {
  mp_slot *slot = slot_of(tid);
  if (slot == NULL) return false;
  int asked = MP_SLOT_ASKED;
  if (atomic_load(&slot->state) != asked) return true;
  mp_registers_from_ucontext(&slot->registers, ucontext);
  slot->has_registers = true;
  slot->also_crashed = also_crashed;
  if (atomic_compare_exchange_strong(&slot->state, &asked, MP_SLOT_ANSWERED)) {
    atomic_fetch_add(&mp_crash_state.answers, 1);
    wake(&mp_crash_state.answers);
  }
  return true;
}

void mp_stand_still(const void *ucontext, bool also_crashed) {
  mp_state *state = &mp_crash_state;
  int tid = mp_thread_id();
  bool is_shown = false;
  // A bound of its own: whatever becomes of the crashing thread, this one goes on some day.
  uint64_t end = mp_clock_nanoseconds(CLOCK_MONOTONIC) + 2 * state->time_limit + 1000000000u;
  while (atomic_load(&state->finished) == 0 && mp_clock_nanoseconds(CLOCK_MONOTONIC) < end) {
    if (!is_shown) is_shown = show(tid, ucontext, also_crashed);
    wait_while(&state->finished, 0, is_shown ? 200000000 : 1000000);
  }
}

/// Takes the threads into slots that are not there yet, and asks them; returns how many were asked.
static int ask_new_threads(int self) {
  mp_state *state = &mp_crash_state;
  int *tids = (int *)(void *)state->scratch;
  size_t listed = mp_list_threads(tids, sizeof state->scratch / sizeof *tids);
  int asked = 0;
  for (size_t index = 0; index < listed; index++) {
    size_t count = atomic_load(&state->slot_count);
    if (tids[index] == self || slot_of(tids[index]) != NULL || count == MP_THREADS_MAX) continue;
    mp_slot *slot = &state->slots[count];
    slot->has_registers = false;
    slot->also_crashed = false;
    atomic_store(&slot->tid, tids[index]);
    atomic_store(&slot->state, MP_SLOT_ASKED);
    atomic_store(&state->slot_count, count + 1);
    if (mp_ask_thread(tids[index], MP_REQUEST_STOP)) {
      asked++;
    } else {
      atomic_store(&slot->state, MP_SLOT_GONE);
    }
  }
  return asked;
}

static void wait_for_answers(int expected, uint64_t end) {
  for (;;) {
    int answers = atomic_load(&mp_crash_state.answers);
    if (answers >= expected || mp_clock_nanoseconds(CLOCK_MONOTONIC) > end) return;
    wait_while(&mp_crash_state.answers, answers, 5000000);
  }
}

static const char *hex_field(const char *at, uint64_t *value) {
  *value = 0;
  for (at += 2;; at++) {
    char c = *at;
    if (c >= '0' && c <= '9') *value = *value << 4 | (uint64_t)(c - '0');
    else if (c >= 'a' && c <= 'f') *value = *value << 4 | (uint64_t)(c - 'a' + 10);
    else return at;
  }
}

/// The place where a thread waits in the kernel, as /proc/self/task/TID/syscall says: number, arguments, stack pointer,
/// pc.
static void ask_the_kernel(mp_slot *slot) {
  char path[64], text[512];
  mp_text name = mp_text_in(path, sizeof path);
  mp_text_add(&name, "/proc/self/task/");
  mp_text_add_number(&name, (uint64_t)atomic_load(&slot->tid));
  mp_text_add(&name, "/syscall");
  if (mp_read_file(path, text, sizeof text) <= 0) return;
  uint64_t last[2] = {0, 0};
  int fields = 0;
  for (const char *at = text; (at = strstr(at, "0x")) != NULL; fields++) {
    last[0] = last[1];
    at = hex_field(at, &last[1]);
  }
  if (fields < 2) return;
  memset(&slot->registers, 0, sizeof slot->registers);
  slot->registers.values[MP_REGISTER_SP] = last[0];
  slot->registers.values[MP_REGISTER_PC] = last[1];
  slot->has_registers = true;
}

void mp_stop_threads(void) {
  mp_state *state = &mp_crash_state;
  int self = mp_thread_id(), expected = 0;
  uint64_t end = mp_clock_nanoseconds(CLOCK_MONOTONIC) + state->time_limit / 4;
  // Threads that still ran may have started others.
  for (int round = 0; round < 8; round++) {
    int asked = ask_new_threads(self);
    if (asked == 0) break;
    expected += asked;
    wait_for_answers(expected, end);
  }
  size_t count = atomic_load(&state->slot_count);
  for (size_t index = 0; index < count; index++) {
    int asked = MP_SLOT_ASKED;
    mp_slot *slot = &state->slots[index];
    if (atomic_compare_exchange_strong(&slot->state, &asked, MP_SLOT_SILENT)) ask_the_kernel(slot);
  }
}

void mp_resume_threads(void) {
  atomic_store(&mp_crash_state.finished, 1);
  wake(&mp_crash_state.finished);
}

#endif
