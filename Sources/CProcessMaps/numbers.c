#if defined(__linux__)
#define _GNU_SOURCE

#include "mp_numbers.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

/// `struct linux_dirent64` (getdents64(2)).
typedef struct {
  uint64_t inode;
  int64_t offset;
  uint16_t length;
  uint8_t type;
  char name[];
} directory_entry;

/// The number that a name is, in decimal digits alone; -1 where it is none.
static int number_of(const char *name) {
  int number = 0;
  if (*name == 0) return -1;
  for (; *name >= '0' && *name <= '9'; name++) {
    if (number > (INT_MAX - 9) / 10) return -1;
    number = number * 10 + (*name - '0');
  }
  return *name == 0 ? number : -1;
}

int mp_numbers_each(const char *path, bool (*visit)(void *context, int number), void *context) {
  int folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0) return errno;
  _Alignas(8) char entries[4096];
  int failure = 0;
  bool goes_on = true;
  while (goes_on) {
    long length = syscall(SYS_getdents64, folder, entries, sizeof entries);
    if (length < 0) failure = errno;
    if (length <= 0) break;
    for (long at = 0; goes_on && at < length;) {
      const directory_entry *entry = (const directory_entry *)(entries + at);
      if (entry->length == 0) break;
      at += entry->length;
      int number = number_of(entry->name);
      if (number >= 0 && number != folder) goes_on = visit(context, number);
    }
  }
  close(folder);
  return failure;
}

#endif
