#include "mp_maps.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

static const char *hex(const char *at, const char *end, uint64_t *value) {
  uint64_t result = 0;
  for (; at < end; at++) {
    char c = *at;
    if (c >= '0' && c <= '9') result = result << 4 | (uint64_t)(c - '0');
    else if (c >= 'a' && c <= 'f') result = result << 4 | (uint64_t)(c - 'a' + 10);
    else break;
  }
  *value = result;
  return at;
}

static const char *past(const char *at, const char *end, char separator) {
  return at < end && *at == separator ? at + 1 : NULL;
}

bool mp_mapping_parse(const char *at, const char *end, mp_mapping *out) {
  uint64_t major, minor;
  at = hex(at, end, &out->start);
  if ((at = past(at, end, '-')) == NULL) return false;
  at = hex(at, end, &out->end);
  if ((at = past(at, end, ' ')) == NULL || end - at < 5) return false;
  out->readable = at[0] == 'r';
  out->writable = at[1] == 'w';
  out->executable = at[2] == 'x';
  at = hex(at + 5, end, &out->offset);
  if ((at = past(at, end, ' ')) == NULL) return false;
  at = hex(at, end, &major);
  if ((at = past(at, end, ':')) == NULL) return false;
  at = hex(at, end, &minor);
  if ((at = past(at, end, ' ')) == NULL) return false;
  out->device = major << 20 | minor;
  out->inode = 0;
  for (; at < end && *at >= '0' && *at <= '9'; at++) out->inode = out->inode * 10 + (uint64_t)(*at - '0');
  while (at < end && *at == ' ') at++;
  out->path = at;
  out->path_length = (size_t)(end - at);
  return true;
}

bool mp_mapping_is(const mp_mapping *mapping, const char *name) {
  return mapping->path_length == strlen(name) && memcmp(mapping->path, name, mapping->path_length) == 0;
}

bool mp_mapping_is_deleted(const mp_mapping *mapping, size_t *path_length) {
  static const char deleted[] = " (deleted)";
  size_t length = mapping->path_length, suffix = sizeof deleted - 1;
  bool is_deleted = length > suffix && memcmp(mapping->path + length - suffix, deleted, suffix) == 0;
  *path_length = is_deleted ? length - suffix : length;
  return is_deleted;
}

int mp_maps_each(const char *maps_path, bool (*visit)(void *context, const mp_mapping *mapping), void *context) {
  int file = open(maps_path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return errno;
  // A line is at most a path (4096) and its columns (below 80).
  char buffer[4096 + 512];
  size_t held = 0;
  int failure = 0;
  bool goes_on = true;
  while (goes_on) {
    ssize_t count = read(file, buffer + held, sizeof buffer - held);
    if (count < 0) {
      if (errno == EINTR) continue;
      failure = errno;
      break;
    }
    if (count == 0) break;
    held += (size_t)count;
    size_t at = 0;
    while (goes_on) {
      char *end = memchr(buffer + at, '\n', held - at);
      if (end == NULL) break;
      mp_mapping mapping;
      if (mp_mapping_parse(buffer + at, end, &mapping)) goes_on = visit(context, &mapping);
      at = (size_t)(end - buffer) + 1;
    }
    // A line longer than the buffer cannot be; dropping it keeps the loop going all the same.
    if (at == 0 && held == sizeof buffer) at = held;
    memmove(buffer, buffer + at, held - at);
    held -= at;
  }
  close(file);
  return failure;
}
