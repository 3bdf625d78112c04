#if defined(__linux__)
#define _GNU_SOURCE
#endif
#include "trace.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>

typedef struct {
  void (*body)(void *);
  void *context;
} thread_work;

static void *run_thread(void *argument) {
  const thread_work *work = argument;
  sigset_t none;
  sigemptyset(&none);
  pthread_sigmask(SIG_SETMASK, &none, NULL);
  work->body(work->context);
  return NULL;
}

int mt_on_thread(void (*body)(void *), void *context) {
  pthread_t thread;
  thread_work work = {body, context};
  int error = pthread_create(&thread, NULL, run_thread, &work);
  if (error) return -error;
  pthread_join(thread, NULL);
  return 0;
}

#if defined(__linux__)

#include <elf.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#if defined(__x86_64__)
static const char *const names[] = {
    "r15", "r14", "r13", "r12", "rbp",    "rbx", "r11",    "r10", "r9",      "r8",      "rax", "rcx", "rdx", "rsi",
    "rdi", "orig_rax", "rip", "cs", "rflags", "rsp", "ss", "fs_base", "gs_base", "ds", "es", "fs", "gs"};
#elif defined(__aarch64__)
static const char *const names[] = {
    "x0",  "x1",  "x2",  "x3",  "x4",  "x5",  "x6",  "x7",  "x8",  "x9",  "x10", "x11", "x12", "x13", "x14", "x15", "x16",
    "x17", "x18", "x19", "x20", "x21", "x22", "x23", "x24", "x25", "x26", "x27", "x28", "fp",  "lr",  "sp",  "pc",  "cpsr"};
#else
static const char *const names[] = {"pc"};
#endif

int mt_register_count(void) { return (int)(sizeof names / sizeof *names); }

const char *mt_register_name(int index) {
  return index >= 0 && index < mt_register_count() ? names[index] : "";
}

static int result(long value) { return value < 0 ? -errno : 0; }

int mt_seize(pid_t thread, bool follow) {
  long options = PTRACE_O_TRACEEXEC | PTRACE_O_TRACEEXIT;
  if (follow) options |= PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK | PTRACE_O_TRACECLONE;
  return result(ptrace(PTRACE_SEIZE, thread, NULL, (void *)(follow ? options : 0)));
}

int mt_interrupt(pid_t thread) { return result(ptrace(PTRACE_INTERRUPT, thread, NULL, NULL)); }

int mt_resume(pid_t thread, int signal) {
  return result(ptrace(PTRACE_CONT, thread, NULL, (void *)(long)signal));
}

int mt_listen(pid_t thread) { return result(ptrace(PTRACE_LISTEN, thread, NULL, NULL)); }

int mt_detach(pid_t thread, int signal) {
  return result(ptrace(PTRACE_DETACH, thread, NULL, (void *)(long)signal));
}

int mt_get_registers(pid_t thread, mt_registers *registers) {
  memset(registers, 0, sizeof *registers);
  struct iovec target = {registers->values, sizeof registers->values};
  if (ptrace(PTRACE_GETREGSET, thread, (void *)NT_PRSTATUS, &target) < 0) return -errno;
  registers->count = (int)(target.iov_len / sizeof(uint64_t));
  // A 32-bit program on a 64-bit kernel has registers of another shape.
  return registers->count == mt_register_count() ? 0 : -ENOTSUP;
}

int mt_set_registers(pid_t thread, const mt_registers *registers) {
  struct iovec source = {(void *)(uintptr_t)registers->values, (size_t)registers->count * sizeof(uint64_t)};
  return result(ptrace(PTRACE_SETREGSET, thread, (void *)NT_PRSTATUS, &source));
}

int mt_write_memory(pid_t process, uint64_t address, const void *bytes, size_t size) {
  char path[32];
  snprintf(path, sizeof path, "/proc/%d/mem", process);
  int file = open(path, O_WRONLY | O_CLOEXEC);
  if (file < 0) return -errno;
  ssize_t count = pwrite(file, bytes, size, (off_t)address);
  int error = count < 0 ? -errno : (size_t)count == size ? 0 : -EIO;
  close(file);
  return error;
}

int mt_get_signal(pid_t thread, mt_signal *signal) {
  siginfo_t info;
  memset(&info, 0, sizeof info);
  memset(signal, 0, sizeof *signal);
  if (ptrace(PTRACE_GETSIGINFO, thread, NULL, &info) < 0) return -errno;
  signal->signal = info.si_signo;
  signal->code = info.si_code;
  signal->error = info.si_errno;
  if (info.si_code > 0) {
    signal->address = (uint64_t)(uintptr_t)info.si_addr;
  } else {
    signal->sender = info.si_pid;
  }
  return 0;
}

