#include <stdatomic.h>
#include <string.h>

#include "look.h"

enum { NAMES_MAX = 64, BYTES_MAX = 8192 };

/// Written under the flag, and published by the count: readers need no lock.
static const char *names[NAMES_MAX];
static char bytes[BYTES_MAX];
static size_t used;
static _Atomic size_t count;
static atomic_flag is_written = ATOMIC_FLAG_INIT;

bool mp_security_allow(const char *image) {
  size_t size = strlen(image) + 1;
  if (size == 1) return false;
  while (atomic_flag_test_and_set(&is_written)) {
  }
  size_t at = atomic_load(&count);
  bool fits = at < NAMES_MAX && BYTES_MAX - used >= size;
  if (fits) {
    memcpy(bytes + used, image, size);
    names[at] = bytes + used;
    used += size;
    atomic_store(&count, at + 1);
  }
  atomic_flag_clear(&is_written);
  return fits;
}

bool mp_is_allowed(const char *path) {
  const char *slash = strrchr(path, '/');
  const char *file = slash == NULL ? path : slash + 1;
  size_t known = atomic_load(&count);
  for (size_t index = 0; index < known; index++) {
    const char *name = names[index];
    size_t length = strlen(name);
    if (name[length - 1] == '/' && strncmp(path, name, length) == 0) return true;
    if (strcmp(path, name) == 0 || strcmp(file, name) == 0) return true;
  }
  return false;
}
