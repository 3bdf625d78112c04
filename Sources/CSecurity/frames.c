#include <stdint.h>
#include <unwind.h>

#include "mp_security.h"

typedef struct {
  int frame, result;
} walk;

static _Unwind_Reason_Code look_at(struct _Unwind_Context *frame, void *context) {
  walk *walk = context;
  // The first frame is this library's, the second that of the function that asks. Between a caller in C and a function
  // of Swift stands a thunk of the app, so two more are looked at.
  int number = walk->frame++;
  if (number < 2) return _URC_NO_REASON;
  const void *address = (const void *)(uintptr_t)_Unwind_GetIP(frame);
  int result = address == NULL ? 0 : mp_security_is_foreign(address);
  if (result != 0 && number == 2) walk->result = result;
  if (result == 1) walk->result = 1;
  return result == 1 || number == 3 ? _URC_END_OF_STACK : _URC_NO_REASON;
}

__attribute__((noinline)) int mp_security_caller_is_foreign(void) {
  walk walk = {0, 0};
  _Unwind_Backtrace(look_at, &walk);
  return walk.result;
}
