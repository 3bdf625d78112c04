/// Writes the sections of a raw record. All of it is async-signal-safe.
#ifndef MP_WRITER_H
#define MP_WRITER_H

#include "mp_record.h"
#include "mp_unwind.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { MP_SECTION_MAX = 32 * 1024 };

/// The record that is being written.
typedef struct mp_writer {
  int file;
  uint64_t offset;
  uint32_t used;
  bool failed;
  uint8_t buffer[MP_SECTION_MAX];
} mp_writer;

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

/// A thread as a record has it.
typedef struct mp_thread_record {
  int tid;
  uint32_t flags;
  mp_stop stop;
  /// NULL where they are not known.
  const mp_registers *registers;
  const mp_frame *frames;
  size_t count;
} mp_thread_record;

/// The section of a thread, with its name.
void mp_write_thread(mp_writer *writer, const mp_thread_record *thread);
/// The sections of all images.
///
/// - main: The path of the program.
void mp_write_images(mp_writer *writer, const mp_images *images, const char *main);
/// The section of memory; `scratch` has room for the text of /proc/meminfo.
void mp_write_memory(mp_writer *writer, char *scratch, size_t capacity);
/// The section of the ring of breadcrumbs, oldest entry first; nothing where there is no ring.
void mp_write_breadcrumbs(mp_writer *writer);
/// The name of a thread of this process, or an empty text.
void mp_thread_name(int tid, char *to, size_t capacity);

#ifdef __cplusplus
}
#endif
#endif
