#if defined(__linux__)
#define _GNU_SOURCE
#endif
#include "modules.h"

#if defined(MP_LOOKS_AT_ELF)

#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

static uint32_t hash(const char *text) {
  uint32_t result = 2166136261u;
  for (; *text != 0; text++) result = (result ^ (uint8_t)*text) * 16777619u;
  return result;
}

static const char *file_name(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash == NULL ? path : slash + 1;
}

static bool has_prefix(const char *path, const char *prefix) {
  return strncmp(path, prefix, strlen(prefix)) == 0;
}

/// Tells whether a file lies in the folder of the executable, or beside its `bin` in `lib`, `lib64` or `libexec`.
static bool is_of_app(const char *main_path, const char *path) {
  size_t length = (size_t)(file_name(main_path) - main_path);
  if (length <= 1) return false;
  if (strncmp(path, main_path, length) == 0) return true;
  if (length < 6 || memcmp(main_path + length - 5, "/bin/", 5) != 0 || strncmp(path, main_path, length - 4) != 0) {
    return false;
  }
  const char *inner = path + length - 4;
  return has_prefix(inner, "lib/") || has_prefix(inner, "lib64/") || has_prefix(inner, "libexec/");
}

int mp_owner_by_path(const mp_look *look, const char *path) {
  static const char *const folders[] = {"/usr/lib/", "/usr/lib64/", "/lib/", "/lib64/", "/system/", "/apex/", "/nix/store/"};
  if (mp_is_allowed(path)) return MP_OWNER_LINKED;
  for (size_t index = 0; index < sizeof folders / sizeof *folders; index++) {
    if (has_prefix(path, folders[index])) return MP_OWNER_LOADED;
  }
  return is_of_app(look->module_count == 0 ? "" : look->modules[0].path, path) ? MP_OWNER_LOADED : MP_OWNER_FOREIGN;
}

/// Base and end by the program headers; false where no ELF file begins at `header`.
static bool read_header(mp_module *module, uint64_t header) {
  _Alignas(8) uint8_t bytes[64 + 56 * 40];
  size_t held = mp_peek(header, bytes, sizeof bytes);
  const Elf64_Ehdr *elf = (const void *)bytes;
  if (held < sizeof *elf || memcmp(elf->e_ident, ELFMAG, SELFMAG) != 0 || elf->e_ident[EI_CLASS] != ELFCLASS64) {
    return false;
  }
  if (elf->e_phoff > held || elf->e_phentsize != sizeof(Elf64_Phdr)) return false;
  const Elf64_Phdr *segments = (const void *)(bytes + (elf->e_phoff & ~7ull));
  size_t count = (held - elf->e_phoff) / sizeof *segments;
  if (count > elf->e_phnum) count = elf->e_phnum;
  uint64_t lowest = UINT64_MAX, highest = 0;
  for (size_t index = 0; index < count; index++) {
    if (segments[index].p_type == PT_DYNAMIC) module->dynamic = segments[index].p_vaddr;
    if (segments[index].p_type != PT_LOAD) continue;
    uint64_t start = segments[index].p_vaddr & ~(uint64_t)(PAGE - 1), end = start;
    if (__builtin_add_overflow(segments[index].p_vaddr, segments[index].p_memsz, &end)) return false;
    if (start < lowest) lowest = start;
    if (end > highest) highest = end;
  }
  if (lowest >= highest || header < lowest) return false;
  module->bias = header - lowest;
  module->base = header;
  if (__builtin_add_overflow(header, (highest - lowest + PAGE - 1) & ~(uint64_t)(PAGE - 1), &module->end)) return false;
  if (module->dynamic != 0) module->dynamic += module->bias;
  return true;
}

/// An address of the dynamic section, which the linker has made absolute or not; 0 where it lies outside the image.
static uint64_t inside(const mp_module *module, uint64_t value) {
  uint64_t address = value >= module->base && value < module->end ? value : value + module->bias;
  return address >= module->base && address < module->end ? address : 0;
}

