/// A thread's registers, numbered as libunwind numbers them.
#ifndef MP_REGISTERS_H
#define MP_REGISTERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__aarch64__)
/// x0…x30, sp, pc.
enum { MP_REGISTER_COUNT = 33, MP_REGISTER_FP = 29, MP_REGISTER_SP = 31, MP_REGISTER_PC = 32 };
#else
/// rax rdx rcx rbx rsi rdi rbp rsp r8…r15 rip.
enum { MP_REGISTER_COUNT = 17, MP_REGISTER_FP = 6, MP_REGISTER_SP = 7, MP_REGISTER_PC = 16 };
#endif

typedef struct mp_registers {
  uint64_t values[MP_REGISTER_COUNT];
  /// rflags or pstate; not needed for unwinding.
  uint64_t flags;
} mp_registers;

/// The name of a register in lower case; NULL past the last.
const char *mp_register_name(int index);

/// From the `ucontext_t` that a signal handler was given. Async-signal-safe.
void mp_registers_from_ucontext(mp_registers *out, const void *ucontext);

/// From a `struct user_regs_struct`, as ptrace and NT_PRSTATUS give it.
/// - Returns: false where `size` is not that of this architecture.
bool mp_registers_from_user_regs(mp_registers *out, const void *registers, size_t size);

#ifdef __cplusplus
}
#endif
#endif
