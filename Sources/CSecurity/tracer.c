#if defined(__linux__)
#define _GNU_SOURCE

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "look.h"
#include "mp_numbers.h"

static _Atomic int child;
/// The process that started it: a fork of it has none.
static _Atomic int owner;

int mp_security_tracer_child(void) {
  return atomic_load(&owner) == getpid() ? atomic_load(&child) : 0;
}

/// Closes all but two descriptors: the parent's files and sockets are not the child's to hold.
static void close_others(int one, int other) {
  unsigned low = (unsigned)(one < other ? one : other), high = (unsigned)(one < other ? other : one);
  if (low > 0) syscall(SYS_close_range, 0u, low - 1, 0u);
  if (high - low > 1) syscall(SYS_close_range, low + 1, high - 1, 0u);
  syscall(SYS_close_range, high + 1, ~0u, 0u);
}

/// Threads that are being seized.
typedef struct {
  int count;
  bool all;
} seizure;

static bool seize_thread(void *context, int thread) {
  seizure *seizure = context;
  // EPERM: it is ours already, by the clone of a thread that is.
  if (ptrace(PTRACE_SEIZE, thread, NULL, (void *)(intptr_t)PTRACE_O_TRACECLONE) == 0) seizure->count++;
  else if (errno != EPERM && errno != ESRCH) seizure->all = false;
  return true;
}

/// Seizes each thread that is not traced yet, and adds their number to `count`; false where one could not be.
static bool seize(int process, int *count) {
  char path[64];
  mp_proc_path(path, process, "task");
  seizure seizure = {*count, true};
  if (mp_numbers_each(path, seize_thread, &seizure) != 0) return false;
  *count = seizure.count;
  return seizure.all;
}

/// Lets the parent's threads go on as they would untraced, until the last of them ends.
static void attend(int process) {
  int status;
  for (;;) {
    int thread = waitpid(-1, &status, __WALL);
    if (thread < 0) {
      if (errno == EINTR) continue;
      _exit(0);
    }
    if (WIFEXITED(status) || WIFSIGNALED(status)) {
      if (thread == process) _exit(0);
      continue;
    }
    int event = status >> 16, signal = WSTOPSIG(status);
    if (event == PTRACE_EVENT_STOP) {
      // A group stop stays one: the process was told to stop.
      bool is_stop = signal == SIGSTOP || signal == SIGTSTP || signal == SIGTTIN || signal == SIGTTOU;
      ptrace(is_stop ? PTRACE_LISTEN : PTRACE_CONT, thread, NULL, NULL);
    } else {
      ptrace(PTRACE_CONT, thread, NULL, (void *)(intptr_t)(event != 0 ? 0 : signal));
    }
  }
}

static void be_tracer(int process, int from, int to) {
  char byte;
  close_others(from, to);
  // All that the parent would want to be told by signals, it is told itself.
  sigset_t all;
  sigfillset(&all);
  sigprocmask(SIG_SETMASK, &all, NULL);
  // The parent has allowed it by now.
  if (read(from, &byte, 1) != 1) _exit(1);
  int count = 0;
  bool done = seize(process, &count) && seize(process, &count) && count > 0;
  byte = done ? 0 : (char)(count == 0 ? EPERM : errno);
  if (write(to, &byte, 1) != 1 || !done) _exit(1);
  close(from);
  close(to);
  attend(process);
}

int mp_security_tracer_start(void) {
  if (mp_security_tracer_child() != 0) return EALREADY;
  if (mp_security_tracer() > 0) return EBUSY;
  int down[2], up[2];
  if (pipe2(down, O_CLOEXEC) != 0) return errno;
  if (pipe2(up, O_CLOEXEC) != 0) {
    int failure = errno;
    close(down[0]), close(down[1]);
    return failure;
  }
  int process = getpid();
  int helper = fork();
  if (helper == 0) {
    be_tracer(process, down[0], up[1]);
    _exit(1);
  }
  int failure = helper < 0 ? errno : 0;
  close(down[0]), close(up[1]);
  char byte = 0;
  if (failure == 0) {
    // Yama: only those that a process names may trace it, besides its ancestors.
    prctl(PR_SET_PTRACER, (unsigned long)helper, 0, 0, 0);
    ssize_t count = write(down[1], &byte, 1);
    do count = read(up[0], &byte, 1);
    while (count < 0 && errno == EINTR);
    failure = count != 1 ? EPERM : byte;
  }
  close(down[1]), close(up[0]);
  if (failure == 0) {
    atomic_store(&child, helper);
    atomic_store(&owner, process);
  } else if (helper > 0) {
    kill(helper, SIGKILL);
    waitpid(helper, NULL, 0);
  }
  return failure;
}

int mp_security_tracer_stop(void) {
  int helper = mp_security_tracer_child();
  if (helper == 0) return ESRCH;
  atomic_store(&child, 0);
  // The kernel lets go of what an ended process traced.
  if (kill(helper, SIGKILL) != 0) return errno;
  while (waitpid(helper, NULL, 0) < 0 && errno == EINTR) {
  }
  return 0;
}

#endif
