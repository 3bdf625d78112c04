#if defined(__linux__)
#define _GNU_SOURCE
#endif
#include "look.h"

#if defined(MP_LOOKS_AT_ELF)

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

/// A page that is no longer the file's: present or swapped, and of the process' own (Documentation/admin-guide/mm/pagemap).
static bool is_own_page(uint64_t entry) {
  bool is_there = (entry >> 63 & 1) != 0 || (entry >> 62 & 1) != 0;
  return is_there && (entry >> 61 & 1) == 0;
}

int mp_compare_code(mp_look *look, const mp_code *code, uint64_t address, size_t size, uint64_t *first) {
  if (code->path[0] != '/' || code->is_deleted) return -1;
  int file = open(code->path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return -1;
  uint8_t *of_file = (uint8_t *)look->buffer, *of_memory = of_file + PAGE;
  int result = 0;
  for (size_t done = 0; done < size && result == 0;) {
    size_t part = size - done < PAGE ? size - done : PAGE;
    uint64_t at = address + done;
    ssize_t held = pread(file, of_file, part, (off_t)(code->offset + (at - code->start)));
    size_t seen = mp_peek(at, of_memory, part);
    if (held < 0 || seen == 0) {
      result = -1;
      break;
    }
    // Behind the end of the file a page is filled with zeros.
    memset(of_file + held, 0, part - (size_t)held);
    for (size_t index = 0; index < seen; index++) {
      if (of_file[index] == of_memory[index]) continue;
      *first = at + index;
      result = 1;
      break;
    }
    done += part;
  }
  close(file);
  return result;
}

static bool add(mp_look *look, mp_findings *out, const mp_code *code, uint64_t address, int confidence) {
  mp_finding *finding = mp_add_finding(out, MP_FOUND_PATCHED_CODE, confidence);
  if (finding == NULL) return false;
  finding->address = address;
  finding->value = address - code->start + code->offset;
  mp_set_text(finding->text, sizeof finding->text, code->path);
  const char *name = code->module < 0 ? NULL : mp_module_name_at(look, &look->modules[code->module], address);
  if (name != NULL) mp_set_text(finding->name, sizeof finding->name, name);
  return true;
}

void mp_find_patches(mp_look *look, mp_findings *out) {
  int file = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
  if (file < 0) return;
  uint64_t entries[1024], page_size = getauxval(AT_PAGESZ);
  if (page_size < PAGE) page_size = PAGE;
  for (size_t index = 0; index < look->code_count; index++) {
    const mp_code *code = &look->codes[index];
    if (!mp_is_own(code->owner) || code->path[0] != '/') continue;
    if (code->module >= 0 && look->modules[code->module].has_text_relocations) continue;
    size_t pages = (size_t)((code->end - code->start) / page_size), found = 0;
    for (size_t page = 0; page < pages && found < 16;) {
      size_t part = pages - page < 1024 ? pages - page : 1024;
      ssize_t held = pread(file, entries, part * 8, (off_t)((code->start / page_size + page) * 8));
      if (held <= 0) break;
      size_t count = (size_t)held / 8;
      for (size_t at = 0; at < count && found < 16; at++) {
        if (!is_own_page(entries[at])) continue;
        uint64_t address = code->start + (page + at) * page_size, first = address;
        int state = mp_compare_code(look, code, address, page_size, &first);
        if (state == 0) continue;
        found++;
        if (!add(look, out, code, first, state == 1 ? MP_CERTAIN : MP_PROBABLE)) {
          close(file);
          return;
        }
      }
      page += count == 0 ? part : count;
    }
  }
  close(file);
}

#endif
