/// The lines of /proc/PID/maps (proc_pid_maps(5)); async-signal-safe, nothing is allocated.
#ifndef MP_MAPS_H
#define MP_MAPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A range of memory and the file behind it.
typedef struct mp_mapping {
  uint64_t start, end, offset, device, inode;
  bool readable, writable, executable;
  /// Not NUL-terminated, valid during the call only; a removed file's ends with ` (deleted)`.
  const char *path;
  size_t path_length;
} mp_mapping;

/// Reads one line without its end; false where it is none of a map.
bool mp_mapping_parse(const char *line, const char *end, mp_mapping *out);

/// Tells whether the path is exactly `name`.
bool mp_mapping_is(const mp_mapping *mapping, const char *name);

/// Tells whether the file behind a mapping was removed, and how long its path is without that note.
bool mp_mapping_is_deleted(const mp_mapping *mapping, size_t *path_length);

/// Hands each line of a file as `/proc/self/maps` to `visit`, in order of addresses, until that says false.
///
/// Returns 0, or the errno of `open` or `read`.
int mp_maps_each(const char *maps_path, bool (*visit)(void *context, const mp_mapping *mapping), void *context);

#ifdef __cplusplus
}
#endif
#endif
