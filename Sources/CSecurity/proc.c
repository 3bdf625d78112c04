#if defined(__linux__)
#define _GNU_SOURCE
#endif
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "look.h"

long mp_read_small(const char *path, char *to, size_t capacity) {
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return -1;
  size_t held = 0;
  for (;;) {
    ssize_t count = read(file, to + held, capacity - 1 - held);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    held += (size_t)count;
    if (held == capacity - 1) break;
  }
  close(file);
  to[held] = 0;
  return (long)held;
}

void mp_proc_path(char to[64], int pid, const char *name) {
  char digits[12];
  size_t count = 0, at = 6;
  unsigned rest = (unsigned)pid;
  do {
    digits[count++] = (char)('0' + rest % 10);
    rest /= 10;
  } while (rest != 0);
  memcpy(to, "/proc/", 6);
  while (count != 0) to[at++] = digits[--count];
  to[at++] = '/';
  mp_set_text(to + at, 64 - at, name);
}

bool mp_status_number(const char *text, size_t size, const char *field, long *value) {
  size_t length = strlen(field);
  const char *end = text + size;
  for (const char *line = text; line < end;) {
    const char *stop = memchr(line, '\n', (size_t)(end - line));
    if (stop == NULL) stop = end;
    if ((size_t)(stop - line) > length && memcmp(line, field, length) == 0 && line[length] == ':') {
      const char *at = line + length + 1;
      while (at < stop && (*at == ' ' || *at == '\t')) at++;
      if (at == stop || *at < '0' || *at > '9') return false;
      long result = 0;
      for (; at < stop && *at >= '0' && *at <= '9'; at++) {
        if (result > (0x7fffffff - (*at - '0')) / 10) return false;
        result = result * 10 + (*at - '0');
      }
      *value = result;
      return true;
    }
    line = stop + 1;
  }
  return false;
}

bool mp_environment_loads(const char *entry, size_t size, const char **value) {
  static const char *const variables[] = {"LD_PRELOAD=", "LD_AUDIT=", "DYLD_INSERT_LIBRARIES="};
  for (size_t index = 0; index < sizeof variables / sizeof *variables; index++) {
    size_t length = strlen(variables[index]);
    // One without a value loads nothing.
    if (size > length && memcmp(entry, variables[index], length) == 0) {
      *value = entry + length;
      return true;
    }
  }
  return false;
}
