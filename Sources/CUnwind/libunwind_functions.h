/// libunwind's functions, looked up when they are first needed. Private to CUnwind.
///
/// Debian's static archive is not position-independent, so a Swift program cannot link it; the shared library at
/// start-up would cost every command its loading time, and would put its own `_Unwind_…` in front of the C++ runtime's.
#ifndef MP_LIBUNWIND_FUNCTIONS_H
#define MP_LIBUNWIND_FUNCTIONS_H

#include <libunwind.h>
#include <stdbool.h>

typedef struct mp_libunwind {
  unw_addr_space_t (*create_addr_space)(unw_accessors_t *, int);
  void (*destroy_addr_space)(unw_addr_space_t);
  int (*set_caching_policy)(unw_addr_space_t, unw_caching_policy_t);
  int (*init_remote)(unw_cursor_t *, unw_addr_space_t, void *);
  int (*step)(unw_cursor_t *);
  int (*get_reg)(unw_cursor_t *, int, unw_word_t *);
  /// Exported for remote unwinders, though no header declares it.
  int (*dwarf_search_unwind_table)(unw_addr_space_t, unw_word_t, unw_dyn_info_t *, unw_proc_info_t *, int, void *);
} mp_libunwind;

extern mp_libunwind libunwind __attribute__((visibility("hidden")));

/// Fills `libunwind`; false where the library is not installed.
bool mp_libunwind_load(void);

#endif
