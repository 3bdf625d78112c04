#if defined(__linux__)

#include <string.h>

#include "look.h"

int mp_security_tracer(void) {
  char text[4096];
  long size = mp_read_small("/proc/self/status", text, sizeof text), tracer;
  if (size <= 0 || !mp_status_number(text, (size_t)size, "TracerPid", &tracer)) return -1;
  return (int)tracer;
}

bool mp_security_process_name(int pid, char name[16]) {
  char path[64];
  mp_proc_path(path, pid, "comm");
  long size = mp_read_small(path, name, 16);
  if (size <= 0) return false;
  char *end = strchr(name, '\n');
  if (end != NULL) *end = 0;
  return true;
}

void mp_find_debugger(mp_findings *out) {
  int tracer = mp_security_tracer(), own = mp_security_tracer_child();
  // Where our own tracer is gone, who ended it may have attached already.
  if (tracer < 0 || tracer == own) return;
  mp_finding *finding = mp_add_finding(out, MP_FOUND_DEBUGGER, MP_CERTAIN);
  if (finding == NULL) return;
  finding->value = (uint64_t)tracer;
  if (tracer == 0) return;
  char name[16];
  if (mp_security_process_name(tracer, name)) mp_set_text(finding->text, sizeof finding->text, name);
}

#endif
