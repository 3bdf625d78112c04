/// The notes of a running program for the next start: a small file in memory that outlives the process.
///
/// Numbers are little-endian. The next start reads the file; whatever was noted last stands in it, however the process
/// ended, since the kernel keeps the pages.
#ifndef MP_RUN_H
#define MP_RUN_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define MP_RUN_MAGIC "MPRUN01\n"
#define MP_RUN_SIZE 1024

typedef struct mp_run {
  char magic[8];
  uint32_t version, pid;
  /// Microseconds since 1970.
  int64_t began, seen;
  /// Of the program's file.
  uint64_t inode, changed;
  /// Bytes: of the process, left on the machine, of the machine, of the group's limit (0 for none).
  uint64_t resident, available, total, limit;
  /// Processes that the kernel ended for want of memory in the group of this one, when it began.
  uint64_t kills;
  /// The time of the last low-memory note; 0 for none.
  int64_t low_memory;
  /// 1 once the process ended in order, with its status.
  uint32_t has_exited;
  int32_t status;
  /// The signal that asked it to end; 0 for none.
  uint32_t signal;
  uint32_t is_in_background, is_traced;
  /// NUL-terminated.
  char boot[64], app_version[128], system[128];
} mp_run;

/// Makes the file and begins to note: the end in order, and the signals HUP, INT, TERM and XCPU that end the process.
/// - Returns: The notes in memory; NULL where the file cannot be made, with errno.
mp_run *_Nullable mp_run_begin(const char *_Nonnull path, const mp_run *_Nonnull notes);

/// Numbers of processes that were ended for want of memory in the group of this process; 0 where that is not told.
uint64_t mp_run_group_kills(void);
/// Notes the memory of now.
void mp_run_note_memory(mp_run *_Nonnull run);

#ifdef __cplusplus
}
#endif
#endif
