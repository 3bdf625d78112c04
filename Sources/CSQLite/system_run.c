#include "pages.h"

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

int mp_system_run(uint8_t *run) {
  char text[64] = "";
  memset(run, 0, MP_RUN_SIZE);
  if (!run_text(text, sizeof text)) return 0;
  int count = 0;
  for (const char *place = text; *place && count < 2 * MP_RUN_SIZE; place++) {
    int value = digit(*place);
    if (value >= 0) run[count / 2] |= (uint8_t)(count % 2 == 0 ? value << 4 : value), count++;
  }
  return count == 2 * MP_RUN_SIZE;
}
