/// The numbered entries of folders of /proc: threads, descriptors; async-signal-safe, nothing is allocated.
#ifndef MP_NUMBERS_H
#define MP_NUMBERS_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Hands each number that names an entry of a folder such as `/proc/self/task` to `visit`, until that says false.
///
/// The descriptor by which the folder itself is read is left out. Returns 0, or the errno of `open` or `getdents64`.
int mp_numbers_each(const char *path, bool (*visit)(void *context, int number), void *context);

#ifdef __cplusplus
}
#endif
#endif
