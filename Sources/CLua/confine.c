// What a process that runs a patch from the command line gives up.

#include "mp_lua.h"

#include <sys/resource.h>

static void limit(int resource, rlim_t value) {
  struct rlimit limits = {.rlim_cur = value, .rlim_max = value};
  setrlimit(resource, &limits);
}

void mp_confine(unsigned seconds, unsigned long long address_space) {
  limit(RLIMIT_CPU, seconds);
  limit(RLIMIT_FSIZE, 0);
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_NOFILE, 0);
  limit(RLIMIT_AS, (rlim_t)address_space);
#ifdef RLIMIT_NPROC
  limit(RLIMIT_NPROC, 0);
#endif
}
