#define _GNU_SOURCE
#include "mp_registers.h"

#include <string.h>

#if defined(__aarch64__)
static const char *const names[MP_REGISTER_COUNT] = {
  "x0",  "x1",  "x2",  "x3",  "x4",  "x5",  "x6",  "x7",  "x8",  "x9",  "x10", "x11", "x12", "x13", "x14", "x15", "x16",
  "x17", "x18", "x19", "x20", "x21", "x22", "x23", "x24", "x25", "x26", "x27", "x28", "fp",  "lr",  "sp",  "pc",
};
#else
static const char *const names[MP_REGISTER_COUNT] = {
  "rax", "rdx", "rcx", "rbx", "rsi", "rdi", "rbp", "rsp", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15", "rip",
};
#endif

const char *mp_register_name(int index) {
  return index >= 0 && index < MP_REGISTER_COUNT ? names[index] : NULL;
}

#if defined(__linux__)

#include <sys/user.h>
#include <ucontext.h>

#if defined(__x86_64__)

void mp_registers_from_ucontext(mp_registers *out, const void *ucontext) {
  static const uint8_t order[MP_REGISTER_COUNT] = {
    REG_RAX, REG_RDX, REG_RCX, REG_RBX, REG_RSI, REG_RDI, REG_RBP, REG_RSP, REG_R8,
    REG_R9,  REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15, REG_RIP,
  };
  const greg_t *general = ((const ucontext_t *)ucontext)->uc_mcontext.gregs;
  for (int index = 0; index < MP_REGISTER_COUNT; index++) out->values[index] = (uint64_t)general[order[index]];
  out->flags = (uint64_t)general[REG_EFL];
}

bool mp_registers_from_user_regs(mp_registers *out, const void *registers, size_t size) {
  struct user_regs_struct user;
  if (size != sizeof user) return false;
  memcpy(&user, registers, sizeof user);
  const uint64_t values[MP_REGISTER_COUNT] = {
    user.rax, user.rdx, user.rcx, user.rbx, user.rsi, user.rdi, user.rbp, user.rsp, user.r8,
    user.r9,  user.r10, user.r11, user.r12, user.r13, user.r14, user.r15, user.rip,
  };
  memcpy(out->values, values, sizeof values);
  out->flags = user.eflags;
  return true;
}

#elif defined(__aarch64__)

void mp_registers_from_ucontext(mp_registers *out, const void *ucontext) {
  const mcontext_t *machine = &((const ucontext_t *)ucontext)->uc_mcontext;
  for (int index = 0; index < 31; index++) out->values[index] = machine->regs[index];
  out->values[MP_REGISTER_SP] = machine->sp;
  out->values[MP_REGISTER_PC] = machine->pc;
  out->flags = machine->pstate;
}

bool mp_registers_from_user_regs(mp_registers *out, const void *registers, size_t size) {
  struct user_regs_struct user;
  if (size != sizeof user) return false;
  memcpy(&user, registers, sizeof user);
  for (int index = 0; index < 31; index++) out->values[index] = user.regs[index];
  out->values[MP_REGISTER_SP] = user.sp;
  out->values[MP_REGISTER_PC] = user.pc;
  out->flags = user.pstate;
  return true;
}

#endif

#else

void mp_registers_from_ucontext(mp_registers *out, const void *ucontext) {
  (void)ucontext;
  memset(out, 0, sizeof *out);
}

bool mp_registers_from_user_regs(mp_registers *out, const void *registers, size_t size) {
  (void)out, (void)registers, (void)size;
  return false;
}

#endif
