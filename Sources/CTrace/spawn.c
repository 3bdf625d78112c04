#if defined(__linux__)
#define _GNU_SOURCE
#endif
#include "trace.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "words.h"

#if defined(__linux__)

/// Does the child's work between fork and exec: only async-signal-safe calls, as the parent has several threads.
static void __attribute__((noreturn)) become(const mt_command *command, int gate) {
  char go;
  ssize_t count;
  while ((count = read(gate, &go, 1)) < 0 && errno == EINTR) {}
  if (count != 1) _exit(127);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  // The command ignores SIGPIPE for itself; a program expects the default.
  signal(SIGPIPE, SIG_DFL);
  int error = 0;
  if (command->output >= 0) {
    dup2(command->output, STDOUT_FILENO);
    dup2(command->output, STDERR_FILENO);
  }
  if (command->words && mt_words_install(command->words) < 0) {
    error = EIO;
  } else {
    execvpe(command->program, command->arguments, command->environment);
    error = errno;
  }
  while (write(gate, &error, sizeof error) < 0 && errno == EINTR) {}
  _exit(error == ENOENT ? 127 : 126);
}

pid_t mt_fork(const mt_command *command, int *gate) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) < 0) return -errno;
  pid_t child = fork();
  if (child < 0) {
    int error = errno;
    close(ends[0]);
    close(ends[1]);
    return -error;
  }
  if (child == 0) {
    close(ends[0]);
    become(command, ends[1]);
  }
  close(ends[1]);
  *gate = ends[0];
  return child;
}

int mt_launch(int gate) {
  ssize_t count;
  while ((count = send(gate, "g", 1, MSG_NOSIGNAL)) < 0 && errno == EINTR) {}
  return count == 1 ? 0 : -errno;
}

int mt_launch_error(int gate) {
  int error = 0;
  ssize_t count = recv(gate, &error, sizeof error, MSG_DONTWAIT);
  close(gate);
  return count == (ssize_t)sizeof error ? -error : 0;
}

void mt_abandon(pid_t child, int gate) {
  close(gate);
  kill(child, SIGKILL);
  while (waitpid(child, NULL, __WALL) < 0 && errno == EINTR) {}
}

#else

pid_t mt_fork(const mt_command *command, int *gate) { return -ENOTSUP; }
int mt_launch(int gate) { return -ENOTSUP; }
int mt_launch_error(int gate) { return -ENOTSUP; }
void mt_abandon(pid_t child, int gate) {}

#endif

extern char **environ;

char **mt_environment_adding(const char *assignment) {
  size_t count = 0, name = strcspn(assignment, "=") + 1;
  bool known = false;
  for (; environ && environ[count]; count++) {
    if (strncmp(environ[count], assignment, name) == 0) known = true;
  }
  char **copy = calloc(count + 2, sizeof *copy);
  if (!copy) return NULL;
  if (count) memcpy(copy, environ, count * sizeof *copy);
  if (!known) copy[count] = (char *)(uintptr_t)assignment;
  return copy;
}

static const int forwarded[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2, SIGWINCH, SIGCONT};
enum { forwarded_count = sizeof forwarded / sizeof *forwarded };

static atomic_int forward_target;
static atomic_int forward_senders[65];
static struct sigaction earlier[forwarded_count];

static void forward(int signal, siginfo_t *info, void *context) {
  (void)context;
  int saved = errno;
  pid_t target = atomic_load(&forward_target);
  // A code above 0 is the kernel's: the terminal sent it to the whole foreground group, the program has it already.
  if (target > 0 && info->si_code <= 0 && info->si_pid != target) {
    atomic_store(&forward_senders[signal], info->si_pid);
    kill(target, signal);
  }
  errno = saved;
}

int mt_forward_start(pid_t target) {
  int none = 0;
  if (!atomic_compare_exchange_strong(&forward_target, &none, target)) return -EBUSY;
  for (int i = 0; i < forwarded_count; i++) {
    atomic_store(&forward_senders[forwarded[i]], 0);
    sigaction(forwarded[i], NULL, &earlier[i]);
    if (!(earlier[i].sa_flags & SA_SIGINFO) && earlier[i].sa_handler == SIG_IGN) continue;
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_sigaction = forward;
    action.sa_flags = SA_SIGINFO | SA_RESTART;
    sigfillset(&action.sa_mask);
    sigaction(forwarded[i], &action, NULL);
  }
  return 0;
}

pid_t mt_forward_sender(int signal) {
  return signal > 0 && signal < 65 ? atomic_load(&forward_senders[signal]) : 0;
}

void mt_forward_stop(void) {
  if (atomic_load(&forward_target) == 0) return;
  // A signal of the terminal to the whole group may still be on its way while the program has ended of it already.
  sigset_t set, before;
  sigemptyset(&set);
  for (int i = 0; i < forwarded_count; i++) sigaddset(&set, forwarded[i]);
  pthread_sigmask(SIG_BLOCK, &set, &before);
  struct timespec moment = {.tv_nsec = 2000000};
  while (sigtimedwait(&set, NULL, &moment) > 0) {
  }
  for (int i = 0; i < forwarded_count; i++) sigaction(forwarded[i], &earlier[i], NULL);
  atomic_store(&forward_target, 0);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
}
