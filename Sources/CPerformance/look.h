/// Looks at threads from the outside. Private to CPerformance.
#ifndef MP_LOOK_H
#define MP_LOOK_H

#include "hang_state.h"

/// The place in the kernel where a thread is.
typedef struct mp_place {
  /// The kernel's letter; 0 where the thread is gone.
  char state;
  bool is_in_call;
  long call;
  uint64_t arguments[6], sp, pc;
} mp_place;

/// The time of a thread on the processor, in nanoseconds; 0 where it is gone.
uint64_t mp_processor_time(int tid);
mp_thread_times mp_times_of(int tid);
mp_place mp_place_of(int tid);
/// Tells whether a debugger is attached to the process.
bool mp_is_traced(void);
/// The thread that holds the lock that `place` waits for; 0 where that cannot be told.
int mp_lock_owner(const mp_place *place, int tid);
/// Tells whether a signal would make the call return early with EINTR.
bool mp_is_cut_short(const mp_place *place);
bool mp_is_own_thread(int tid);

#endif
