/// Frames that signals are behind of, and frames without a description that has just been entered. Private to CUnwind.
#ifndef MP_SIGNALS_H
#define MP_SIGNALS_H

#include "session.h"

/// The start of the kernel's way back from a signal handler where `pc` lies in it; 0 where it does not.
///
/// - innermost: The pc is the thread's own, which may lie behind the first instruction.
uint64_t mp_signal_return(const mp_memory *memory, uint64_t pc, bool innermost);

/// Tells whether the frame description of an address says that a signal's frame begins there ('S' in the augmentation).
bool mp_is_described_as_signal(const mp_memory *memory, const mp_images *images, uint64_t lookup);

/// The code that a signal interrupted, from the registers that the kernel left for the way back.
bool mp_follow_signal(mp_session *session);

/// The caller of a function whose first or last instructions the thread is at, before it has a frame or after that.
bool mp_follow_entry(mp_session *session);

#endif
