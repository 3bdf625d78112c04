#include "look.h"

#if defined(MP_LOOKS_AT_ELF)

#include "modules.h"
#include "slots.h"

static bool count_slot(void *context, const mp_slot *slot) {
  (void)slot;
  ++*(size_t *)context;
  return true;
}

size_t mp_security_probe_image(void *memory, const void *image, size_t size, const char *function) {
  mp_look *look = memory;
  uint64_t start = (uint64_t)(uintptr_t)image;
  look->module_count = look->code_count = look->paths_used = look->needed_count = 0;
  look->regions[0] = (mp_region){.start = start, .end = start + size, .is_readable = true, .is_file = true};
  look->region_count = 1;
  mp_module *module = &look->modules[0];
  if (!mp_read_module(look, module, start)) return 0;
  size_t count = 0;
  mp_each_slot(look, module, count_slot, &count);
  if (mp_module_find(look, module, function) != NULL) count++;
  // The whole table of symbols is gone through for an address that none of them has.
  mp_module_name_at(look, module, start);
  return count;
}

#else

size_t mp_security_probe_image(void *memory, const void *image, size_t size, const char *function) {
  (void)memory, (void)image, (void)size, (void)function;
  return 0;
}

#endif
