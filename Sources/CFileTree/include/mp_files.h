#pragma once
#include <stddef.h>
#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Has two paths change what they name, at once. -1 where the system or the file system cannot.
int mp_files_exchange(const char *_Nonnull one, const char *_Nonnull other);

/// Writes to the disk all that is not there yet of the file system that a descriptor is on. -1 where that cannot be asked.
int mp_files_settle(int descriptor);

/// Copies bytes between files without bringing them into the program; fewer than asked for, or -1, where that ends.
ssize_t mp_files_copy(int from, int to, size_t size);

/// Has an empty file share the content of another until one of them is written to. -1 where the file system cannot.
int mp_files_clone(int from, int to);

#ifdef __cplusplus
}
#endif
