#include "look.h"

#if defined(MP_LOOKS_AT_ELF)

#include <errno.h>
#include <string.h>

#include "slots.h"

enum { FIRST_BYTES = 16 };

static bool is_library(const mp_module *module, const char *library) {
  if (strcmp(module->path, library) == 0 || (module->soname != NULL && strcmp(module->soname, library) == 0)) return true;
  const char *slash = strrchr(module->path, '/');
  return strcmp(slash == NULL ? module->path : slash + 1, library) == 0;
}

typedef struct {
  mp_look *look;
  const mp_module *module, *defining;
  const char *name;
  const Elf64_Sym *symbol;
  mp_function *out;
} slot_search;

/// Tells whether a slot still has the content of the file: it is filled by the first call.
static bool is_unbound(const slot_search *search, const mp_slot *slot) {
  int own = mp_module_at(search->look, slot->value);
  return slot->is_call && own >= 0 && &search->look->modules[own] == search->module;
}

static bool is_expected(const slot_search *search, uint64_t value) {
  if (search->symbol == NULL) return false;
  if (value == search->out->expected) return true;
  // An indirect function chooses among several of its library.
  bool chooses = ELF64_ST_TYPE(search->symbol->st_info) == STT_GNU_IFUNC;
  return chooses && value >= search->defining->base && value < search->defining->end;
}

static bool look_at(void *context, const mp_slot *slot) {
  slot_search *search = context;
  const Elf64_Sym *symbol = mp_module_symbol(search->look, search->module, slot->symbol);
  const char *name = symbol == NULL ? NULL : mp_module_string(search->module, symbol->st_name);
  if (name == NULL || strcmp(name, search->name) != 0) return true;
  search->out->is_known = true;
  // A function of the executable's own name stands before libraries: it is what the slot leads to.
  if (slot->value == 0 || is_expected(search, slot->value) || is_unbound(search, slot)) {
    if (search->out->address == 0 && is_expected(search, slot->value)) search->out->address = slot->value;
    return true;
  }
  search->out->slot_is_replaced = true;
  search->out->slot = slot->address;
  search->out->address = slot->value;
  mp_set_text(search->out->slot_path, sizeof search->out->slot_path, search->module->path);
  return false;
}

/// The owner of the address that calls reach, and its first bytes.
static void judge(mp_look *look, mp_function *out) {
  int code = mp_code_at(look, out->address);
  out->owner = code < 0 ? MP_OWNER_NONE : look->codes[code].owner;
  if (code < 0) return;
  mp_set_text(out->owner_path, sizeof out->owner_path, look->codes[code].path);
  uint64_t rest = look->codes[code].end - out->address, first;
  int state = mp_compare_code(look, &look->codes[code], out->address, rest < FIRST_BYTES ? rest : FIRST_BYTES, &first);
  out->is_compared = state >= 0;
  out->is_patched = state == 1;
}

int mp_security_function(void *memory, const char *name, const char *library, mp_function *out) {
  mp_look *look = memory;
  memset(out, 0, sizeof *out);
  int saved = errno, failure = mp_look_open(look);
  if (failure != 0) return failure;
  slot_search search = {.look = look, .name = name, .out = out};
  for (size_t index = 0; index < look->module_count && search.symbol == NULL; index++) {
    const mp_module *module = &look->modules[index];
    // What the kernel exports under names of the C library is reached by that one alone.
    if (!mp_is_own(module->owner) || module->is_vdso || (library != NULL && !is_library(module, library))) continue;
    search.symbol = mp_module_find(look, module, name);
    search.defining = module;
  }
  if (search.symbol != NULL) {
    out->is_known = true;
    out->expected = search.defining->bias + search.symbol->st_value;
  }
  for (size_t index = 0; index < look->module_count && !out->slot_is_replaced; index++) {
    search.module = &look->modules[index];
    if (!mp_is_own(search.module->owner) || search.module->is_vdso) continue;
    // Without a library named, only those of the executable's slots and of what shares its scope say what is called.
    mp_each_slot(look, search.module, look_at, &search);
  }
  bool chooses = search.symbol != NULL && ELF64_ST_TYPE(search.symbol->st_info) == STT_GNU_IFUNC;
  if (out->address == 0 && !chooses) out->address = out->expected;
  if (out->address != 0) judge(look, out);
  errno = saved;
  return 0;
}

int mp_security_code(void *memory, const void *address, mp_function *out) {
  mp_look *look = memory;
  memset(out, 0, sizeof *out);
  int saved = errno, failure = mp_look_open(look);
  if (failure != 0) return failure;
  out->is_known = true;
  out->address = out->expected = (uint64_t)(uintptr_t)address;
  judge(look, out);
  errno = saved;
  return 0;
}

#endif
