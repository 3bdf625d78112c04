/// Writes the sections of a raw record. Private; all of it is async-signal-safe.
#ifndef MP_WRITER_H
#define MP_WRITER_H

#include "state.h"

/// Makes the table of CRC-32; once, at installation.
void mp_writer_prepare(void);

/// Writes the header of a record into `file`, whose contents are replaced.
void mp_writer_begin(mp_writer *writer, int file);
void mp_section_begin(mp_writer *writer, mp_record_kind kind);
void mp_put_u32(mp_writer *writer, uint32_t value);
void mp_put_u64(mp_writer *writer, uint64_t value);
void mp_put_bytes(mp_writer *writer, const void *bytes, size_t count);
void mp_put_string(mp_writer *writer, const char *text);
/// Overwrites four bytes at `at`, which `writer->used` gave before.
void mp_put_u32_at(mp_writer *writer, uint32_t at, uint32_t value);
/// Writes the section out whole. A section that did not fit or was not written sets `failed`.
void mp_section_end(mp_writer *writer);
/// A section of one string.
void mp_write_note(mp_writer *writer, const char *text);

#endif
