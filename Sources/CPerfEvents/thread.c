#if defined(__linux__)
#define _GNU_SOURCE
#endif
#include "mp_thread.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

static uint64_t used_time(int who) {
  struct rusage usage;
  if (getrusage(who, &usage) < 0) return 0;
  uint64_t seconds = (uint64_t)usage.ru_utime.tv_sec + (uint64_t)usage.ru_stime.tv_sec;
  uint64_t rest = (uint64_t)usage.ru_utime.tv_usec + (uint64_t)usage.ru_stime.tv_usec;
  return seconds * 1000000000u + rest * 1000u;
}

uint64_t mp_own_time(void) { return used_time(RUSAGE_SELF); }

uint64_t mp_children_time(void) { return used_time(RUSAGE_CHILDREN); }

#if defined(__linux__)

#include <fcntl.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

static int open_file(int process, int thread, const char *name) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/task/%d/%s", process, thread, name);
  return open(path, O_RDONLY | O_CLOEXEC);
}

mp_thread_files mp_thread_open(int process, int thread) {
  return (mp_thread_files){open_file(process, thread, "schedstat"), open_file(process, thread, "stat")};
}

void mp_thread_close(mp_thread_files files) {
  if (files.schedule >= 0) close(files.schedule);
  if (files.status >= 0) close(files.status);
}

static bool read_text(int file, char *text, size_t size) {
  if (file < 0) return false;
  ssize_t count = pread(file, text, size - 1, 0);
  if (count <= 0) return false;
  text[count] = 0;
  return true;
}

bool mp_thread_slices(mp_thread_files files, uint64_t *slices, uint64_t *nanoseconds) {
  char text[96], *end;
  if (!read_text(files.schedule, text, sizeof text)) return false;
  *nanoseconds = strtoull(text, &end, 10);
  strtoull(end, &end, 10);
  *slices = strtoull(end, &end, 10);
  // Kernels without these counts write zeros.
  return *slices != 0;
}

char mp_thread_state(mp_thread_files files) {
  char text[512];
  if (!read_text(files.status, text, sizeof text)) return 0;
  // The name before it may hold anything.
  const char *close = strrchr(text, ')');
  return close != NULL && close[1] == ' ' ? close[2] : 0;
}

uint64_t mp_thread_epoch(mp_thread_files files) {
  char text[512];
  if (!read_text(files.status, text, sizeof text)) return 0;
  char *at = strrchr(text, ')');
  // The 28th field, where the name is the second: proc_pid_stat(5).
  for (int field = 2; at != NULL && field < 28; field++) at = strchr(at + 1, ' ');
  return at == NULL ? 0 : strtoull(at, NULL, 10);
}

uint64_t mp_process_time(int process) {
  clockid_t clock;
  struct timespec time;
  if (clock_getcpuclockid(process, &clock) != 0 || clock_gettime(clock, &time) != 0) return 0;
  return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

long mp_copy_memory(int process, uint64_t address, void *to, uint64_t size) {
  struct iovec local = {to, (size_t)size};
  struct iovec remote = {(void *)(uintptr_t)address, (size_t)size};
  long count = syscall(SYS_process_vm_readv, (long)process, &local, 1L, &remote, 1L, 0L);
  return count < 0 ? 0 : count;
}

const char *mp_system_call_name(int64_t number) {
  switch (number) {
#define CALL(name) \
  case SYS_##name: return #name;
#ifdef SYS_poll
    CALL(poll)
    CALL(select)
    CALL(epoll_wait)
    CALL(pause)
    CALL(open)
#endif
    CALL(read)
    CALL(write)
    CALL(readv)
    CALL(writev)
    CALL(pread64)
    CALL(pwrite64)
    CALL(preadv)
    CALL(pwritev)
    CALL(openat)
    CALL(close)
    CALL(fsync)
    CALL(fdatasync)
    CALL(sync)
    CALL(sync_file_range)
    CALL(msync)
    CALL(flock)
    CALL(fcntl)
    CALL(ioctl)
    CALL(futex)
    CALL(nanosleep)
    CALL(clock_nanosleep)
    CALL(ppoll)
    CALL(pselect6)
    CALL(epoll_pwait)
    CALL(accept)
    CALL(accept4)
    CALL(connect)
    CALL(recvfrom)
    CALL(recvmsg)
    CALL(recvmmsg)
    CALL(sendto)
    CALL(sendmsg)
    CALL(sendmmsg)
    CALL(sendfile)
    CALL(splice)
    CALL(wait4)
    CALL(waitid)
    CALL(rt_sigtimedwait)
    CALL(rt_sigsuspend)
    CALL(semtimedop)
    CALL(msgrcv)
    CALL(msgsnd)
    CALL(mq_timedreceive)
    CALL(io_getevents)
    CALL(io_uring_enter)
    CALL(sched_yield)
    CALL(getdents64)
    CALL(unlinkat)
    CALL(copy_file_range)
    CALL(restart_syscall)
#undef CALL
  default: return NULL;
  }
}

#else

mp_thread_files mp_thread_open(int process, int thread) {
  (void)process, (void)thread;
  return (mp_thread_files){-1, -1};
}

void mp_thread_close(mp_thread_files files) { (void)files; }

bool mp_thread_slices(mp_thread_files files, uint64_t *slices, uint64_t *nanoseconds) {
  (void)files, (void)slices, (void)nanoseconds;
  return false;
}

char mp_thread_state(mp_thread_files files) {
  (void)files;
  return 0;
}

uint64_t mp_thread_epoch(mp_thread_files files) {
  (void)files;
  return 0;
}

uint64_t mp_process_time(int process) {
  (void)process;
  return 0;
}

const char *mp_system_call_name(int64_t number) {
  (void)number;
  return NULL;
}

long mp_copy_memory(int process, uint64_t address, void *to, uint64_t size) {
  (void)process, (void)address, (void)to, (void)size;
  return 0;
}

#endif
