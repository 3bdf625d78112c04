// The rights that a process gives up which runs a patch from the command line.
//
// Sources: seccomp(2), prctl(2) and getrlimit(2) of Linux; struct sock_filter of linux/filter.h.

#if defined(__linux__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE
#endif

#include "mp_lua.h"

#include <errno.h>
#include <sys/resource.h>
#include <unistd.h>

#if defined(__linux__)
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#endif

static void limit(int resource, rlim_t value) {
  struct rlimit limits = {.rlim_cur = value, .rlim_max = value};
  setrlimit(resource, &limits);
}

#if defined(__linux__)

#if defined(__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

#if defined(ARCHITECTURE)

// Memory, time, locks and the end of the process: calls that reach nothing outside of it, whatever their arguments are.
static const unsigned harmless[] = {
    SYS_brk,           SYS_munmap,       SYS_mremap,          SYS_madvise,     SYS_futex,  SYS_sched_yield,
    SYS_clock_gettime, SYS_clock_getres, SYS_clock_nanosleep, SYS_nanosleep,   SYS_gettid, SYS_getpid,
    SYS_getrandom,     SYS_gettimeofday, SYS_exit,            SYS_exit_group,  SYS_read,   SYS_fstat,
    SYS_rt_sigreturn,  SYS_sigaltstack,  SYS_restart_syscall,
};

enum { longest_filter = 128 };

typedef struct filter {
  struct sock_filter steps[longest_filter];
  unsigned short count;
} filter;

static void add(filter *filter, unsigned short code, unsigned k, unsigned char yes, unsigned char no) {
  if (filter->count < longest_filter)
    filter->steps[filter->count++] = (struct sock_filter){.code = code, .jt = yes, .jf = no, .k = k};
}

static void load(filter *filter, size_t offset) { add(filter, BPF_LD | BPF_W | BPF_ABS, (unsigned)offset, 0, 0); }

static void answer(filter *filter, unsigned action) { add(filter, BPF_RET | BPF_K, action, 0, 0); }

static void refuse(filter *filter) { answer(filter, SECCOMP_RET_ERRNO | EPERM); }

// The place of the lower half of an argument, which holds all of an int.
static size_t argument(unsigned index) { return offsetof(struct seccomp_data, args) + index * 8; }

static void allow(filter *filter, unsigned call) {
  add(filter, BPF_JMP | BPF_JEQ | BPF_K, call, 0, 1);
  answer(filter, SECCOMP_RET_ALLOW);
}

// Allows a call whose first argument is one of two numbers.
static void allow_first(filter *filter, unsigned call, unsigned one, unsigned other) {
  add(filter, BPF_JMP | BPF_JEQ | BPF_K, call, 0, 5);
  load(filter, argument(0));
  add(filter, BPF_JMP | BPF_JEQ | BPF_K, one, 1, 0);
  add(filter, BPF_JMP | BPF_JEQ | BPF_K, other, 0, 1);
  answer(filter, SECCOMP_RET_ALLOW);
  refuse(filter);
}

// Allows a call that gives memory rights, as long as code is not among them: its third argument.
static void allow_data(filter *filter, unsigned call) {
  add(filter, BPF_JMP | BPF_JEQ | BPF_K, call, 0, 4);
  load(filter, argument(2));
  add(filter, BPF_JMP | BPF_JSET | BPF_K, PROT_EXEC, 1, 0);
  answer(filter, SECCOMP_RET_ALLOW);
  refuse(filter);
}

static int refuse_calls(void) {
  filter filter = {.count = 0};
  // Another processor's numbers for the calls, and those of x32, mean other calls.
  load(&filter, offsetof(struct seccomp_data, arch));
  add(&filter, BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0);
  answer(&filter, SECCOMP_RET_KILL_PROCESS);
  load(&filter, offsetof(struct seccomp_data, nr));
  for (unsigned index = 0; index < sizeof harmless / sizeof *harmless; index++) allow(&filter, harmless[index]);
  allow_first(&filter, SYS_write, STDOUT_FILENO, STDERR_FILENO);
  allow_first(&filter, SYS_writev, STDOUT_FILENO, STDERR_FILENO);
  // An abort of the process is a signal to itself.
  allow_first(&filter, SYS_tgkill, (unsigned)getpid(), (unsigned)getpid());
  allow_data(&filter, SYS_mmap);
  allow_data(&filter, SYS_mprotect);
  refuse(&filter);
  if (filter.count >= longest_filter) return E2BIG;
  struct sock_fprog program = {.len = filter.count, .filter = filter.steps};
  long failed = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program);
  return failed == 0 ? 0 : failed > 0 ? EBUSY : errno;
}

#else

static int refuse_calls(void) { return ENOSYS; }

#endif

static int confine_calls(unsigned seconds) {
  // A process that waits uses no CPU time: its alarm cannot be taken away, since neither signals nor timers can be set.
  signal(SIGALRM, SIG_DFL);
  alarm(seconds * 20);
  prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
  prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
  for (int descriptor = STDERR_FILENO + 1; descriptor < 1 << 16; descriptor++) {
#if defined(SYS_close_range)
    if (syscall(SYS_close_range, descriptor, ~0u, 0) == 0) break;
#endif
    close(descriptor);
  }
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return errno;
  return refuse_calls();
}

#else

static int confine_calls(unsigned seconds) {
  alarm(seconds * 20);
  for (int descriptor = STDERR_FILENO + 1; descriptor < 1 << 12; descriptor++) close(descriptor);
  return 0;
}

#endif

int mp_confine(unsigned seconds, unsigned long long address_space) {
  limit(RLIMIT_CPU, seconds);
  limit(RLIMIT_FSIZE, 0);
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_NOFILE, 0);
  limit(RLIMIT_AS, (rlim_t)address_space);
#ifdef RLIMIT_NPROC
  limit(RLIMIT_NPROC, 0);
#endif
  return confine_calls(seconds);
}
