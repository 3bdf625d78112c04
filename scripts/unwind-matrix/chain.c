// Functions whose names begin with um_ call one another until one of them faults. The first argument says how.
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <alloca.h>
#include <unistd.h>

#define KEEP __attribute__((noinline, noclone))
#ifdef __clang__
#undef KEEP
#define KEEP __attribute__((noinline))
#endif

static volatile int sink;
static const char *volatile kind;

static inline __attribute__((always_inline)) int um_inlined(int *at) {
  sink = 3;
  return *at + sink;
}

KEEP int um_fault(int depth) {
  int *volatile nothing = (int *)0x10;
  sink += um_inlined(nothing);
  return depth + sink;
}

KEEP int um_abort(int depth) {
  if (depth >= 0) abort();
  return depth;
}

KEEP int um_library(int depth) {
  const char *volatile text = (const char *)0x20;
  sink += (int)strlen(text);
  return depth + sink;
}

KEEP int um_jump(int depth) {
  int (*volatile nowhere)(int) = 0;
  sink += nowhere(depth);
  return depth + sink;
}

KEEP int um_compare(const void *left, const void *right) {
  sink += um_fault(*(const int *)left - *(const int *)right);
  return sink;
}

KEEP int um_sort(int depth) {
  int numbers[4] = {3, 1, 2, depth};
  qsort(numbers, 4, sizeof *numbers, um_compare);
  return numbers[0] + sink;
}

KEEP void um_handler(int number) {
  sink += um_fault(number);
}

KEEP int um_signal(int depth) {
  signal(SIGUSR1, um_handler);
  raise(SIGUSR1);
  return depth + sink;
}

KEEP int um_nested(int depth) {
  struct sigaction action = {.sa_handler = um_handler};
  sigaction(SIGFPE, &action, 0);
  volatile int zero = 0;
  sink += depth / zero;
  return sink + depth;
}

KEEP void *um_thread(void *argument) {
  sink += um_fault(*(int *)argument);
  return argument;
}

KEEP int um_spawn(int depth) {
  pthread_t thread;
  pthread_create(&thread, 0, um_thread, &depth);
  pthread_join(thread, 0);
  return sink + depth;
}

KEEP int um_leaf(int depth) {
  if (!strcmp(kind, "fault")) return um_fault(depth) + 1;
  if (!strcmp(kind, "abort")) return um_abort(depth) + 1;
  if (!strcmp(kind, "library")) return um_library(depth) + 1;
  if (!strcmp(kind, "jump")) return um_jump(depth) + 1;
  if (!strcmp(kind, "sort")) return um_sort(depth) + 1;
  if (!strcmp(kind, "signal")) return um_signal(depth) + 1;
  if (!strcmp(kind, "nested")) return um_nested(depth) + 1;
  if (!strcmp(kind, "thread")) return um_spawn(depth) + 1;
  return 0;
}

KEEP int um_alloca(int depth) {
  char *room = alloca((size_t)depth * 24 + 8);
  memset(room, depth, (size_t)depth * 24 + 8);
  sink += room[depth];
  int result = um_leaf(depth);
  return result + room[1];
}

KEEP int um_saved(int a, int b, int c, int d, int e, int f, int g, int h) {
  int x = a * b + c, y = d * e + f, z = g * h + a;
  int result = um_alloca(x + y + z > 0 ? 5 : 6);
  return result + x * y * z;
}

KEEP int um_deep(int depth) {
  if (depth > 0) return um_deep(depth - 1) + 1;
  return um_saved(1, 2, 3, 4, 5, 6, 7, 8) + 1;
}

int main(int count, char **arguments) {
  kind = count > 1 ? arguments[1] : "fault";
  sink = um_deep(6) + 1;
  return sink;
}
