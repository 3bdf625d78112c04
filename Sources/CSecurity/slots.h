#ifndef MP_SLOTS_H
#define MP_SLOTS_H

#include "look.h"

#if defined(MP_LOOKS_AT_ELF)
/// A word that the dynamic linker filled with the address of a function or variable of another image.
typedef struct {
  uint64_t address, value;
  uint32_t symbol;
  bool is_call;
} mp_slot;

/// Hands over each slot of a module that can be read, until `visit` says false.
void mp_each_slot(mp_look *look, const mp_module *module, bool (*visit)(void *, const mp_slot *), void *context);
#endif
#endif
