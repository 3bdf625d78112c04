#if defined(__linux__)
#define _GNU_SOURCE
#endif
#include "look.h"

#if defined(MP_LOOKS_AT_ELF)

#include <errno.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "modules.h"
#include "mp_maps.h"

size_t mp_security_size(void) {
  return sizeof(mp_look);
}

size_t mp_peek(uint64_t address, void *to, size_t size) {
  struct iovec local = {to, size};
  struct iovec remote = {(void *)(uintptr_t)address, size};
  long count = syscall(SYS_process_vm_readv, (long)getpid(), &local, 1L, &remote, 1L, 0L);
  return count < 0 ? 0 : (size_t)count;
}

const char *mp_keep_path(mp_look *look, const char *path, size_t size) {
  if (PATHS_MAX - look->paths_used <= size) {
    look->is_truncated = true;
    return "";
  }
  char *kept = look->paths + look->paths_used;
  memcpy(kept, path, size);
  kept[size] = 0;
  look->paths_used += size + 1;
  return kept;
}

static bool has_prefix(const mp_mapping *map, const char *prefix) {
  size_t length = strlen(prefix);
  return map->path_length >= length && memcmp(map->path, prefix, length) == 0;
}

/// The owner as far as the map itself tells it.
static int owner_by_map(const mp_mapping *map) {
  if (mp_mapping_is(map, "[vdso]") || mp_mapping_is(map, "[vsyscall]") || mp_mapping_is(map, "[vectors]")) {
    return MP_OWNER_MAIN;
  }
  if (has_prefix(map, "/memfd:")) return MP_OWNER_MEMORY_FILE;
  return map->inode == 0 ? MP_OWNER_ANONYMOUS : MP_OWNER_NONE;
}

static bool take(void *context, const mp_mapping *map) {
  mp_look *look = context;
  if (look->region_count == REGIONS_MAX) {
    look->is_truncated = true;
    return false;
  }
  look->regions[look->region_count++] =
    (mp_region){map->start, map->end, map->readable, map->writable, map->inode != 0};
  if (!map->executable) return true;
  if (look->code_count == CODES_MAX) {
    look->is_truncated = true;
    return true;
  }
  mp_code *code = &look->codes[look->code_count++];
  *code = (mp_code){.start = map->start, .end = map->end, .offset = map->offset, .module = -1};
  size_t length;
  code->is_deleted = mp_mapping_is_deleted(map, &length);
  code->is_writable = map->writable;
  code->owner = (uint8_t)owner_by_map(map);
  // Parts of one file follow one another.
  const char *before = look->code_count < 2 ? "" : code[-1].path;
  bool is_same = strlen(before) == length && memcmp(before, map->path, length) == 0;
  code->path = is_same ? before : mp_keep_path(look, map->path, length);
  return true;
}

int mp_module_at(const mp_look *look, uint64_t address) {
  for (size_t index = 0; index < look->module_count; index++) {
    if (address >= look->modules[index].base && address < look->modules[index].end) return (int)index;
  }
  return -1;
}

int mp_code_at(const mp_look *look, uint64_t address) {
  size_t low = 0, high = look->code_count;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (look->codes[middle].end <= address) low = middle + 1;
    else high = middle;
  }
  return low < look->code_count && look->codes[low].start <= address ? (int)low : -1;
}

static const mp_region *region_at(const mp_look *look, uint64_t address) {
  size_t low = 0, high = look->region_count;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (look->regions[middle].end <= address) low = middle + 1;
    else high = middle;
  }
  return low < look->region_count && look->regions[low].start <= address ? &look->regions[low] : NULL;
}

bool mp_is_readable(const mp_look *look, uint64_t address, uint64_t size) {
  if (address + size < address) return false;
  for (uint64_t end = address + size; address < end;) {
    const mp_region *region = region_at(look, address);
    if (region == NULL || !region->is_readable) return false;
    address = region->end;
  }
  return true;
}

/// Gives each range of code its owner.
static void settle(mp_look *look) {
  const char *main_path = look->module_count == 0 ? "" : look->modules[0].path;
  for (size_t index = 0; index < look->code_count; index++) {
    mp_code *code = &look->codes[index];
    code->module = mp_module_at(look, code->start);
    if (code->module == 0 && code->owner == MP_OWNER_MEMORY_FILE) code->owner = MP_OWNER_MAIN;
    if (code->owner != MP_OWNER_NONE) continue;
    if (code->module >= 0) {
      int owner = look->modules[code->module].owner;
      bool is_linked = owner == MP_OWNER_MAIN || owner == MP_OWNER_LINKED;
      code->owner = (uint8_t)(code->is_deleted && !is_linked ? MP_OWNER_DELETED : owner);
    } else if (strcmp(code->path, main_path) == 0) {
      code->owner = MP_OWNER_MAIN;
    } else if (look->has_modules && !mp_is_allowed(code->path)) {
      code->owner = MP_OWNER_HIDDEN;
    } else {
      code->owner = (uint8_t)mp_owner_by_path(look, code->path);
    }
  }
}

int mp_look_open(mp_look *look) {
  // The large tables are filled up to their counts only.
  look->module_count = look->code_count = look->region_count = look->paths_used = look->needed_count = 0;
  look->has_modules = look->is_truncated = false;
  int failure = mp_maps_each("/proc/self/maps", take, look);
  if (failure != 0) return failure;
  mp_list_modules(look);
  settle(look);
  return 0;
}

#else

size_t mp_security_size(void) {
  return 1;
}

#endif
