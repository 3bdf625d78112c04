#if defined(__linux__)

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "look.h"

static void add(mp_findings *out, const char *name, size_t name_size, const char *value, size_t size) {
  mp_finding *finding = mp_add_finding(out, MP_FOUND_PRELOAD_VARIABLE, MP_CERTAIN);
  if (finding == NULL) return;
  mp_set_bytes(finding->name, sizeof finding->name, name, name_size);
  mp_set_bytes(finding->text, sizeof finding->text, value, size);
}

/// Tells whether every library of a list, parted by blanks and colons, is allowed.
static bool all_allowed(const char *value, size_t size) {
  char name[512];
  for (size_t at = 0; at < size;) {
    size_t end = at;
    while (end < size && value[end] != ':' && value[end] != ' ' && value[end] != '\n') end++;
    if (end - at >= sizeof name) return false;
    if (end > at) {
      mp_set_bytes(name, sizeof name, value + at, end - at);
      if (!mp_is_allowed(name)) return false;
    }
    at = end + 1;
  }
  return true;
}

/// The environment as it was when the program began: what it or others unset later still stands there.
static void find_in_environment(mp_findings *out) {
  int file = open("/proc/self/environ", O_RDONLY | O_CLOEXEC);
  if (file < 0) return;
  char buffer[8192];
  size_t held = 0;
  bool is_inside = false;
  for (;;) {
    ssize_t count = read(file, buffer + held, sizeof buffer - held);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0 && held == 0) break;
    if (count > 0) held += (size_t)count;
    size_t at = 0;
    for (;;) {
      const char *end = memchr(buffer + at, 0, held - at);
      // The beginning of a long entry is enough.
      if (end == NULL && count > 0 && (at != 0 || held < sizeof buffer)) break;
      size_t size = end == NULL ? held - at : (size_t)(end - buffer) - at;
      const char *value;
      if (size != 0 && !is_inside && mp_environment_loads(buffer + at, size, &value)) {
        const char *name = buffer + at;
        size_t value_size = size - (size_t)(value - name);
        if (!all_allowed(value, value_size)) add(out, name, (size_t)(value - name) - 1, value, value_size);
      }
      is_inside = end == NULL;
      at += size + (end == NULL ? 0 : 1);
      if (end == NULL || at >= held) break;
    }
    memmove(buffer, buffer + at, held - at);
    held -= at;
    if (count <= 0) break;
  }
  close(file);
}

void mp_find_variables(mp_findings *out) {
  find_in_environment(out);
  char text[1024];
  long size = mp_read_small("/etc/ld.so.preload", text, sizeof text);
  while (size > 0 && (text[size - 1] == '\n' || text[size - 1] == ' ')) size--;
  if (size > 0 && !all_allowed(text, (size_t)size)) add(out, "/etc/ld.so.preload", 18, text, (size_t)size);
}

#endif
