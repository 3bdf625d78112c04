#include "trace_probe.h"

#include <errno.h>

#if defined(__linux__)
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

int mp_trace_probe(void) {
  pid_t child = fork();
  if (child < 0) return errno;
  if (child == 0) {
    for (;;) pause();
  }
  int problem = 0;
  if (ptrace(PTRACE_SEIZE, child, 0, 0) != 0) problem = errno;
  kill(child, SIGKILL);
  while (waitpid(child, 0, 0) < 0 && errno == EINTR) {
  }
  return problem;
}
#else
int mp_trace_probe(void) { return ENOTSUP; }
#endif
