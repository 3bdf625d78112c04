// A program whose chain of calls is in a library beside it: linked, or opened where OPENED is defined.
#include <dlfcn.h>
#include <stdio.h>

#ifdef OPENED
static int um_main(int count, char **arguments) {
  void *library = dlopen("libchain.so", RTLD_NOW);
  int (*start)(int, char **) = library ? (int (*)(int, char **))dlsym(library, "um_main") : 0;
  if (!start) {
    fprintf(stderr, "chain: %s\n", dlerror());
    return 2;
  }
  return start(count, arguments) + 1;
}
#else
int um_main(int count, char **arguments);
#endif

int main(int count, char **arguments) {
  return um_main(count, arguments) + 1;
}