/// The same for a table of words.
static uint64_t table_inside(const mp_module *module, uint64_t value) {
  uint64_t address = inside(module, value);
  return address % 8 == 0 ? address : 0;
}

static uint64_t bounded(const mp_module *module, uint64_t start, uint64_t size) {
  return start == 0 ? 0 : size <= module->end - start ? size : module->end - start;
}

static void read_dynamic(mp_look *look, mp_module *module, uint64_t *debug) {
  Elf64_Dyn entries[160];
  size_t count = module->dynamic == 0 ? 0 : mp_peek(module->dynamic, entries, sizeof entries) / sizeof *entries;
  uint64_t soname = 0;
  bool has_soname = false;
  module->first_needed = (uint32_t)look->needed_count;
  for (size_t index = 0; index < count && entries[index].d_tag != DT_NULL; index++) {
    uint64_t value = entries[index].d_un.d_val;
    switch (entries[index].d_tag) {
      case DT_STRTAB: module->strings = inside(module, value); break;
      case DT_STRSZ: module->strings_size = value; break;
      case DT_SYMTAB: module->symbols = table_inside(module, value); break;
      case DT_GNU_HASH: module->hash = table_inside(module, value); break;
      case DT_RELA: module->relocations = table_inside(module, value); break;
      case DT_RELASZ: module->relocations_size = value; break;
      case DT_JMPREL: module->calls = table_inside(module, value); break;
      case DT_PLTRELSZ: module->calls_size = value; break;
      case DT_TEXTREL: module->has_text_relocations = true; break;
      case DT_FLAGS: module->has_text_relocations |= (value & DF_TEXTREL) != 0; break;
      case DT_SONAME: soname = value, has_soname = true; break;
      case DT_DEBUG: if (debug != NULL) *debug = value; break;
      case DT_NEEDED:
        if (look->needed_count < NEEDED_MAX && value <= UINT32_MAX) {
          look->needed[look->needed_count++] = (uint32_t)value;
          module->needed_count++;
        }
        break;
      default: break;
    }
  }
  module->strings_size = bounded(module, module->strings, module->strings_size);
  module->relocations_size = bounded(module, module->relocations, module->relocations_size);
  module->calls_size = bounded(module, module->calls, module->calls_size);
  if (!mp_is_readable(look, module->strings, module->strings_size)) module->strings = module->strings_size = 0;
  if (!mp_is_readable(look, module->relocations, module->relocations_size)) module->relocations_size = 0;
  if (!mp_is_readable(look, module->calls, module->calls_size)) module->calls_size = 0;
  module->soname = has_soname ? mp_module_string(module, soname) : NULL;
  module->file_hash = hash(file_name(module->path));
  module->soname_hash = module->soname == NULL ? module->file_hash : hash(module->soname);
}

/// Marks what a module is linked with, and what that is linked with.
static void mark_linked(mp_look *look) {
  uint16_t waiting[MODULES_MAX];
  size_t first = 0, last = 0;
  waiting[last++] = 0;
  while (first < last) {
    const mp_module *module = &look->modules[waiting[first++]];
    for (uint32_t index = 0; index < module->needed_count; index++) {
      const char *name = mp_module_string(module, look->needed[module->first_needed + index]);
      if (name == NULL) continue;
      uint32_t wanted = hash(file_name(name));
      for (size_t other = 1; other < look->module_count; other++) {
        mp_module *candidate = &look->modules[other];
        if (candidate->owner != MP_OWNER_NONE || candidate->is_vdso) continue;
        bool matches = candidate->soname_hash == wanted && candidate->soname != NULL &&
          strcmp(candidate->soname, file_name(name)) == 0;
        matches |= candidate->file_hash == wanted && strcmp(file_name(candidate->path), file_name(name)) == 0;
        if (!matches) continue;
        candidate->owner = MP_OWNER_LINKED;
        waiting[last++] = (uint16_t)other;
        break;
      }
    }
  }
}

