#if defined(__linux__)

#include "mp_facts.h"

#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "mp_text.h"

static void set(char *to, size_t capacity, const char *from) {
  mp_text text = mp_text_in(to, capacity);
  if (from != NULL) mp_text_add(&text, from);
}

/// The value of `NAME=value` or `NAME="value"` in os-release(5).
static void release_value(const char *text, const char *name, char *to, size_t capacity) {
  size_t length = strlen(name);
  for (const char *line = text; line != NULL && *line != 0; line = strchr(line, '\n')) {
    if (*line == '\n') line++;
    if (strncmp(line, name, length) != 0 || line[length] != '=') continue;
    const char *value = line + length + 1;
    char quote = *value == '"' || *value == '\'' ? *value++ : '\n';
    size_t size = 0;
    while (value[size] != 0 && value[size] != quote && value[size] != '\n') size++;
    if (size >= capacity) size = capacity - 1;
    memcpy(to, value, size);
    to[size] = 0;
    return;
  }
}

static void gather_system(mp_facts *facts) {
  char text[4096];
  if (mp_read_file("/etc/os-release", text, sizeof text) > 0 ||
      mp_read_file("/usr/lib/os-release", text, sizeof text) > 0) {
    release_value(text, "NAME", facts->system_name, sizeof facts->system_name);
    release_value(text, "VERSION_ID", facts->system_version, sizeof facts->system_version);
    release_value(text, "BUILD_ID", facts->system_build, sizeof facts->system_build);
    if (facts->system_build[0] == 0) {
      release_value(text, "VERSION_CODENAME", facts->system_build, sizeof facts->system_build);
    }
  }
  struct utsname names;
  if (uname(&names) == 0) {
    mp_text kernel = mp_text_in(facts->kernel, sizeof facts->kernel);
    mp_text_add(&kernel, names.sysname);
    mp_text_add(&kernel, " ");
    mp_text_add(&kernel, names.release);
  }
  long length = mp_read_file("/sys/class/dmi/id/product_name", facts->model, sizeof facts->model);
  while (length > 0 && (unsigned char)facts->model[length - 1] <= ' ') facts->model[--length] = 0;
}

/// The start of the process: field 22 of /proc/self/stat, in clock ticks since the machine started (proc(5)).
static void gather_start(mp_facts *facts) {
  char text[1024];
  struct timespec now = {0}, since_boot = {0};
  clock_gettime(CLOCK_REALTIME, &now);
  clock_gettime(CLOCK_BOOTTIME, &since_boot);
  int64_t realtime = (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
  int64_t start = realtime;
  const char *at = NULL;
  // The name in parentheses may hold anything, so the fields are counted behind its end.
  if (mp_read_file("/proc/self/stat", text, sizeof text) > 0) at = strrchr(text, ')');
  for (int field = 2; at != NULL && field < 22; field++) at = strchr(at + 1, ' ');
  uint64_t ticks;
  long frequency = sysconf(_SC_CLK_TCK);
  if (at != NULL && frequency > 0 && mp_parse_number(&at, &ticks)) {
    int64_t boot = realtime - ((int64_t)since_boot.tv_sec * 1000000000 + since_boot.tv_nsec);
    start = boot + (int64_t)(ticks * (1000000000u / (uint64_t)frequency));
  }
  facts->start_seconds = start / 1000000000;
  facts->start_nanoseconds = (uint32_t)(start % 1000000000);
}

void mp_facts_gather(mp_facts *facts, const mp_crash_configuration *configuration) {
  ssize_t length = readlink("/proc/self/exe", facts->path, sizeof facts->path - 1);
  facts->path[length < 0 ? 0 : length] = 0;
  const char *slash = strrchr(facts->path, '/');
  const char *name = slash == NULL ? facts->path : slash + 1;
  set(facts->process_name, sizeof facts->process_name, name);
  const char *given = configuration->application_name;
  set(facts->application_name, sizeof facts->application_name, given == NULL ? name : given);
  set(facts->identifier, sizeof facts->identifier, configuration->identifier);
  set(facts->version, sizeof facts->version, configuration->version);
  set(facts->build, sizeof facts->build, configuration->build);
  set(facts->app_key, sizeof facts->app_key, configuration->app_key);
  gather_system(facts);
  gather_start(facts);
}

#endif
