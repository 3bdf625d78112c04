#define _GNU_SOURCE
#include "tunnel.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#if defined(__linux__)

#include <sched.h>
#include <sys/mount.h>
#include <sys/prctl.h>

// Services that answer names by a socket in the file system, which no network namespace shuts off.
static const char *const name_services[] = {"/run/systemd/resolve", "/run/nscd", "/var/run/nscd"};

static int hide_name_services(const char *real_resolver) {
  for (size_t index = 0; index < sizeof name_services / sizeof *name_services; index++) {
    struct stat status;
    if (stat(name_services[index], &status) < 0 || !S_ISDIR(status.st_mode)) continue;
    if (mount("none", name_services[index], "tmpfs", MS_NOSUID | MS_NODEV, "size=64k,mode=755") < 0) return -1;
    size_t length = strlen(name_services[index]);
    if (strncmp(real_resolver, name_services[index], length) == 0 && real_resolver[length] == '/') {
      // /etc/resolv.conf leads into what is hidden now: there must be something to put ours over.
      int file = open(real_resolver, O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
      if (file >= 0) close(file);
    }
  }
  return 0;
}

static int put_resolver(const char *file, const char *real_resolver) {
  if (unshare(CLONE_NEWNS) < 0) return -1;
  if (mount("", "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0) return -1;
  if (hide_name_services(real_resolver) < 0) return -1;
  return mount(file, real_resolver, NULL, MS_BIND, NULL);
}

static int follow_parent(int death_signal, pid_t parent) {
  if (!death_signal) return 0;
  if (prctl(PR_SET_PDEATHSIG, death_signal, 0, 0, 0) < 0) return -1;
  if (getppid() != parent) raise(death_signal);
  return 0;
}

#else

static int put_resolver(const char *file, const char *real_resolver) {
  (void)file, (void)real_resolver;
  errno = ENOSYS;
  return -1;
}

static int follow_parent(int death_signal, pid_t parent) {
  (void)death_signal, (void)parent;
  return 0;
}

#endif

static void default_signals(void) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = SIG_DFL;
  for (int number = 1; number < NSIG; number++)
    if (number != SIGKILL && number != SIGSTOP) sigaction(number, &action, NULL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
}

static void become(const struct mpaas_child *child, const char *real_resolver, pid_t parent, int report) {
  default_signals();
  int failed = 0;
  if (child->resolver) failed = put_resolver(child->resolver, real_resolver) < 0;
  if (!failed && child->user)
    failed = initgroups(child->user, child->gid) < 0 || setgid(child->gid) < 0 || setuid(child->uid) < 0;
  // After the change of identity, which clears it.
  if (!failed) failed = follow_parent(child->death_signal, parent) < 0;
  if (!failed) {
#if defined(__linux__)
    execvpe(child->arguments[0], child->arguments, child->environment);
#else
    extern char **environ;
    environ = (char **)child->environment;
    execvp(child->arguments[0], child->arguments);
#endif
  }
  int error = errno;
  ssize_t written = write(report, &error, sizeof error);
  (void)written;
  _exit(127);
}

pid_t mpaas_child_start(const struct mpaas_child *child) {
  int ends[2];
  if (pipe(ends) < 0) return -errno;
  fcntl(ends[0], F_SETFD, FD_CLOEXEC);
  fcntl(ends[1], F_SETFD, FD_CLOEXEC);
  char real_resolver[PATH_MAX] = "";
  if (child->resolver && !realpath("/etc/resolv.conf", real_resolver)) {
    int error = errno;
    close(ends[0]);
    close(ends[1]);
    return -error;
  }
  pid_t parent = getpid();
  pid_t process = fork();
  if (process == 0) become(child, real_resolver, parent, ends[1]);
  int error = process < 0 ? errno : 0;
  close(ends[1]);
  if (process > 0) {
    ssize_t count;
    do count = read(ends[0], &error, sizeof error);
    while (count < 0 && errno == EINTR);
    if (count == (ssize_t)sizeof error) {
      int status;
      mpaas_child_wait(process, &status);
    } else {
      error = 0;
    }
  }
  close(ends[0]);
  return error ? -error : process;
}

static const int held_signals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
static volatile pid_t forwarded_to;
static volatile sig_atomic_t pending;

static void forward(int number, siginfo_t *info, void *context) {
  (void)context;
  int error = errno;
  if (forwarded_to == 0) pending = number;
  // The terminal has told the child already: both are of its foreground group.
  if (forwarded_to > 0 && info->si_code <= 0) kill(forwarded_to, number);
  errno = error;
}

void mpaas_child_hold_signals(void) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_sigaction = forward;
  action.sa_flags = SA_SIGINFO | SA_RESTART;
  forwarded_to = 0;
  pending = 0;
  for (size_t index = 0; index < sizeof held_signals / sizeof *held_signals; index++)
    sigaction(held_signals[index], &action, NULL);
}

void mpaas_child_forward_signals(pid_t process) {
  forwarded_to = process > 0 ? process : -1;
  if (process > 0 && pending) kill(process, pending);
}

void mpaas_child_release_signals(void) {
  for (size_t index = 0; index < sizeof held_signals / sizeof *held_signals; index++)
    signal(held_signals[index], SIG_DFL);
}

int mpaas_child_wait(pid_t process, int *status) {
  while (waitpid(process, status, 0) < 0)
    if (errno != EINTR) return -errno;
  return 0;
}
