/// The same functions where hangs cannot be watched: they say so, and do nothing.
#if !defined(__linux__)

#include <errno.h>

#include "mp_hang.h"

int mp_hang_start(const mp_hang_settings *settings) {
  (void)settings;
  return ENOTSUP;
}

void mp_hang_stop(void) {}

void mp_hang_pause(bool is_paused) {
  (void)is_paused;
}

int mp_hang_watch_thread(const char *name) {
  (void)name;
  return -1;
}

int mp_hang_watch_queue(const char *name, void (*ask)(void *context, int watch), void *context, const void *state) {
  (void)name, (void)ask, (void)context, (void)state;
  return -1;
}

void mp_hang_begin(int watch) {
  (void)watch;
}

void mp_hang_done(int watch) {
  (void)watch;
}

void mp_hang_answer(int watch) {
  (void)watch;
}

void mp_hang_unwatch(int watch) {
  (void)watch;
}

const void *mp_hang_main_queue(void) {
  return NULL;
}

#endif
