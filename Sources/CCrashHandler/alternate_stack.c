#if defined(__linux__)

#include "alternate_stack.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#include "sanitizer.h"
#include "mp_text.h"
#include "threads.h"

enum { GUARD = 4096, WHOLE = MP_ALTERNATE_STACK_SIZE + GUARD };

static pthread_key_t key;
static bool has_key;

/// Stacks of threads that have ended, for threads to come: mapping one costs more than starting a thread should.
static void *_Atomic spares[16];

static void *take_spare(void) {
  for (size_t index = 0; index < sizeof spares / sizeof *spares; index++) {
    void *stack = atomic_load(&spares[index]) == NULL ? NULL : atomic_exchange(&spares[index], NULL);
    if (stack != NULL) return stack;
  }
  return NULL;
}

/// A stack with a page below it that faults; returns its lowest usable address or NULL.
static void *get_stack(void) {
  void *spare = take_spare();
  if (spare != NULL) return spare;
  char *memory = mmap(NULL, WHOLE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) return NULL;
  mprotect(memory, GUARD, PROT_NONE);
  return memory + GUARD;
}

static void give_back(void *stack) {
  for (size_t index = 0; index < sizeof spares / sizeof *spares; index++) {
    void *none = NULL;
    if (atomic_compare_exchange_strong(&spares[index], &none, stack)) return;
  }
  munmap((char *)stack - GUARD, WHOLE);
}

/// Called by the C library when a thread ends.
static void release(void *stack) {
  stack_t current;
  if (sigaltstack(NULL, &current) == 0 && current.ss_sp == stack) {
    stack_t none = {.ss_flags = SS_DISABLE};
    sigaltstack(&none, NULL);
  }
  give_back(stack);
}

bool mp_alternate_stack_here(void) {
  stack_t current;
  if (sigaltstack(NULL, &current) != 0) return false;
  if ((current.ss_flags & SS_DISABLE) == 0) return true;
  void *memory = get_stack();
  if (memory == NULL) return false;
  stack_t stack = {.ss_sp = memory, .ss_size = MP_ALTERNATE_STACK_SIZE};
  if (sigaltstack(&stack, NULL) != 0) {
    give_back(memory);
    return false;
  }
  if (has_key) pthread_setspecific(key, memory);
  return true;
}

void mp_unblock_faults_here(void) {
  static const int faults[] = {SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGFPE, SIGSYS};
  sigset_t set;
  sigemptyset(&set);
  for (size_t index = 0; index < sizeof faults / sizeof *faults; index++) sigaddset(&set, faults[index]);
  pthread_sigmask(SIG_UNBLOCK, &set, NULL);
}

// MARK: Threads that are there already

/// A stack that was laid out for a thread; it stays for good, because a thread with blocked signals may take it late.
typedef struct {
  _Atomic int tid;
  void *memory;
} offer;

static offer offers[MP_THREADS_MAX];
static _Atomic int taken;

void mp_alternate_stack_take(void *ucontext) {
  int tid = mp_thread_id();
  for (size_t index = 0; index < MP_THREADS_MAX; index++) {
    int candidate = tid;
    if (!atomic_compare_exchange_strong(&offers[index].tid, &candidate, -tid)) continue;
    stack_t *stack = &((ucontext_t *)ucontext)->uc_stack;
    if (stack->ss_flags & SS_DISABLE) {
      stack->ss_sp = offers[index].memory;
      stack->ss_size = MP_ALTERNATE_STACK_SIZE;
      stack->ss_flags = 0;
    }
    atomic_fetch_add(&taken, 1);
    return;
  }
}

static int tids[MP_THREADS_MAX];

void mp_alternate_stack_everywhere(void) {
  size_t count = mp_list_threads(tids, MP_THREADS_MAX);
  int self = mp_thread_id(), asked = 0;
  for (size_t index = 0; index < count; index++) {
    if (tids[index] == self) continue;
    void *memory = get_stack();
    if (memory == NULL) return;
    offers[index].memory = memory;
    atomic_store(&offers[index].tid, tids[index]);
    if (mp_ask_thread(tids[index], MP_REQUEST_STACK)) asked++;
  }
  // Threads that block the signal take it later; there is no point in waiting long for them.
  for (int wait = 0; wait < 50 && atomic_load(&taken) < asked; wait++) {
    struct timespec pause = {.tv_nsec = 1000000};
    nanosleep(&pause, NULL);
  }
}

__attribute__((constructor)) static void prepare(void) {
  has_key = pthread_key_create(&key, release) == 0;
}

// MARK: Threads to come

#if !MP_HAS_SANITIZER

typedef int (*create_function)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
static create_function real_create;

__attribute__((constructor)) static void find_create(void) {
  real_create = (create_function)dlsym(RTLD_NEXT, "pthread_create");
}

typedef struct {
  _Atomic bool is_taken;
  bool is_allocated;
  void *(*run)(void *);
  void *argument;
} start;

/// Starts under way. An allocated one would be freed by the new thread, and a thread's first use of malloc is slow.
static start starts[64];

static start *new_start(void) {
  for (size_t index = 0; index < sizeof starts / sizeof *starts; index++) {
    bool taken = false;
    if (atomic_compare_exchange_strong(&starts[index].is_taken, &taken, true)) return &starts[index];
  }
  start *made = calloc(1, sizeof *made);
  if (made != NULL) made->is_allocated = true;
  return made;
}

static void end_start(start *begun) {
  if (begun->is_allocated) free(begun);
  else atomic_store(&begun->is_taken, false);
}

/// The beginning of every thread; the name stands in stacks.
static void *mp_thread_start(void *argument) {
  start *begun = argument;
  void *(*run)(void *) = begun->run;
  argument = begun->argument;
  end_start(begun);
  mp_alternate_stack_here();
  mp_unblock_faults_here();
  return run(argument);
}

/// Stands in front of the C library's: the new thread has an alternate stack before it runs anything else.
__attribute__((visibility("default"))) int pthread_create(
  pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *), void *argument) {
  // Before our constructor ran, another library's may start threads.
  if (real_create == NULL) real_create = (create_function)dlsym(RTLD_NEXT, "pthread_create");
  if (real_create == NULL) return ENOSYS;
  start *begun = atomic_load(&mp_crash_state.is_installed) ? new_start() : NULL;
  if (begun == NULL) return real_create(thread, attributes, run, argument);
  begun->run = run;
  begun->argument = argument;
  int result = real_create(thread, attributes, mp_thread_start, begun);
  if (result != 0) end_start(begun);
  return result;
}

#endif

#endif
