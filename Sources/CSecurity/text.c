#if defined(__linux__)
#define _GNU_SOURCE
#endif
#include "look.h"

#if defined(MP_LOOKS_AT_ELF)

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

/// Reads one range of code page by page; false where file or memory could not be read to its end.
static bool take_code(
  mp_look *look, const mp_code *code, int file, void *context,
  void (*take)(void *context, const void *in_memory, const void *in_file, size_t size), mp_difference *out) {
  uint8_t *of_file = (uint8_t *)look->buffer, *of_memory = of_file + PAGE;
  for (uint64_t at = code->start; at < code->end; at += PAGE) {
    ssize_t held = pread(file, of_file, PAGE, (off_t)(code->offset + (at - code->start)));
    if (held < 0 || mp_peek(at, of_memory, PAGE) != PAGE) return false;
    memset(of_file + held, 0, PAGE - (size_t)held);
    if (!out->is_different && memcmp(of_file, of_memory, PAGE) != 0) {
      size_t first = 0;
      while (of_file[first] == of_memory[first]) first++;
      out->is_different = true;
      out->address = at + first;
      out->file_offset = code->offset + (at - code->start) + first;
    }
    take(context, of_memory, of_file, PAGE);
  }
  return true;
}

int mp_security_text(
  void *memory, void *context, void (*take)(void *context, const void *in_memory, const void *in_file, size_t size),
  mp_difference *out) {
  mp_look *look = memory;
  memset(out, 0, sizeof *out);
  int saved = errno, failure = mp_look_open(look);
  if (failure != 0) return failure;
  mp_set_text(out->path, sizeof out->path, look->module_count == 0 ? "" : look->modules[0].path);
  // The link leads to the file that runs, also where its path leads to another by now.
  int file = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
  if (file < 0) return errno;
  out->is_complete = true;
  bool is_any = false;
  for (size_t index = 0; index < look->code_count; index++) {
    const mp_code *code = &look->codes[index];
    if (code->owner != MP_OWNER_MAIN || code->path[0] == '[') continue;
    is_any = true;
    if (!take_code(look, code, file, context, take, out)) out->is_complete = false;
  }
  out->is_complete &= is_any;
  close(file);
  errno = saved;
  return 0;
}

bool mp_security_is_static(void *memory, const void *address, size_t size) {
  mp_look *look = memory;
  uint64_t at = (uint64_t)(uintptr_t)address, end = at + size;
  int saved = errno;
  if (end < at || mp_look_open(look) != 0) return false;
  errno = saved;
  int index = mp_module_at(look, at);
  if (index < 0 || end > look->modules[index].end) return false;
  int owner = look->modules[index].owner;
  if (owner != MP_OWNER_MAIN && owner != MP_OWNER_LINKED) return false;
  while (at < end) {
    size_t region = 0;
    while (region < look->region_count && look->regions[region].end <= at) region++;
    if (region == look->region_count || look->regions[region].start > at) return false;
    // Linkers put constants beside variables, too; what has no file is no constant.
    if (!look->regions[region].is_readable || !look->regions[region].is_file) return false;
    at = look->regions[region].end;
  }
  return true;
}

#endif
