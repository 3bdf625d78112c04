/// Text without the C library's formatting, which may lock or allocate. All of it is async-signal-safe.
#ifndef MP_TEXT_H
#define MP_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A buffer that text is put into; what does not fit is cut off, and a NUL always follows.
typedef struct mp_text {
  char *bytes;
  size_t capacity, length;
} mp_text;

mp_text mp_text_in(char *bytes, size_t capacity);
void mp_text_add(mp_text *text, const char *more);
void mp_text_add_number(mp_text *text, uint64_t number);
void mp_text_add_hex(mp_text *text, uint64_t number);

/// Reads a file to at most `capacity - 1` bytes, puts a NUL behind them; -1 where it cannot be opened.
long mp_read_file(const char *path, char *to, size_t capacity);

/// The first unsigned decimal number at or behind `from`; false where there is none.
bool mp_parse_number(const char **from, uint64_t *value);

/// The number behind the line's name, as in `MemAvailable:  123 kB`; 0 where it is missing.
uint64_t mp_number_after(const char *text, const char *name);

/// Nanoseconds of a clock; 0 where it cannot be read.
uint64_t mp_clock_nanoseconds(int clock);

int mp_thread_id(void);

/// The ids of the process' threads, as /proc/self/task lists them.
size_t mp_list_threads(int *tids, size_t capacity);

#ifdef __cplusplus
}
#endif
#endif
