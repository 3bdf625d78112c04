/// The sections that records of crashes and of hangs have in common.
#if defined(__linux__)

#include <string.h>
#include <unistd.h>

#include "mp_facts.h"
#include "mp_text.h"
#include "mp_writer.h"

void mp_write_facts(mp_writer *writer, const mp_facts *facts, const char *user) {
  mp_section_begin(writer, MP_RECORD_PROCESS);
  mp_put_u32(writer, (uint32_t)getpid());
  mp_put_u32(writer, (uint32_t)getppid());
  mp_put_u32(writer, getuid());
  mp_put_u64(writer, (uint64_t)facts->start_seconds);
  mp_put_u32(writer, facts->start_nanoseconds);
  const char *texts[] = {
    facts->process_name,   facts->path,         facts->application_name, facts->identifier, facts->version,
    facts->build,          facts->app_key,      user,                    facts->system_name,
    facts->system_version, facts->system_build, facts->kernel,           facts->model,
  };
  for (size_t index = 0; index < sizeof texts / sizeof *texts; index++) mp_put_string(writer, texts[index]);
  mp_section_end(writer);
}

void mp_thread_name(int tid, char *to, size_t capacity) {
  char path[64];
  mp_text name = mp_text_in(path, sizeof path);
  mp_text_add(&name, "/proc/self/task/");
  mp_text_add_number(&name, (uint64_t)tid);
  mp_text_add(&name, "/comm");
  long length = mp_read_file(path, to, capacity);
  if (length <= 0) to[0] = 0;
  else if (to[length - 1] == '\n') to[length - 1] = 0;
}

void mp_write_thread(mp_writer *writer, const mp_thread_record *thread) {
  const mp_registers *registers = thread->registers;
  char name[32];
  mp_thread_name(thread->tid, name, sizeof name);
  mp_section_begin(writer, MP_RECORD_THREAD);
  mp_put_u64(writer, (uint64_t)thread->tid);
  mp_put_u32(writer, thread->flags | (registers == NULL ? 0u : (uint32_t)MP_RECORD_THREAD_HAS_REGISTERS));
  mp_put_u32(writer, (uint32_t)thread->stop);
  mp_put_string(writer, name);
  mp_put_u32(writer, registers == NULL ? 0 : MP_REGISTER_COUNT);
  for (int index = 0; registers != NULL && index < MP_REGISTER_COUNT; index++) {
    mp_put_u64(writer, registers->values[index]);
  }
  mp_put_u64(writer, registers == NULL ? 0 : registers->flags);
  mp_put_u32(writer, (uint32_t)thread->count);
  for (size_t index = 0; index < thread->count; index++) {
    mp_put_u64(writer, thread->frames[index].pc);
    mp_put_u32(writer, (uint32_t)thread->frames[index].kind);
  }
  mp_section_end(writer);
}

void mp_write_images(mp_writer *writer, const mp_images *images, const char *main) {
  for (size_t index = 0; index < images->count; index++) {
    const mp_image *image = &images->images[index];
    uint32_t flags = (image->is_vdso ? MP_RECORD_IMAGE_VDSO : 0u) | (image->is_deleted ? MP_RECORD_IMAGE_DELETED : 0u) |
      (image->is_anonymous ? MP_RECORD_IMAGE_ANONYMOUS : 0u);
    if (strcmp(image->path, main) == 0) flags |= MP_RECORD_IMAGE_MAIN;
    mp_section_begin(writer, MP_RECORD_IMAGE);
    mp_put_u64(writer, image->base);
    mp_put_u64(writer, image->end);
    mp_put_u64(writer, image->bias);
    mp_put_u32(writer, flags);
    mp_put_u32(writer, image->machine);
    mp_put_u32(writer, image->build_id_length);
    mp_put_bytes(writer, image->build_id, image->build_id_length);
    mp_put_string(writer, image->path);
    mp_section_end(writer);
  }
  if (images->is_truncated) mp_write_note(writer, "There were more images than the record holds.");
}

void mp_write_memory(mp_writer *writer, char *scratch, size_t capacity) {
  uint64_t available = 0, total = 0, pages = 0;
  if (mp_read_file("/proc/meminfo", scratch, capacity) > 0) {
    available = mp_number_after(scratch, "MemAvailable:");
    total = mp_number_after(scratch, "MemTotal:");
  }
  // Size, then resident size, in pages.
  if (mp_read_file("/proc/self/statm", scratch, capacity) > 0) {
    const char *at = scratch;
    if (mp_parse_number(&at, &pages)) mp_parse_number(&at, &pages);
  }
  mp_section_begin(writer, MP_RECORD_MEMORY);
  mp_put_u64(writer, available * 1024);
  mp_put_u64(writer, total * 1024);
  mp_put_u64(writer, pages * (uint64_t)sysconf(_SC_PAGESIZE));
  mp_section_end(writer);
}

#endif
