#include <unwind.h>

#include "mp_hang.h"

typedef struct {
  uint64_t *out;
  size_t capacity, count, skipped;
} collector;

static _Unwind_Reason_Code take(struct _Unwind_Context *context, void *argument) {
  collector *found = argument;
  uint64_t pc = (uint64_t)_Unwind_GetIP(context);
  if (pc == 0 || found->count == found->capacity) return _URC_END_OF_STACK;
  // The first is this file's own.
  if (found->skipped++ != 0) found->out[found->count++] = pc;
  return _URC_NO_REASON;
}

__attribute__((noinline)) size_t mp_call_stack(uint64_t *out, size_t capacity) {
  collector found = {.out = out, .capacity = capacity};
  if (capacity != 0) _Unwind_Backtrace(take, &found);
  return found.count;
}
