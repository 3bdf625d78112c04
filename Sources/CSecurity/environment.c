#if defined(__linux__)
#define _GNU_SOURCE

#include <errno.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <unistd.h>

#include "look.h"

static void find_container(mp_environment *out) {
  static const char *const marks[] = {"/.dockerenv", "/run/.containerenv"};
  out->is_container = 0;
  for (size_t index = 0; index < sizeof marks / sizeof *marks; index++) {
    if (access(marks[index], F_OK) != 0) continue;
    out->is_container = 1;
    mp_set_text(out->container, sizeof out->container, marks[index]);
    return;
  }
  char text[4096];
  static const char *const groups[] = {"/docker", "/kubepods", "/lxc", "/libpod", "containerd"};
  if (mp_read_small("/proc/self/cgroup", text, sizeof text) > 0) {
    for (size_t index = 0; index < sizeof groups / sizeof *groups; index++) {
      if (strstr(text, groups[index]) == NULL) continue;
      out->is_container = 1;
      mp_set_text(out->container, sizeof out->container, groups[index]);
      return;
    }
  }
  // More than one number: this process has another one outside of its namespace.
  long size = mp_read_small("/proc/self/status", text, sizeof text);
  const char *line = size > 0 ? strstr(text, "\nNSpid:") : NULL;
  if (line == NULL) return;
  int numbers = 0;
  bool is_inside = false;
  for (const char *at = line + 7; *at != 0 && *at != '\n'; at++) {
    bool is_digit = *at >= '0' && *at <= '9';
    numbers += is_digit && !is_inside;
    is_inside = is_digit;
  }
  if (numbers < 2) return;
  out->is_container = 1;
  mp_set_text(out->container, sizeof out->container, "NSpid");
}

static void find_writable(mp_environment *out) {
  static const char *const folders[] = {"/", "/bin", "/sbin", "/lib", "/etc", "/usr", "/usr/bin", "/usr/sbin", "/usr/lib"};
  for (size_t index = 0; index < sizeof folders / sizeof *folders; index++) {
    struct stat status;
    if (stat(folders[index], &status) != 0) continue;
    bool is_open = (status.st_mode & S_IWOTH) != 0 && (status.st_mode & S_ISVTX) == 0;
    if (!is_open && (geteuid() == 0 || access(folders[index], W_OK) != 0)) continue;
    mp_set_text(out->writable_folder, sizeof out->writable_folder, folders[index]);
    return;
  }
}

void mp_security_environment(mp_environment *out) {
  int saved = errno;
  memset(out, 0, sizeof *out);
  out->is_root = geteuid() == 0;
  out->is_restricted = getauxval(AT_SECURE) != 0;
  out->ptrace_scope = -1;
  char text[16];
  if (mp_read_small("/proc/sys/kernel/yama/ptrace_scope", text, sizeof text) > 0 && *text >= '0' && *text <= '9') {
    out->ptrace_scope = *text - '0';
  }
  find_container(out);
  find_writable(out);
  errno = saved;
}

#endif
