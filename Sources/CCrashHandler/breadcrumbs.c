#if defined(__linux__)

#include "breadcrumbs.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "crash_reporter.h"

/// One entry; `turn` is 2n+1 while entry n is being written and 2n+2 when it is whole.
typedef struct {
  _Atomic uint64_t turn;
  int64_t seconds;
  uint32_t nanoseconds;
  char text[MP_BREADCRUMB_TEXT];
} breadcrumb;

typedef struct {
  _Atomic uint64_t next;
  breadcrumb entries[MP_BREADCRUMB_COUNT];
} ring;

// `BreadcrumbRing.swift` reads the ring of other processes by this layout.
_Static_assert(sizeof(breadcrumb) == 136 && sizeof(ring) == 8 + 128 * 136, "the ring is read from outside");

static ring *_Atomic shared;
static ring copied;

int mp_breadcrumbs_open(const char *path) {
  int file = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (file < 0) return errno;
  int error = posix_fallocate(file, 0, (off_t)sizeof(ring));
  void *memory = MAP_FAILED;
  if (error == 0) {
    memory = mmap(NULL, sizeof(ring), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (memory == MAP_FAILED) error = errno;
  }
  close(file);
  if (error == 0) atomic_store(&shared, memory);
  else unlink(path);
  return error;
}

void mp_breadcrumbs_after_fork(void) {
  ring *parents = atomic_load(&shared);
  if (parents == NULL) return;
  memcpy(&copied, parents, sizeof copied);
  void *own = mmap(parents, sizeof(ring), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
  if (own == MAP_FAILED) atomic_store(&shared, NULL);
  else memcpy(own, &copied, sizeof copied);
}

void crash_reporter_leave_breadcrumb(const char *name) {
  ring *entries = atomic_load_explicit(&shared, memory_order_acquire);
  if (entries == NULL || name == NULL) return;
  int saved = errno;
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  uint64_t number = atomic_fetch_add_explicit(&entries->next, 1, memory_order_relaxed);
  breadcrumb *entry = &entries->entries[number % MP_BREADCRUMB_COUNT];
  atomic_store_explicit(&entry->turn, number * 2 + 1, memory_order_release);
  atomic_thread_fence(memory_order_release);
  entry->seconds = now.tv_sec;
  entry->nanoseconds = (uint32_t)now.tv_nsec;
  size_t length = strnlen(name, MP_BREADCRUMB_TEXT - 1);
  // Not in the middle of a UTF-8 sequence.
  if (name[length] != 0) {
    while (length > 0 && ((unsigned char)name[length] & 0xc0) == 0x80) length--;
  }
  memcpy(entry->text, name, length);
  entry->text[length] = 0;
  atomic_store_explicit(&entry->turn, number * 2 + 2, memory_order_release);
  errno = saved;
}

void mp_write_breadcrumbs(mp_writer *writer) {
  ring *entries = atomic_load(&shared);
  if (entries == NULL) return;
  uint64_t end = atomic_load(&entries->next);
  uint64_t start = end > MP_BREADCRUMB_COUNT ? end - MP_BREADCRUMB_COUNT : 0;
  mp_section_begin(writer, MP_RECORD_BREADCRUMBS);
  uint32_t count = 0, count_at = writer->used;
  mp_put_u32(writer, 0);
  for (uint64_t number = start; number < end; number++) {
    breadcrumb *entry = &entries->entries[number % MP_BREADCRUMB_COUNT];
    // An entry whose writer was stopped halfway is left out.
    if (atomic_load(&entry->turn) != number * 2 + 2) continue;
    entry->text[MP_BREADCRUMB_TEXT - 1] = 0;
    mp_put_u64(writer, (uint64_t)entry->seconds);
    mp_put_u32(writer, entry->nanoseconds);
    mp_put_string(writer, entry->text);
    count++;
  }
  mp_put_u32_at(writer, count_at, count);
  mp_section_end(writer);
}

#endif
