/// Recognizes frames of async Swift functions without their names. Private to CUnwind.
#ifndef MP_ASYNC_H
#define MP_ASYNC_H

#include "mp_unwind.h"

/// The async context of a frame whose function begins as the compiler begins async functions, or 0.
///
/// - registers: those of the frame.
/// - function: the start of its function, 0 where unknown.
/// - caller_sp: the canonical frame address.
uint64_t mp_async_frame_context(
  const mp_memory *memory, const mp_images *images, const mp_registers *registers, uint64_t function,
  uint64_t caller_sp);

/// The async context in the register that async functions without a frame keep it in, or 0.
uint64_t mp_async_register_context(const mp_memory *memory, const mp_images *images, const mp_registers *registers);

#endif
