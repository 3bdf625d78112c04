#ifndef MP_MODULES_H
#define MP_MODULES_H

#include "look.h"

#if defined(MP_LOOKS_AT_ELF)
/// Reads the dynamic linker's list, without its lock: the parts that are linked never go away.
void mp_list_modules(mp_look *look);
/// Reads one image by its header, with its tables; false where no ELF file begins there.
bool mp_read_module(mp_look *look, mp_module *module, uint64_t header);
/// The owner of a file that nothing is linked with.
int mp_owner_by_path(const mp_look *look, const char *path);
const char *mp_keep_path(mp_look *look, const char *path, size_t size);
#endif
#endif
