#include "CAppLog.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static mp_app_log_sink taker;

void mp_app_log_take(mp_app_log_sink sink) { __atomic_store_n(&taker, sink, __ATOMIC_RELEASE); }

void mp_app_log(const char *tag, const char *message) { APLogToFile(tag, "%s", message); }

void APLogToFile(const char *tag, const char *format, ...) {
  mp_app_log_sink sink = __atomic_load_n(&taker, __ATOMIC_ACQUIRE);
  if (!sink || !format) return;
  char line[1024];
  va_list arguments, again;
  va_start(arguments, format);
  va_copy(again, arguments);
  int size = vsnprintf(line, sizeof line, format, arguments);
  va_end(arguments);
  if (size < 0) {
    sink(tag ? tag : "", format);
  } else if ((size_t)size < sizeof line) {
    sink(tag ? tag : "", line);
  } else {
    char *whole = malloc((size_t)size + 1);
    if (whole) vsnprintf(whole, (size_t)size + 1, format, again);
    sink(tag ? tag : "", whole ? whole : line);
    free(whole);
  }
  va_end(again);
}