static int event_of(pid_t thread, int status, mt_event *event) {
  event->thread = thread;
  event->signal = 0;
  event->message = 0;
  if (WIFEXITED(status)) {
    event->kind = mt_event_exited;
    event->message = (uint64_t)WEXITSTATUS(status);
    return 1;
  }
  if (WIFSIGNALED(status)) {
    event->kind = mt_event_killed;
    event->signal = WTERMSIG(status);
    return 1;
  }
  if (!WIFSTOPPED(status)) {
    event->kind = mt_event_other;
    return 1;
  }
  event->signal = WSTOPSIG(status);
  int kind = status >> 16;
  if (kind != 0 && kind != PTRACE_EVENT_STOP) {
    unsigned long message = 0;
    ptrace(PTRACE_GETEVENTMSG, thread, NULL, &message);
    event->message = message;
  }
  switch (kind) {
  case 0: event->kind = mt_event_signal; break;
  case PTRACE_EVENT_FORK:
  case PTRACE_EVENT_VFORK:
  case PTRACE_EVENT_CLONE: event->kind = mt_event_child; break;
  case PTRACE_EVENT_EXEC: event->kind = mt_event_exec; break;
  case PTRACE_EVENT_EXIT: event->kind = mt_event_exit; break;
  case PTRACE_EVENT_STOP: {
    bool group = event->signal == SIGSTOP || event->signal == SIGTSTP || event->signal == SIGTTIN ||
                 event->signal == SIGTTOU;
    event->kind = group ? mt_event_group : mt_event_stop;
    break;
  }
  default: event->kind = mt_event_other;
  }
  return 1;
}

int mt_wait(pid_t thread, bool block, mt_event *event) {
  int status = 0;
  memset(event, 0, sizeof *event);
  // __WNOTHREAD: children of the program's other threads belong to whoever made them.
  pid_t found = waitpid(thread, &status, __WALL | __WNOTHREAD | (block ? 0 : WNOHANG));
  if (found < 0) return -errno;
  return found == 0 ? 0 : event_of(found, status, event);
}

int mt_take_end(pid_t process, mt_event *event) {
  siginfo_t info;
  memset(&info, 0, sizeof info);
  memset(event, 0, sizeof *event);
  // A tracer is told of stops, too, whatever it asks for: so it looks first, and takes an end alone.
  const int options = WEXITED | WNOHANG | __WALL | __WNOTHREAD;
  if (waitid(P_PID, (id_t)process, &info, options | WNOWAIT) < 0) return -errno;
  bool ended = info.si_code == CLD_EXITED || info.si_code == CLD_KILLED || info.si_code == CLD_DUMPED;
  if (info.si_pid == 0 || !ended) return 0;
  if (waitid(P_PID, (id_t)process, &info, options) < 0) return -errno;
  event->thread = info.si_pid;
  bool exited = info.si_code == CLD_EXITED;
  event->kind = exited ? mt_event_exited : mt_event_killed;
  if (exited) event->message = (uint64_t)info.si_status;
  else event->signal = info.si_status;
  return 1;
}

long mt_read_memory(pid_t process, uint64_t address, void *target, size_t size) {
  struct iovec local = {target, size};
  struct iovec remote = {(void *)(uintptr_t)address, size};
  long count = process_vm_readv(process, &local, 1, &remote, 1, 0);
  return count < 0 ? -errno : count;
}

#else

int mt_register_count(void) { return 0; }
const char *mt_register_name(int index) { return ""; }
int mt_seize(pid_t thread, bool follow) { return -ENOTSUP; }
int mt_interrupt(pid_t thread) { return -ENOTSUP; }
int mt_resume(pid_t thread, int signal) { return -ENOTSUP; }
int mt_listen(pid_t thread) { return -ENOTSUP; }
int mt_detach(pid_t thread, int signal) { return -ENOTSUP; }
int mt_get_registers(pid_t thread, mt_registers *registers) { return -ENOTSUP; }
int mt_set_registers(pid_t thread, const mt_registers *registers) { return -ENOTSUP; }
int mt_get_signal(pid_t thread, mt_signal *signal) { return -ENOTSUP; }
int mt_write_memory(pid_t process, uint64_t address, const void *bytes, size_t size) { return -ENOTSUP; }
int mt_wait(pid_t thread, bool block, mt_event *event) { return -ENOTSUP; }
int mt_take_end(pid_t process, mt_event *event) { return -ENOTSUP; }
long mt_read_memory(pid_t process, uint64_t address, void *target, size_t size) { return -ENOTSUP; }

#endif
