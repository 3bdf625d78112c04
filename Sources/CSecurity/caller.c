#include "look.h"

#if defined(MP_LOOKS_AT_ELF)

#include <errno.h>
#include <stdatomic.h>
#include <string.h>

enum { RANGES_MAX = 256 };

/// Code of the executable and of what it is linked with, which stays where it is until the process ends.
static struct {
  uint64_t start, end;
} ranges[RANGES_MAX];
static _Atomic size_t range_count;

/// Memory for the slow way; one look at a time.
static mp_look shared_look;
static atomic_flag is_looking = ATOMIC_FLAG_INIT;

static bool is_known_own(uint64_t address) {
  size_t count = atomic_load_explicit(&range_count, memory_order_acquire);
  for (size_t index = 0; index < count; index++) {
    if (address >= ranges[index].start && address < ranges[index].end) return true;
  }
  return false;
}

static void keep_ranges(const mp_look *look) {
  if (atomic_load(&range_count) != 0) return;
  size_t count = 0;
  for (size_t index = 0; index < look->code_count && count < RANGES_MAX; index++) {
    const mp_code *code = &look->codes[index];
    if (code->owner != MP_OWNER_MAIN && code->owner != MP_OWNER_LINKED) continue;
    ranges[count].start = code->start;
    ranges[count++].end = code->end;
  }
  atomic_store_explicit(&range_count, count, memory_order_release);
}

int mp_security_is_foreign(const void *address) {
  uint64_t at = (uint64_t)(uintptr_t)address;
  if (is_known_own(at)) return 0;
  // A handler that interrupts a look gets no second one.
  if (atomic_flag_test_and_set(&is_looking)) return -1;
  int saved = errno, result = -1;
  if (mp_look_open(&shared_look) == 0) {
    keep_ranges(&shared_look);
    int code = mp_code_at(&shared_look, at);
    result = code < 0 || !mp_is_own(shared_look.codes[code].owner);
    if (code < 0 && shared_look.is_truncated) result = -1;
  }
  atomic_flag_clear(&is_looking);
  errno = saved;
  return result;
}

#endif
