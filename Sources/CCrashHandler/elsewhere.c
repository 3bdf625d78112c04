/// The same functions where crashes cannot be caught: they say so, and do nothing.
#if !defined(__linux__)

#include <errno.h>
#include <stddef.h>

#include "crash_reporter.h"
#include "mp_crash.h"

mp_crash_result mp_crash_install(const mp_crash_configuration *configuration) {
  (void)configuration;
  return (mp_crash_result){MP_CRASH_UNSUPPORTED, ENOTSUP};
}

void mp_crash_set_user(const char *hash) {
  (void)hash;
}

bool mp_crash_uses_libunwind(void) {
  return false;
}

int enable_crash_reporter_service(void) {
  return ENOTSUP;
}

void crash_reporter_leave_breadcrumb(const char *name) {
  (void)name;
}

#endif
