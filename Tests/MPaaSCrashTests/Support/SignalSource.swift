/// A program that waits in the handler of a signal which came at the very first instruction of a function.
///
/// The function begins with a breakpoint, which the handler takes away. Arguments:
/// `plain`; `alternate`: the handler has a stack of its own. On x86-64 also ways back from the handler that are not the C
/// library's: `undescribed`, `short`: without a frame description, by either form of the instruction; `described`: by other
/// instructions, with a description that marks it.
let signalSource = #"""
  #define _GNU_SOURCE
  #include <signal.h>
  #include <stdint.h>
  #include <stdlib.h>
  #include <string.h>
  #include <sys/mman.h>
  #include <sys/syscall.h>
  #include <ucontext.h>
  #include <unistd.h>
  #if defined(__x86_64__)
  #define BREAK 0xcc
  typedef uint8_t word;
  #define BACK(context) (context)->uc_mcontext.gregs[REG_RIP] -= 1
  __asm__(
    ".text\n"
    "nop\nundescribed: mov $15, %rax\nsyscall\n"
    "nop\nshort_one: mov $15, %eax\nsyscall\n"
    ".cfi_startproc\n.cfi_signal_frame\n"
    ".cfi_escape 0x0f,4,0x77,0xa0,0x01,0x06\n.cfi_escape 0x10,7,3,0x77,0xa0,0x01\n"
    ".cfi_escape 0x10,16,3,0x77,0xa8,0x01\n.cfi_escape 0x10,6,3,0x77,0xf8,0x00\n"
    "nop\ndescribed: push $15\npop %rax\nsyscall\n.cfi_endproc\n");
  extern char undescribed[], short_one[], described[];
  struct kernel_action { void (*handler)(int, siginfo_t *, void *); unsigned long flags; void *restorer; uint64_t mask; };
  static void set_restorer(int number, void (*handler)(int, siginfo_t *, void *), void *restorer) {
    struct kernel_action action = {handler, SA_SIGINFO | 0x04000000, restorer, 0};
    syscall(SYS_rt_sigaction, number, &action, NULL, 8);
  }
  #else
  #define BREAK 0xd4200000
  typedef uint32_t word;
  #define BACK(context) (void)(context)
  #endif
  static word kept;
  static volatile int sink;
  __attribute__((noinline)) void sg_first(void) { abort(); }
  __attribute__((noinline)) int sg_leaf(int number) { return number * 3 + sink; }
  __attribute__((noinline)) int sg_middle(int number) { return sg_leaf(number + 1) + 1; }
  __attribute__((noinline)) void sg_waiting(void) {
    write(1, "ready\n", 6);
    for (;;) pause();
  }
  __attribute__((noinline)) void sg_handler(int number, siginfo_t *info, void *context) {
    (void)number, (void)info;
    *(volatile word *)sg_leaf = kept;
    BACK((ucontext_t *)context);
    sg_waiting();
    sink = 1;
  }
  int main(int count, char **arguments) {
    const char *way = count > 1 ? arguments[1] : "plain";
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_sigaction = sg_handler;
    action.sa_flags = SA_SIGINFO;
    if (strcmp(way, "alternate") == 0) {
      stack_t stack = {.ss_sp = malloc(1 << 16), .ss_size = 1 << 16};
      sigaltstack(&stack, NULL);
      action.sa_flags |= SA_ONSTACK;
    }
    sigaction(SIGTRAP, &action, NULL);
  #if defined(__x86_64__)
    if (strcmp(way, "undescribed") == 0) set_restorer(SIGTRAP, sg_handler, undescribed);
    if (strcmp(way, "short") == 0) set_restorer(SIGTRAP, sg_handler, short_one);
    if (strcmp(way, "described") == 0) set_restorer(SIGTRAP, sg_handler, described);
  #endif
    uintptr_t page = (uintptr_t)sg_leaf & ~(uintptr_t)4095;
    mprotect((void *)page, 8192, PROT_READ | PROT_WRITE | PROT_EXEC);
    kept = *(word *)sg_leaf;
    *(volatile word *)sg_leaf = (word)BREAK;
    return sg_middle(count);
  }
  """#