/// Marks the images that stand in the list before all that is linked: they were loaded before it.
static void mark_others(mp_look *look) {
  bool is_before = true;
  for (size_t index = 1; index < look->module_count; index++) {
    mp_module *module = &look->modules[index];
    if (module->is_vdso) module->owner = MP_OWNER_MAIN;
    if (module->owner == MP_OWNER_LINKED) is_before = false;
    if (module->owner != MP_OWNER_NONE) continue;
    module->owner = (uint8_t)(mp_is_allowed(module->path) ? MP_OWNER_LINKED
                              : is_before                 ? MP_OWNER_PRELOADED
                                                          : mp_owner_by_path(look, module->path));
  }
}

static bool append_main(mp_look *look, uint64_t *debug) {
  uint64_t headers = getauxval(AT_PHDR);
  mp_module *module = &look->modules[0];
  memset(module, 0, sizeof *module);
  char path[2048];
  ssize_t length = readlink("/proc/self/exe", path, sizeof path);
  if (length < 0) length = 0;
  static const char deleted[] = " (deleted)";
  size_t size = (size_t)length, suffix = sizeof deleted - 1;
  if (size > suffix && memcmp(path + size - suffix, deleted, suffix) == 0) size -= suffix;
  module->path = mp_keep_path(look, path, size);
  if (headers == 0 || !read_header(module, headers - sizeof(Elf64_Ehdr))) return false;
  module->owner = MP_OWNER_MAIN;
  look->module_count = 1;
  read_dynamic(look, module, debug);
  return true;
}

static void append(mp_look *look, const struct link_map *node) {
  mp_module *module = &look->modules[look->module_count];
  memset(module, 0, sizeof *module);
  if (!read_header(module, node->l_addr)) return;
  module->dynamic = (uint64_t)(uintptr_t)node->l_ld;
  char path[2048];
  size_t held = mp_peek((uint64_t)(uintptr_t)node->l_name, path, sizeof path);
  int code = mp_code_at(look, module->base);
  size_t length = strnlen(path, held);
  module->is_vdso = length == 0 || strncmp(path, "linux-vdso", 10) == 0 || (code >= 0 && look->codes[code].path[0] == '[');
  module->path = mp_keep_path(look, path, length);
  look->module_count++;
  read_dynamic(look, module, NULL);
}

bool mp_read_module(mp_look *look, mp_module *module, uint64_t header) {
  memset(module, 0, sizeof *module);
  module->path = "";
  if (!read_header(module, header)) return false;
  read_dynamic(look, module, NULL);
  return true;
}

void mp_list_modules(mp_look *look) {
  uint64_t debug = 0;
  if (!append_main(look, &debug)) return;
  struct r_debug list;
  if (debug == 0 || mp_peek(debug, &list, sizeof list) != sizeof list) return;
  if (list.r_state != RT_CONSISTENT) return;
  struct link_map node;
  uint64_t next = (uint64_t)(uintptr_t)list.r_map;
  for (size_t guard = 0; next != 0 && guard < MODULES_MAX; guard++) {
    if (mp_peek(next, &node, sizeof node) != sizeof node) return;
    if (guard != 0 && look->module_count < MODULES_MAX) append(look, &node);
    next = (uint64_t)(uintptr_t)node.l_next;
  }
  if (next != 0) look->is_truncated = true;
  look->has_modules = true;
  mark_linked(look);
  mark_others(look);
}

const char *mp_module_string(const mp_module *module, uint64_t offset) {
  if (offset >= module->strings_size) return NULL;
  const char *text = (const char *)(uintptr_t)module->strings + offset;
  return memchr(text, 0, module->strings_size - offset) == NULL ? NULL : text;
}

#endif
