extension SampleProgram {
  /// Every way to crash that C has, and some to survive.
  static let crashSource = #"""
    #define _GNU_SOURCE
    #include <assert.h>
    #include <dirent.h>
    #include <fcntl.h>
    #include <linux/filter.h>
    #include <linux/seccomp.h>
    #include <pthread.h>
    #include <stddef.h>
    #include <setjmp.h>
    #include <signal.h>
    #include <stdint.h>
    #include <stdio.h>
    #include <stdlib.h>
    #include <string.h>
    #include <sys/mman.h>
    #include <sys/prctl.h>
    #include <sys/syscall.h>
    #include <sys/wait.h>
    #include <unistd.h>
    #define KEEP __attribute__((noinline, noclone))
    static volatile int zero;
    static volatile int *volatile nowhere;
    static volatile int recursion_depth;

    KEEP int null_read(void) { return *nowhere + 1; }
    KEEP void null_write(void) { *nowhere = 1; }
    KEEP int divide(int by) { return 100 / by; }
    KEEP void illegal(void) { __builtin_trap(); }
    KEEP void breakpoint(void) { __asm__ volatile("int3"); }
    KEEP int overflow(int n) { volatile char space[256]; space[n % 256] = 1; return overflow(n + 1) + space[n % 256]; }
    KEEP void smash(int n) { volatile char small[8]; for (int i = 0; i < n; i++) small[i] = 1; }
    KEEP void wild_jump(void) { ((void (*)(void))(uintptr_t)0x1234567)(); puts("after"); }
    KEEP void bus(void) {
      char name[] = "/tmp/mpaas-bus-XXXXXX";
      int file = mkstemp(name);
      unlink(name);
      if (ftruncate(file, 1)) {}
      volatile char *bytes = mmap(0, 8192, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
      bytes[4096] = 1;
    }
    KEEP void corrupt_heap(void) { char *volatile p = malloc(16); free(p); free(p); }
    KEEP void failed_assertion(void) { assert(zero == 1 && "the answer is one"); }

    static void reraise(int signal_number, siginfo_t *info, void *context) {
      signal(signal_number, SIG_DFL);
      raise(signal_number);
    }
    static void abort_in_handler(int signal_number) { abort(); }
    static void exit_in_handler(int signal_number) { _exit(3); }
    static void return_to_default(int signal_number) { signal(signal_number, SIG_DFL); }
    static void crash_in_handler(int signal_number) { signal(SIGFPE, SIG_DFL); recursion_depth = divide(zero); }
    static sigjmp_buf escape;
    static void jump_out(int signal_number) { siglongjmp(escape, 1); }

    static void handle(void *handler, int flags) {
      struct sigaction action;
      memset(&action, 0, sizeof action);
      action.sa_handler = (void (*)(int))handler;
      action.sa_flags = flags;
      sigaction(SIGSEGV, &action, 0);
    }
    KEEP static void on_stack(void *handler) {
      stack_t stack = {.ss_sp = malloc(65536), .ss_size = 65536};
      sigaltstack(&stack, 0);
      handle(handler, SA_SIGINFO | SA_ONSTACK);
    }

    static void *crash_thread(void *argument) { pthread_setname_np(pthread_self(), "crasher"); null_write(); return 0; }
    KEEP void forbidden(unsigned action) {
      struct sock_filter code[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_getppid, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, action),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
      };
      struct sock_fprog program = {4, code};
      prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
      syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program);
      recursion_depth = getppid();
    }
    static void *crash_later(void *argument) { usleep(100000); null_write(); return 0; }
    static void *sleeper(void *argument) { while (1) pause(); return 0; }
    static void *lock_holder(void *argument) {
      while (1) { void *volatile p = malloc(100000); free(p); }
      return 0;
    }
    KEEP void threads(int count, void *(*body)(void *)) {
      pthread_attr_t attributes;
      pthread_attr_init(&attributes);
      pthread_attr_setstacksize(&attributes, 65536);
      for (int i = 0; i < count; i++) { pthread_t t; pthread_create(&t, &attributes, body, 0); }
    }
    // Until `count` threads wait in the kernel: a busy machine takes its time to start them.
    KEEP void wait_for_sleepers(int count) {
      for (int asleep = 0, round = 0; asleep < count && round < 2000; round++) {
        usleep(5000);
        asleep = 0;
        DIR *tasks = opendir("/proc/self/task");
        for (struct dirent *task; (task = readdir(tasks)) != 0;) {
          char path[300], line[256] = "";
          snprintf(path, sizeof path, "/proc/self/task/%s/syscall", task->d_name);
          FILE *file = fopen(path, "r");
          if (!file) continue;
          if (fgets(line, sizeof line, file) && atol(line) == SYS_pause) asleep++;
          fclose(file);
        }
        closedir(tasks);
      }
    }
    static void *raise_main(void *argument) { usleep(50000); kill(getpid(), SIGABRT); return 0; }
    static void on_int(int signal_number) { if (write(1, "int\n", 4)) {} exit(7); }
    static int ints;
    static void count_usr(int signal_number) { ints++; }

    int main(int argc, char **argv) {
      const char *what = argc > 1 ? argv[1] : "";
      sigset_t none;
      sigemptyset(&none);
      sigprocmask(SIG_SETMASK, &none, 0);
      #define IS(name) (strcmp(what, name) == 0)
      if (IS("ok")) return 0;
      if (IS("exit3")) return 3;
      if (IS("null-read")) return null_read();
      if (IS("null-write")) null_write();
      if (IS("divide")) return divide(zero);
      if (IS("illegal")) illegal();
      if (IS("breakpoint")) breakpoint();
      if (IS("overflow")) return overflow(0);
      if (IS("overflow-handled")) { handle(return_to_default, 0); return overflow(0); }
      if (IS("overflow-alternate")) { on_stack(reraise); return overflow(0); }
      if (IS("smash")) smash(64);
      if (IS("wild-jump")) wild_jump();
      if (IS("bus")) bus();
      if (IS("abort")) { fputs("going down\n", stderr); abort(); }
      if (IS("assertion")) failed_assertion();
      if (IS("corrupt-heap")) corrupt_heap();
      if (IS("raise")) raise(SIGSEGV);
      if (IS("killed")) kill(getpid(), SIGKILL);
      if (IS("terminated")) kill(getpid(), SIGTERM);
      if (IS("handled-raise")) { handle(reraise, SA_SIGINFO); null_write(); }
      if (IS("handled-raise-alternate")) { on_stack(reraise); null_write(); }
      if (IS("handled-return")) { handle(return_to_default, 0); null_write(); }
      if (IS("handled-abort")) { handle(abort_in_handler, 0); null_write(); }
      if (IS("handled-exit")) { handle(exit_in_handler, 0); null_write(); }
      if (IS("crash-in-handler")) { handle(crash_in_handler, 0); null_write(); }
      if (IS("recovered")) {
        handle(jump_out, SA_NODEFER);
        for (volatile int i = 0; i < 50; i++) if (!sigsetjmp(escape, 1)) null_write();
        return 4;
      }
      if (IS("recovered-then-divide")) {
        handle(jump_out, SA_NODEFER);
        if (!sigsetjmp(escape, 1)) null_write();
        return divide(zero);
      }
      if (IS("thread")) { pthread_t t; pthread_create(&t, 0, crash_thread, 0); pthread_join(t, 0); }
      if (IS("threads-200")) { threads(199, sleeper); wait_for_sleepers(199); null_write(); }
      if (IS("malloc-lock")) { threads(3, lock_holder); usleep(50000); null_write(); }
      if (IS("two-threads")) { pthread_t a, b; pthread_create(&a, 0, crash_thread, 0); pthread_create(&b, 0, crash_thread, 0);
        pthread_join(a, 0); pthread_join(b, 0); }
      if (IS("other-raises")) { threads(1, raise_main); while (1) pause(); }
      if (IS("ignored")) { signal(SIGABRT, SIG_IGN); kill(getpid(), SIGABRT); return 5; }
      if (IS("fork-child")) {
        pid_t child = fork();
        if (child == 0) null_write();
        int status = 0;
        waitpid(child, &status, 0);
        return WIFSIGNALED(status) ? 40 + WTERMSIG(status) : 1;
      }
      if (IS("vfork-child")) {
        pid_t child = vfork();
        if (child == 0) execl(argv[0], argv[0], "null-write", (char *)0);
        int status = 0;
        waitpid(child, &status, 0);
        return WIFSIGNALED(status) ? 40 + WTERMSIG(status) : 1;
      }
      if (IS("exec")) execl(argv[0], argv[0], "divide", (char *)0);
      if (IS("exec-thread")) { threads(5, sleeper); usleep(20000); execl(argv[0], argv[0], "null-write", (char *)0); }
      if (IS("leave-child")) {
        if (fork() == 0) {
          usleep(300000);
          fputs("left behind\n", stderr);
          FILE *f = fopen(argv[2], "w");
          fputs("still here\n", f);
          fclose(f);
        }
        return 0;
      }
      if (IS("stop-child")) {
        pid_t child = fork();
        if (child == 0) { raise(SIGSTOP); return 9; }
        int status = 0;
        waitpid(child, &status, WUNTRACED);
        if (!WIFSTOPPED(status) || WSTOPSIG(status) != SIGSTOP) return 1;
        kill(child, SIGCONT);
        waitpid(child, &status, 0);
        return WIFEXITED(status) ? WEXITSTATUS(status) : 2;
      }
      if (IS("words")) {
        for (int i = 0; i < 1000; i++) fprintf(stderr, "line %d\n", i);
        null_write();
      }
      if (IS("wait-int")) { signal(SIGINT, on_int); puts("ready"); fflush(stdout); while (1) pause(); }
      if (IS("count-usr1")) {
        signal(SIGUSR1, count_usr);
        puts("ready"); fflush(stdout);
        for (int i = 0; i < 120; i++) usleep(50000);
        return ints;
      }
      if (IS("forbidden")) forbidden(SECCOMP_RET_KILL_PROCESS);
      if (IS("trapped")) forbidden(SECCOMP_RET_TRAP);
      if (IS("main-gone")) { pthread_t t; pthread_create(&t, 0, crash_later, 0); pthread_exit(0); }
      if (IS("main-gone-live")) { threads(2, sleeper); puts("ready"); fflush(stdout); pthread_exit(0); }
      if (IS("spin")) { volatile double x = 1; for (long i = 0; i < atol(argv[2]); i++) x = x * 1.0000001; return x < 0; }
      if (IS("live")) { threads(2, sleeper); puts("ready"); fflush(stdout); while (1) pause(); }
      return 0;
    }
    """#
}
