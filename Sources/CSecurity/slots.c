#include "look.h"

#if defined(MP_LOOKS_AT_ELF)

#include <string.h>

#include "slots.h"

void mp_each_slot(mp_look *look, const mp_module *module, bool (*visit)(void *, const mp_slot *), void *context) {
  const struct {
    uint64_t start, size;
  } tables[] = {{module->calls, module->calls_size}, {module->relocations, module->relocations_size}};
  for (size_t table = 0; table < 2; table++) {
    const Elf64_Rela *entries = (const Elf64_Rela *)(uintptr_t)tables[table].start;
    size_t count = tables[table].size / sizeof *entries;
    // The last slot's range is asked for once, not for each slot.
    uint64_t readable_from = 0, readable_to = 0;
    for (size_t index = 0; index < count; index++) {
      uint32_t type = ELF64_R_TYPE(entries[index].r_info);
      if (type != (uint32_t)JUMP_SLOT && type != (uint32_t)GLOBAL_DATA) continue;
      uint64_t address = module->bias + entries[index].r_offset;
      if (address < module->base || address > module->end - 8 || address % 8 != 0) continue;
      if (address < readable_from || address >= readable_to) {
        uint64_t page = address & ~(uint64_t)(PAGE - 1);
        if (!mp_is_readable(look, page, PAGE)) continue;
        readable_from = page;
        readable_to = page + PAGE;
      }
      mp_slot slot = {
        .address = address, .value = *(const volatile uint64_t *)(uintptr_t)address,
        .symbol = (uint32_t)ELF64_R_SYM(entries[index].r_info), .is_call = type == (uint32_t)JUMP_SLOT};
      if (!visit(context, &slot)) return;
    }
  }
}

typedef struct {
  mp_look *look;
  const mp_module *module;
  mp_findings *out;
  uint64_t own_from, own_to;
  size_t found;
} search;

/// Tells whether a slot leads where the app's own code or data may lie; the last range is kept, as neighbors lead there too.
static bool leads_to_own(search *search, uint64_t value) {
  if (value >= search->own_from && value < search->own_to) return true;
  int index = mp_module_at(search->look, value);
  if (index >= 0) {
    const mp_module *module = &search->look->modules[index];
    if (!mp_is_own(module->owner)) return false;
    search->own_from = module->base;
    search->own_to = module->end;
    return true;
  }
  int code = mp_code_at(search->look, value);
  return code >= 0 ? mp_is_own(search->look->codes[code].owner) : false;
}

static bool look_at(void *context, const mp_slot *slot) {
  search *search = context;
  if (slot->value == 0 || leads_to_own(search, slot->value)) return true;
  int code = mp_code_at(search->look, slot->value);
  // Data may lie anywhere, absolute values too; only calls always lead to code.
  if (code < 0 && !slot->is_call) return true;
  const Elf64_Sym *symbol = mp_module_symbol(search->look, search->module, slot->symbol);
  const char *name = symbol == NULL ? NULL : mp_module_string(search->module, symbol->st_name);
  mp_finding *finding = mp_add_finding(search->out, MP_FOUND_REPLACED_SLOT, code < 0 ? MP_PROBABLE : MP_CERTAIN);
  if (finding == NULL) return false;
  finding->address = slot->address;
  finding->value = slot->value;
  mp_set_text(finding->text, sizeof finding->text, code < 0 ? "" : search->look->codes[code].path);
  if (name != NULL) mp_set_text(finding->name, sizeof finding->name, name);
  // One library that stands before all others takes over hundreds of functions.
  return ++search->found < 16;
}

void mp_find_slots(mp_look *look, mp_findings *out) {
  for (size_t index = 0; index < look->module_count; index++) {
    const mp_module *module = &look->modules[index];
    if (!mp_is_own(module->owner) || module->is_vdso) continue;
    search search = {.look = look, .module = module, .out = out};
    mp_each_slot(look, module, look_at, &search);
  }
}

#endif
