/// The state of one look at the process.
#ifndef MP_LOOK_H
#define MP_LOOK_H

#include "mp_security.h"

#if defined(__linux__) && defined(__LP64__)
#define MP_LOOKS_AT_ELF 1

#include <elf.h>
#include <link.h>

enum { MODULES_MAX = 768, CODES_MAX = 1024, REGIONS_MAX = 16384, PATHS_MAX = 1 << 17, NEEDED_MAX = 8192, PAGE = 4096 };

/// Code in memory: a mapping that can be executed.
typedef struct {
  uint64_t start, end, offset;
  const char *path;
  int module;
  uint8_t owner;
  bool is_writable, is_deleted;
} mp_code;

/// An image that the dynamic linker lists.
typedef struct {
  uint64_t bias, base, end, dynamic;
  /// The dynamic section's tables, as addresses; 0 where they are missing or lie outside the image.
  uint64_t strings, strings_size, symbols, hash, relocations, relocations_size, calls, calls_size;
  const char *path, *soname;
  /// Hashes of the soname and of the path's last part, and the names that it needs.
  uint32_t soname_hash, file_hash, first_needed, needed_count;
  uint8_t owner;
  bool has_text_relocations, is_vdso;
} mp_module;

/// A range of memory, readable or not.
typedef struct {
  uint64_t start, end;
  bool is_readable, is_writable, is_file;
} mp_region;

typedef struct {
  mp_module modules[MODULES_MAX];
  mp_code codes[CODES_MAX];
  mp_region regions[REGIONS_MAX];
  char paths[PATHS_MAX];
  uint32_t needed[NEEDED_MAX];
  size_t needed_count, module_count, code_count, region_count, paths_used;
  /// The dynamic linker was changing its list, or there is none.
  bool has_modules, is_truncated;
  char buffer[2 * PAGE];
} mp_look;

/// Reads the maps and the dynamic linker's list; 0 or an errno.
int mp_look_open(mp_look *look);

/// Copies memory of the own process without ever faulting; how many bytes were readable.
size_t mp_peek(uint64_t address, void *to, size_t size);

/// The index of the module or code that has an address, or -1.
int mp_module_at(const mp_look *look, uint64_t address);
int mp_code_at(const mp_look *look, uint64_t address);
/// Tells whether all of a range can be read.
bool mp_is_readable(const mp_look *look, uint64_t address, uint64_t size);

static inline bool mp_is_own(int owner) {
  return owner == MP_OWNER_MAIN || owner == MP_OWNER_LINKED || owner == MP_OWNER_LOADED;
}

/// A string of a module's table; NULL where it does not lie in it.
const char *mp_module_string(const mp_module *module, uint64_t offset);
/// The symbol of a number in a module's table; NULL where there is none.
const Elf64_Sym *mp_module_symbol(const mp_look *look, const mp_module *module, uint32_t index);
/// A function that a module defines, by its name.
const Elf64_Sym *mp_module_find(const mp_look *look, const mp_module *module, const char *name);
/// The function that has an address, as far as its name is exported; NULL otherwise.
const char *mp_module_name_at(const mp_look *look, const mp_module *module, uint64_t address);

#if defined(__x86_64__)
enum { JUMP_SLOT = R_X86_64_JUMP_SLOT, GLOBAL_DATA = R_X86_64_GLOB_DAT };
#elif defined(__aarch64__)
enum { JUMP_SLOT = R_AARCH64_JUMP_SLOT, GLOBAL_DATA = R_AARCH64_GLOB_DAT };
#else
enum { JUMP_SLOT = -1, GLOBAL_DATA = -1 };
#endif

void mp_find_images(mp_look *look, mp_findings *out);
void mp_find_slots(mp_look *look, mp_findings *out);
void mp_find_patches(mp_look *look, mp_findings *out);
/// Compares code with its file: 1 where it differs (at `*first`), 0 where it does not, -1 where it cannot be compared.
int mp_compare_code(mp_look *look, const mp_code *code, uint64_t address, size_t size, uint64_t *first);
#endif

void mp_find_debugger(mp_findings *out);
void mp_find_variables(mp_findings *out);
void mp_find_frida_threads(mp_findings *out);
void mp_find_frida_ports(mp_findings *out);

/// Room for one more finding, cleared; NULL where none is left.
mp_finding *mp_add_finding(mp_findings *out, int kind, int confidence);
/// Copies a text and cuts it where it does not fit.
void mp_set_text(char *to, size_t capacity, const char *from);
void mp_set_bytes(char *to, size_t capacity, const char *from, size_t size);

/// Tells whether an image is expected by its path.
bool mp_is_allowed(const char *path);

/// Reads a small file of /proc; the count, NUL-terminated, or -1.
long mp_read_small(const char *path, char *to, size_t capacity);
/// Writes `/proc/PID/NAME`.
void mp_proc_path(char to[64], int pid, const char *name);

#endif
