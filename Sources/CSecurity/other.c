// Systems whose images are read otherwise (apple.c), or not at all.
#include "look.h"

#if !defined(MP_LOOKS_AT_ELF)

#include <errno.h>
#include <string.h>

int mp_security_function(void *memory, const char *name, const char *library, mp_function *out) {
  (void)memory, (void)name, (void)library;
  memset(out, 0, sizeof *out);
  return ENOTSUP;
}

#if !defined(__APPLE__)

int mp_security_check(void *memory, unsigned checks, mp_findings *out) {
  (void)memory, (void)checks, (void)out;
  return ENOTSUP;
}

int mp_security_is_foreign(const void *address) {
  (void)address;
  return -1;
}

int mp_security_code(void *memory, const void *address, mp_function *out) {
  (void)memory, (void)address;
  memset(out, 0, sizeof *out);
  return ENOTSUP;
}

int mp_security_text(
  void *memory, void *context, void (*take)(void *context, const void *in_memory, const void *in_file, size_t size),
  mp_difference *out) {
  (void)memory, (void)context, (void)take;
  memset(out, 0, sizeof *out);
  return ENOTSUP;
}

bool mp_security_is_static(void *memory, const void *address, size_t size) {
  (void)memory, (void)address, (void)size;
  return false;
}
#endif

#endif

#if !defined(__linux__)

#include <errno.h>
#include <string.h>

#if !defined(__APPLE__)
int mp_security_tracer(void) {
  return -1;
}

void mp_security_environment(mp_environment *out) {
  memset(out, 0, sizeof *out);
  out->is_root = out->ptrace_scope = out->is_container = out->is_restricted = -1;
}
#endif

bool mp_security_process_name(int pid, char name[16]) {
  (void)pid;
  name[0] = 0;
  return false;
}

bool mp_security_is_frida_port(uint16_t port, int limit_milliseconds) {
  (void)port, (void)limit_milliseconds;
  return false;
}

int mp_security_tracer_start(void) {
  return ENOTSUP;
}

int mp_security_tracer_stop(void) {
  return ESRCH;
}

int mp_security_tracer_child(void) {
  return 0;
}

#endif
