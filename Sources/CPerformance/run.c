#if !defined(_GNU_SOURCE)
#define _GNU_SOURCE
#endif

#include "mp_run.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "mp_text.h"

_Static_assert(sizeof(mp_run) <= MP_RUN_SIZE, "the notes fit their file");

static mp_run *volatile shared;
static pid_t owner;

enum { ENDING_COUNT = 4 };
static const int endings[ENDING_COUNT] = {SIGHUP, SIGINT, SIGTERM, SIGXCPU};
static struct sigaction earlier[ENDING_COUNT];

static int64_t now(void) {
  struct timespec time = {0};
  clock_gettime(CLOCK_REALTIME, &time);
  return (int64_t)time.tv_sec * 1000000 + time.tv_nsec / 1000;
}

static void note_end(int status) {
  mp_run *run = shared;
  // A forked child shares the memory, and is somebody else.
  if (run == NULL || getpid() != owner || run->has_exited != 0) return;
  run->status = status;
  run->seen = now();
  run->has_exited = 1;
}

#if defined(__linux__)
static void at_exit(int status, void *nothing) {
  (void)nothing;
  note_end(status);
}
#else
static void at_exit(void) {
  note_end(-1);
}
#endif

static void on_end(int number, siginfo_t *info, void *context) {
  int saved = errno;
  mp_run *run = shared;
  if (run != NULL && getpid() == owner) {
    run->signal = (uint32_t)number;
    run->seen = now();
  }
  for (int index = 0; index < ENDING_COUNT; index++) {
    if (endings[index] != number) continue;
    const struct sigaction *before = &earlier[index];
    if (before->sa_flags & SA_SIGINFO) {
      before->sa_sigaction(number, info, context);
    } else if (before->sa_handler != SIG_DFL && before->sa_handler != SIG_IGN) {
      before->sa_handler(number);
    } else if (before->sa_handler == SIG_DFL) {
      sigaction(number, before, NULL);
      raise(number);
    }
  }
  errno = saved;
}

static void take_signals(void) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_sigaction = on_end;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART;
  sigemptyset(&action.sa_mask);
  for (int index = 0; index < ENDING_COUNT; index++) {
    if (sigaction(endings[index], NULL, &earlier[index]) != 0) continue;
    // What is ignored may be heard in another way.
    bool is_ignored = (earlier[index].sa_flags & SA_SIGINFO) == 0 && earlier[index].sa_handler == SIG_IGN;
    if (!is_ignored) sigaction(endings[index], &action, NULL);
  }
}

mp_run *mp_run_begin(const char *path, const mp_run *notes) {
  if (shared != NULL) {
    errno = EALREADY;
    return NULL;
  }
  int file = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (file < 0) return NULL;
  void *memory = MAP_FAILED;
  if (ftruncate(file, MP_RUN_SIZE) == 0) {
    memory = mmap(NULL, MP_RUN_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  }
  int saved = errno;
  close(file);
  errno = saved;
  if (memory == MAP_FAILED) return NULL;
  mp_run *run = memory;
  *run = *notes;
  memcpy(run->magic, MP_RUN_MAGIC, sizeof run->magic);
  run->version = 1;
  run->pid = (uint32_t)getpid();
  run->seen = now();
  owner = getpid();
  shared = run;
#if defined(__linux__)
  on_exit(at_exit, NULL);
#else
  atexit(at_exit);
#endif
  take_signals();
  return run;
}

#if defined(__linux__)

/// The path of a file of the process' own group in the second version of control groups.
static bool group_path(char *to, size_t capacity, const char *file) {
  char text[1024];
  if (mp_read_file("/proc/self/cgroup", text, sizeof text) <= 0) return false;
  const char *line = strstr(text, "0::");
  if (line == NULL) return false;
  char group[512];
  size_t length = strcspn(line + 3, "\n");
  if (length >= sizeof group) return false;
  memcpy(group, line + 3, length);
  group[length] = 0;
  mp_text path = mp_text_in(to, capacity);
  mp_text_add(&path, "/sys/fs/cgroup");
  mp_text_add(&path, strcmp(group, "/") == 0 ? "" : group);
  mp_text_add(&path, "/");
  mp_text_add(&path, file);
  return true;
}

uint64_t mp_run_group_kills(void) {
  char path[640], text[1024];
  if (!group_path(path, sizeof path, "memory.events") || mp_read_file(path, text, sizeof text) <= 0) return 0;
  return mp_number_after(text, "oom_kill ");
}

void mp_run_note_memory(mp_run *run) {
  char path[640], text[4096];
  uint64_t pages = 0;
  if (mp_read_file("/proc/self/statm", text, sizeof text) > 0) {
    const char *at = text;
    if (mp_parse_number(&at, &pages) && mp_parse_number(&at, &pages)) {
      run->resident = pages * (uint64_t)sysconf(_SC_PAGESIZE);
    }
  }
  if (mp_read_file("/proc/meminfo", text, sizeof text) > 0) {
    run->available = mp_number_after(text, "MemAvailable:") * 1024;
    run->total = mp_number_after(text, "MemTotal:") * 1024;
  }
  if (group_path(path, sizeof path, "memory.max") && mp_read_file(path, text, sizeof text) > 0) {
    const char *at = text;
    uint64_t limit;
    run->limit = text[0] != 'm' && mp_parse_number(&at, &limit) ? limit : 0;
  }
  run->seen = now();
}

#else

uint64_t mp_run_group_kills(void) {
  return 0;
}

void mp_run_note_memory(mp_run *run) {
  run->seen = now();
}

#endif
