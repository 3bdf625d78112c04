/// Takes the stacks of threads. Private to CPerformance.
#ifndef MP_SAMPLING_H
#define MP_SAMPLING_H

#include "look.h"

/// Takes the signal over that threads are asked with; false where that failed.
bool mp_sampling_prepare(void);
/// Learns which files are mapped now.
void mp_sampling_list_images(void);

/// A stack as it was found.
typedef struct mp_taken {
  size_t count;
  mp_stop stop;
  bool has_registers;
  mp_registers registers;
} mp_taken;

/// Takes the stack of a thread at `place` into `mp_hangs.frames`.
///
/// - gently: Asks it by a signal only where it runs.
mp_taken mp_take_stack(int tid, const mp_place *place, bool gently);

#endif
