/// The crash handler: installation, and what may be told to it later.
#ifndef MP_CRASH_H
#define MP_CRASH_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct mp_crash_configuration {
  /// The folder of raw records; it must exist.
  const char *directory;
  /// All of these may be NULL.
  const char *application_name, *identifier, *version, *build, *app_key;
  /// The seconds that the handler may take before it writes what it has; 0 for 5 seconds.
  uint32_t time_limit_ms;
  /// For tests: the handler faults itself before it writes the section of this kind (see mp_record.h); 0 for never.
  uint32_t fault_in_section;
  /// For tests: the same, but it hangs there.
  uint32_t hang_in_section;
} mp_crash_configuration;

typedef enum mp_crash_status {
  MP_CRASH_INSTALLED,
  MP_CRASH_ALREADY_INSTALLED,
  /// The directory cannot be written to; see `error`.
  MP_CRASH_DIRECTORY,
  /// No room for a report.
  MP_CRASH_DISK_FULL,
  /// A limit of the process or of the system: files, memory.
  MP_CRASH_LIMIT,
  MP_CRASH_UNSUPPORTED,
} mp_crash_status;

typedef struct mp_crash_result {
  mp_crash_status status;
  /// The errno behind `status`, or 0.
  int error;
} mp_crash_result;

/// Installs the handler for the whole process. Not async-signal-safe; call it once, early.
mp_crash_result mp_crash_install(const mp_crash_configuration *configuration);

/// The hash of the user's id that reports carry from now on; NULL for none. At most 127 bytes. From any thread.
void mp_crash_set_user(const char *hash);

/// Tells whether stacks are unwound by libunwind; false where it is not installed and frame pointers must do.
bool mp_crash_uses_libunwind(void);

#ifdef __cplusplus
}
#endif
#endif
