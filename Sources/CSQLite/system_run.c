#include "pages.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

#if defined(__APPLE__)
#include <sys/sysctl.h>
#endif

/// The number that the system has made for itself when it started; as hexadecimal digits and hyphens.
static int run_text(char *text, size_t size) {
#if defined(__APPLE__)
  return sysctlbyname("kern.bootsessionuuid", text, &size, NULL, 0) == 0;
#elif defined(__linux__)
  FILE *file = fopen("/proc/sys/kernel/random/boot_id", "re");
  if (!file) return 0;
  int is_read = fgets(text, (int)size, file) != NULL;
  fclose(file);
  return is_read;
#else
  return 0;
#endif
}

static int digit(char character) {
  if (character >= '0' && character <= '9') return character - '0';
  if (character >= 'a' && character <= 'f') return character - 'a' + 10;
  return character >= 'A' && character <= 'F' ? character - 'A' + 10 : -1;
}

static uint8_t known[MP_RUN_SIZE];
static int is_known;

static void find_run(void) {
  char text[64] = "";
  if (!run_text(text, sizeof text)) return;
  int count = 0;
  for (const char *place = text; *place && count < 2 * MP_RUN_SIZE; place++) {
    int value = digit(*place);
    if (value >= 0) known[count / 2] |= (uint8_t)(count % 2 == 0 ? value << 4 : value), count++;
  }
  is_known = count == 2 * MP_RUN_SIZE;
}

int mp_system_run(uint8_t *run) {
  // No process outlives the run of the system that it began in.
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, find_run);
  memcpy(run, known, MP_RUN_SIZE);
  return is_known;
}
