#include "mp_unwind.h"

#if defined(__linux__) && (defined(__x86_64__) || defined(__aarch64__))

#include <dlfcn.h>
#include <pthread.h>

#include "libunwind_functions.h"

#define TEXT(name) TEXT_OF(name)
#define TEXT_OF(name) #name

#if defined(__aarch64__)
static const char *const file_name = "libunwind-aarch64.so.8";
#else
static const char *const file_name = "libunwind-x86_64.so.8";
#endif

mp_libunwind libunwind;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static bool is_loaded;
static const char *failure;

static void *function(void *library, const char *name) {
  void *found = dlsym(library, name);
  if (found == NULL && failure == NULL) failure = name;
  return found;
}

static void load(void) {
  // RTLD_NOW: no symbol may be bound by the loader while a signal is handled. RTLD_LOCAL: it stays invisible to others.
  void *library = dlopen(file_name, RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) {
    failure = file_name;
    return;
  }
  libunwind.create_addr_space = function(library, TEXT(UNW_OBJ(create_addr_space)));
  libunwind.destroy_addr_space = function(library, TEXT(UNW_OBJ(destroy_addr_space)));
  libunwind.set_caching_policy = function(library, TEXT(UNW_OBJ(set_caching_policy)));
  libunwind.init_remote = function(library, TEXT(UNW_OBJ(init_remote)));
  libunwind.step = function(library, TEXT(UNW_OBJ(step)));
  libunwind.get_reg = function(library, TEXT(UNW_OBJ(get_reg)));
  libunwind.dwarf_search_unwind_table = function(library, TEXT(UNW_OBJ(dwarf_search_unwind_table)));
  is_loaded = failure == NULL;
}

bool mp_libunwind_load(void) {
  pthread_once(&once, load);
  return is_loaded;
}

const char *mp_unwind_missing(void) {
  return failure;
}

#else

const char *mp_unwind_missing(void) {
  return "libunwind";
}

#endif
