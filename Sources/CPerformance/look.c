#if defined(__linux__)

#include "look.h"

#include <linux/futex.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/// `CPUCLOCK_PERTHREAD_MASK | CPUCLOCK_SCHED` (the kernel's posix-timers.h): the clock of a thread by its number.
uint64_t mp_processor_time(int tid) {
  return mp_clock_nanoseconds((int)(~(unsigned)tid << 3 | 6));
}

bool mp_is_own_thread(int tid) {
  enum { HIGHEST = 1 << 22 };
  return tid > 0 && tid <= HIGHEST && mp_processor_time(tid) != 0;
}

static void path_of(char path[64], int tid, const char *file) {
  mp_text text = mp_text_in(path, 64);
  mp_text_add(&text, "/proc/self/task/");
  mp_text_add_number(&text, (uint64_t)tid);
  mp_text_add(&text, file);
}

mp_thread_times mp_times_of(int tid) {
  char path[64], text[128];
  mp_thread_times times = {.processor = mp_processor_time(tid)};
  path_of(path, tid, "/schedstat");
  if (mp_read_file(path, text, sizeof text) <= 0) return times;
  const char *at = text;
  uint64_t processor;
  if (mp_parse_number(&at, &processor)) mp_parse_number(&at, &times.queue);
  return times;
}

/// The next number in hexadecimal, as /proc/PID/syscall has them.
static bool next_hex(const char **from, uint64_t *value) {
  const char *at = strstr(*from, "0x");
  if (at == NULL) return false;
  *value = 0;
  for (at += 2;; at++) {
    if (*at >= '0' && *at <= '9') *value = *value << 4 | (uint64_t)(*at - '0');
    else if (*at >= 'a' && *at <= 'f') *value = *value << 4 | (uint64_t)(*at - 'a' + 10);
    else break;
  }
  *from = at;
  return true;
}

mp_place mp_place_of(int tid) {
  char path[64], text[1024];
  mp_place place = {.call = -1};
  path_of(path, tid, "/stat");
  if (mp_read_file(path, text, sizeof text) <= 0) return place;
  const char *end = strrchr(text, ')');
  if (end != NULL && end[1] == ' ') place.state = end[2];
  path_of(path, tid, "/syscall");
  // `running`, or the number, six arguments, stack pointer and pc; -1 and the last two outside of calls.
  if (mp_read_file(path, text, sizeof text) <= 0 || text[0] == 'r' || text[0] == '-') return place;
  const char *at = text;
  uint64_t number;
  if (!mp_parse_number(&at, &number)) return place;
  place.is_in_call = true;
  place.call = (long)number;
  for (int index = 0; index < 6; index++) place.is_in_call &= next_hex(&at, &place.arguments[index]);
  place.is_in_call &= next_hex(&at, &place.sp) && next_hex(&at, &place.pc);
  return place;
}

bool mp_is_traced(void) {
  char text[2048];
  return mp_read_file("/proc/self/status", text, sizeof text) > 0 && mp_number_after(text, "TracerPid:") != 0;
}

bool mp_is_cut_short(const mp_place *place) {
  if (!place->is_in_call) return false;
  if (place->call == SYS_futex) return place->arguments[3] != 0;
  static const short calls[] = {
#if defined(SYS_poll)
    SYS_poll, SYS_select, SYS_pause, SYS_epoll_wait,
#endif
    SYS_ppoll, SYS_pselect6, SYS_epoll_pwait, SYS_nanosleep, SYS_clock_nanosleep, SYS_rt_sigtimedwait,
    SYS_rt_sigsuspend, SYS_msgrcv, SYS_msgsnd, SYS_semop, SYS_semtimedop, SYS_io_getevents,
  };
  for (size_t index = 0; index < sizeof calls / sizeof *calls; index++) {
    if (calls[index] == place->call) return true;
  }
  return false;
}

int mp_lock_owner(const mp_place *place, int tid) {
  if (!place->is_in_call || place->call != SYS_futex) return 0;
  int operation = (int)place->arguments[1] & FUTEX_CMD_MASK;
  if (operation != FUTEX_WAIT && operation != FUTEX_WAIT_BITSET && operation != FUTEX_LOCK_PI) return 0;
  // A lock that keeps its owner in the word itself, as those of the standard library do; else glibc's mutex, which keeps
  // it behind the word and a count.
  uint32_t words[3];
  mp_memory memory = mp_process_memory_reader(&mp_hangs.memory);
  mp_process_memory_flush(&mp_hangs.memory);
  if (!mp_memory_read(&memory, place->arguments[0], words, sizeof words)) return 0;
  int owner = (int)(words[0] & FUTEX_TID_MASK);
  // 1 and 2 are states of a plain mutex.
  if (owner > 2 && owner != tid && mp_is_own_thread(owner)) return owner;
  owner = (int)words[2];
  bool is_mutex = operation == FUTEX_WAIT && words[0] == 2;
  return is_mutex && owner != tid && mp_is_own_thread(owner) ? owner : 0;
}

#endif
