#define _GNU_SOURCE
#include "mp_text.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#if defined(__linux__)
#include <sys/syscall.h>
#endif

mp_text mp_text_in(char *bytes, size_t capacity) {
  if (capacity != 0) bytes[0] = 0;
  return (mp_text){bytes, capacity, 0};
}

static void add_bytes(mp_text *text, const char *bytes, size_t count) {
  if (text->capacity == 0) return;
  size_t room = text->capacity - 1 - text->length;
  if (count > room) count = room;
  memcpy(text->bytes + text->length, bytes, count);
  text->length += count;
  text->bytes[text->length] = 0;
}

void mp_text_add(mp_text *text, const char *more) {
  add_bytes(text, more, strlen(more));
}

static void add_in_base(mp_text *text, uint64_t number, unsigned base) {
  char digits[24];
  size_t at = sizeof digits;
  do {
    digits[--at] = "0123456789abcdef"[number % base];
    number /= base;
  } while (number != 0);
  add_bytes(text, digits + at, sizeof digits - at);
}

void mp_text_add_number(mp_text *text, uint64_t number) {
  add_in_base(text, number, 10);
}

void mp_text_add_hex(mp_text *text, uint64_t number) {
  mp_text_add(text, "0x");
  add_in_base(text, number, 16);
}

long mp_read_file(const char *path, char *to, size_t capacity) {
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return -1;
  size_t length = 0;
  while (length + 1 < capacity) {
    ssize_t count = read(file, to + length, capacity - 1 - length);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    length += (size_t)count;
  }
  close(file);
  to[length] = 0;
  return (long)length;
}

bool mp_parse_number(const char **from, uint64_t *value) {
  const char *at = *from;
  while (*at != 0 && (*at < '0' || *at > '9')) at++;
  if (*at == 0) return false;
  uint64_t result = 0;
  for (; *at >= '0' && *at <= '9'; at++) result = result * 10 + (uint64_t)(*at - '0');
  *from = at;
  *value = result;
  return true;
}

uint64_t mp_number_after(const char *text, const char *name) {
  const char *found = strstr(text, name);
  uint64_t value;
  if (found == NULL) return 0;
  found += strlen(name);
  return mp_parse_number(&found, &value) ? value : 0;
}

uint64_t mp_clock_nanoseconds(int clock) {
  struct timespec now;
  if (clock_gettime((clockid_t)clock, &now) != 0) return 0;
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

int mp_thread_id(void) {
#if defined(__linux__)
  return (int)syscall(SYS_gettid);
#else
  return 0;
#endif
}
