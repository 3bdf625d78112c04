/// The last words of the program, its runtime or the C library. Private.
#ifndef MP_LAST_WORDS_H
#define MP_LAST_WORDS_H

#include "mp_writer.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Finds the C library's abort message and hooks C++'s terminate handler.
void mp_last_words_prepare(void);
/// Puts a hook before the terminate handler of C++.
void mp_terminate_hook_install(void);
/// Keeps what the terminate hook found out about an uncaught exception.
void mp_keep_exception(const char *type, const char *what);
/// Writes the sections of last words for the crash in hand. Async-signal-safe.
void mp_write_last_words(mp_writer *writer);

#ifdef __cplusplus
}
#endif
#endif
