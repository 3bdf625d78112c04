/// The facts of a report about the process and the machine, found out while all is well.
#ifndef MP_FACTS_H
#define MP_FACTS_H

#include <limits.h>

#include "mp_crash.h"
#include "mp_writer.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { MP_TEXT_MAX = 256 };

typedef struct mp_facts {
  char process_name[MP_TEXT_MAX], path[PATH_MAX];
  char application_name[MP_TEXT_MAX], identifier[MP_TEXT_MAX], version[MP_TEXT_MAX], build[MP_TEXT_MAX];
  char app_key[MP_TEXT_MAX];
  char system_name[MP_TEXT_MAX], system_version[MP_TEXT_MAX], system_build[MP_TEXT_MAX], kernel[MP_TEXT_MAX];
  char model[MP_TEXT_MAX];
  int64_t start_seconds;
  uint32_t start_nanoseconds;
} mp_facts;

void mp_facts_gather(mp_facts *facts, const mp_crash_configuration *configuration);

/// Writes the section of the process. Async-signal-safe.
///
/// - user: The hash of the user's id, or an empty text.
void mp_write_facts(mp_writer *writer, const mp_facts *facts, const char *user);

/// The facts that the crash handler was installed with; NULL where it is not.
const mp_facts *mp_crash_facts(void);
/// The hash of the user's id, or an empty text.
const char *mp_crash_user(void);

#ifdef __cplusplus
}
#endif
#endif
