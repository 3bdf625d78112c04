/// Files in the kernel's cache of pages.
#ifndef MP_CACHE_H
#define MP_CACHE_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Asks the kernel to take a file out of memory (`posix_fadvise(2)`); pages that other programs have mapped stay.
///
/// - before, after: The bytes of the file in memory.
/// Returns 0, or a negated errno.
int mp_drop_file(const char *path, uint64_t *before, uint64_t *after);

#ifdef __cplusplus
}
#endif
#endif
