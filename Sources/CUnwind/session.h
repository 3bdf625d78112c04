/// One step of libunwind, from register values to register values. Private to CUnwind.
#ifndef MP_SESSION_H
#define MP_SESSION_H

#include "mp_unwind.h"

typedef struct mp_session {
  const mp_memory *memory;
  const mp_images *images;
  mp_registers registers;
  /// Set by a step: the image that was searched for the address, or -1.
  int image;
  /// Set by a step: the start of the function that the frame description covers; 0 where there is none.
  uint64_t function;
  bool memory_failed;
  /// Set by a step: the memory of a table of descriptions could not be read, so that there may be one.
  bool search_failed;
} mp_session;

typedef enum mp_step {
  MP_STEP_DONE,
  MP_STEP_OUTERMOST,
  /// No frame description covers the address.
  MP_STEP_NO_DESCRIPTION,
  MP_STEP_FAILED,
} mp_step;

/// Replaces the registers by the caller's.
///
/// - lookup: the address whose description is used: the pc itself, or one less for a return address.
mp_step mp_session_step(mp_session *session, uint64_t lookup);

#endif
