#pragma once
#include <stdbool.h>
#include <stdint.h>

// Atomic operations of C11 on memory that Swift allocated. They are inlined into Swift's code, which has operations of its
// own only since iOS 18.

#ifdef __cplusplus
extern "C" {
#endif

/// Reads a word, and sees what was written before the store that it reads.
static inline intptr_t mp_atomic_load(const intptr_t *_Nonnull word) {
  return __atomic_load_n(word, __ATOMIC_ACQUIRE);
}

/// Writes a word; who reads it sees what was written before.
static inline void mp_atomic_store(intptr_t *_Nonnull word, intptr_t value) {
  __atomic_store_n(word, value, __ATOMIC_RELEASE);
}

/// Writes a word and returns the one before.
static inline intptr_t mp_atomic_exchange(intptr_t *_Nonnull word, intptr_t value) {
  return __atomic_exchange_n(word, value, __ATOMIC_ACQ_REL);
}

/// Adds to a word and returns the sum.
static inline intptr_t mp_atomic_add(intptr_t *_Nonnull word, intptr_t number) {
  return __atomic_add_fetch(word, number, __ATOMIC_ACQ_REL);
}

/// Reads a byte, and sees what was written before the store that it reads.
static inline uint8_t mp_atomic_load_byte(const uint8_t *_Nonnull byte) {
  return __atomic_load_n(byte, __ATOMIC_ACQUIRE);
}

/// Writes a byte; who reads it sees what was written before.
static inline void mp_atomic_store_byte(uint8_t *_Nonnull byte, uint8_t value) {
  __atomic_store_n(byte, value, __ATOMIC_RELEASE);
}

/// Writes `value` where the byte is `expected`; says whether it was.
static inline bool mp_atomic_replace_byte(uint8_t *_Nonnull byte, uint8_t expected, uint8_t value) {
  return __atomic_compare_exchange_n(byte, &expected, value, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
}

#ifdef __cplusplus
}
#endif
