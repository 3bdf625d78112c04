#include <assert.h>
#include <stdlib.h>

#include "faults.h"

static volatile int orders = 3;

void fault_abort(void) {
  if (orders == 3) abort();  // crash: abort
}

void fault_assert(void) {
  assert(orders == 4);  // crash: assert
}
