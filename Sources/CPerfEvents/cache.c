#if defined(__linux__)
#define _GNU_SOURCE
#endif
#include "mp_cache.h"

#include <errno.h>
#include <stdlib.h>

#if defined(__linux__)

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/// Counts the bytes of a mapped file that are in memory.
static uint64_t resident(void *memory, size_t size, size_t page) {
  size_t pages = (size + page - 1) / page;
  unsigned char *states = malloc(pages);
  if (states == NULL) return 0;
  uint64_t count = 0;
  if (mincore(memory, size, states) == 0) {
    for (size_t index = 0; index < pages; index++) count += states[index] & 1;
  }
  free(states);
  return count * page;
}

int mp_drop_file(const char *path, uint64_t *before, uint64_t *after) {
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return -errno;
  struct stat status;
  size_t page = (size_t)sysconf(_SC_PAGESIZE);
  int error = fstat(file, &status) < 0 ? -errno : S_ISREG(status.st_mode) && status.st_size > 0 ? 0 : -EINVAL;
  void *memory = MAP_FAILED;
  if (error == 0) {
    memory = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, file, 0);
    if (memory == MAP_FAILED) error = -errno;
  }
  if (error == 0) {
    *before = resident(memory, (size_t)status.st_size, page);
    error = -posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED);
    *after = resident(memory, (size_t)status.st_size, page);
    munmap(memory, (size_t)status.st_size);
  }
  close(file);
  return error;
}

#else

int mp_drop_file(const char *path, uint64_t *before, uint64_t *after) {
  (void)path, (void)before, (void)after;
  return -ENOTSUP;
}

#endif
