#include "look.h"

#if defined(MP_LOOKS_AT_ELF)

#include <errno.h>

int mp_security_check(void *memory, unsigned checks, mp_findings *out) {
  int saved = errno, failure = 0;
  mp_look *look = memory;
  if (checks & MP_CHECK_DEBUGGER) mp_find_debugger(out);
  if (checks & MP_CHECK_IMAGES) mp_find_variables(out);
  if (checks & (MP_CHECK_IMAGES | MP_CHECK_SLOTS | MP_CHECK_CODE)) {
    failure = mp_look_open(look);
    if (failure == 0) {
      if (checks & MP_CHECK_IMAGES) mp_find_images(look, out);
      if (checks & MP_CHECK_SLOTS) mp_find_slots(look, out);
      if (checks & MP_CHECK_CODE) mp_find_patches(look, out);
    }
  }
  if (checks & MP_CHECK_FRIDA) mp_find_frida_threads(out);
  if (checks & MP_CHECK_PORTS) mp_find_frida_ports(out);
  errno = saved;
  return failure;
}

#endif
