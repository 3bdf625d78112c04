#define _GNU_SOURCE
#include "CLogScan.h"

#include <string.h>

const char *mp_log_find(const char *text, size_t size, const char *needle, size_t needle_size) {
  if (size == 0 || needle_size == 0) return NULL;
  return memmem(text, size, needle, needle_size);
}
