#if defined(__linux__)

#include "mp_writer.h"
#include "state.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

static uint32_t table[256];

void mp_writer_prepare(void) {
  for (uint32_t index = 0; index < 256; index++) {
    uint32_t value = index;
    for (int bit = 0; bit < 8; bit++) value = value & 1 ? value >> 1 ^ 0xedb88320u : value >> 1;
    table[index] = value;
  }
}

static uint32_t checksum(const uint8_t *bytes, size_t count) {
  uint32_t value = ~0u;
  for (size_t index = 0; index < count; index++) value = value >> 8 ^ table[(value ^ bytes[index]) & 0xff];
  return ~value;
}

static void write_out(mp_writer *writer, const void *bytes, size_t count) {
  size_t done = 0;
  while (done < count && !writer->failed) {
    ssize_t result =
      pwrite(writer->file, (const uint8_t *)bytes + done, count - done, (off_t)(writer->offset + done));
    if (result > 0) done += (size_t)result;
    else if (result == 0 || errno != EINTR) writer->failed = true;
  }
  if (!writer->failed) writer->offset += count;
}

void mp_writer_begin(mp_writer *writer, int file) {
  writer->file = file;
  writer->offset = 0;
  writer->used = 0;
  writer->failed = file < 0;
  mp_record_header header = {.version = MP_RECORD_VERSION};
  memcpy(header.magic, MP_RECORD_MAGIC, sizeof header.magic);
#if defined(__aarch64__)
  header.machine = 183;
#else
  header.machine = 62;
#endif
  write_out(writer, &header, sizeof header);
}

void mp_put_bytes(mp_writer *writer, const void *bytes, size_t count) {
  // Room for the checksum stays free.
  if (count > sizeof writer->buffer - 4 - writer->used) {
    writer->failed = true;
    return;
  }
  memcpy(writer->buffer + writer->used, bytes, count);
  writer->used += (uint32_t)count;
}

void mp_put_u32(mp_writer *writer, uint32_t value) {
  mp_put_bytes(writer, &value, sizeof value);
}

void mp_put_u64(mp_writer *writer, uint64_t value) {
  mp_put_bytes(writer, &value, sizeof value);
}

void mp_put_string(mp_writer *writer, const char *text) {
  size_t length = text == NULL ? 0 : strlen(text);
  mp_put_u32(writer, (uint32_t)length);
  mp_put_bytes(writer, text, length);
}

void mp_put_u32_at(mp_writer *writer, uint32_t at, uint32_t value) {
  if (at + sizeof value <= writer->used) memcpy(writer->buffer + at, &value, sizeof value);
}

void mp_section_begin(mp_writer *writer, mp_record_kind kind) {
  if (mp_crash_state.fault_in_section == (uint32_t)kind) {
    mp_crash_state.fault_in_section = 0;
    __builtin_trap();
  }
  while (mp_crash_state.hang_in_section == (uint32_t)kind) pause();
  writer->used = 0;
  mp_put_u32(writer, (uint32_t)kind);
  mp_put_u32(writer, 0);
}

void mp_section_end(mp_writer *writer) {
  mp_put_u32_at(writer, 4, writer->used - 8);
  uint32_t sum = checksum(writer->buffer, writer->used);
  memcpy(writer->buffer + writer->used, &sum, sizeof sum);
  write_out(writer, writer->buffer, writer->used + sizeof sum);
}

void mp_write_note(mp_writer *writer, const char *text) {
  mp_section_begin(writer, MP_RECORD_NOTE);
  mp_put_string(writer, text);
  mp_section_end(writer);
}

#endif
