#include "library.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>

struct mp_curl_library mp_curl;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static char failure[256];

static void *function(void *library, const char *name) {
  void *found = dlsym(library, name);
  if (found == NULL && failure[0] == 0) snprintf(failure, sizeof failure, "libcurl has no %s", name);
  return found;
}

static void load(void) {
#if defined(__APPLE__)
  static const char *const names[] = {"/usr/lib/libcurl.4.dylib", "libcurl.4.dylib"};
#else
  static const char *const names[] = {"libcurl.so.4", "libcurl-gnutls.so.4"};
#endif
  void *library = NULL;
  for (size_t index = 0; library == NULL && index < sizeof names / sizeof *names; index++) {
    library = dlopen(names[index], RTLD_NOW | RTLD_LOCAL);
    if (library == NULL && index == 0) snprintf(failure, sizeof failure, "%s", dlerror());
  }
  if (library == NULL) return;
  failure[0] = 0;
  mp_curl.global_init = function(library, "curl_global_init");
  mp_curl.easy_init = function(library, "curl_easy_init");
  mp_curl.easy_cleanup = function(library, "curl_easy_cleanup");
  mp_curl.easy_reset = function(library, "curl_easy_reset");
  mp_curl.easy_setopt = function(library, "curl_easy_setopt");
  mp_curl.easy_getinfo = function(library, "curl_easy_getinfo");
  mp_curl.easy_perform = function(library, "curl_easy_perform");
  mp_curl.easy_strerror = function(library, "curl_easy_strerror");
  mp_curl.version = function(library, "curl_version");
  mp_curl.slist_append = function(library, "curl_slist_append");
  mp_curl.slist_free_all = function(library, "curl_slist_free_all");
  mp_curl.multi_init = function(library, "curl_multi_init");
  mp_curl.multi_cleanup = function(library, "curl_multi_cleanup");
  mp_curl.multi_setopt = function(library, "curl_multi_setopt");
  mp_curl.multi_add_handle = function(library, "curl_multi_add_handle");
  mp_curl.multi_remove_handle = function(library, "curl_multi_remove_handle");
  mp_curl.multi_perform = function(library, "curl_multi_perform");
  mp_curl.multi_poll = function(library, "curl_multi_poll");
  mp_curl.multi_wakeup = function(library, "curl_multi_wakeup");
  mp_curl.multi_info_read = function(library, "curl_multi_info_read");
  if (failure[0] == 0 && mp_curl.global_init(GLOBAL_DEFAULT) != 0) snprintf(failure, sizeof failure, "curl_global_init");
}

const char *mp_curl_missing(void) {
  pthread_once(&once, load);
  return failure[0] == 0 ? NULL : failure;
}

const char *mp_curl_version(void) {
  return mp_curl_missing() == NULL ? mp_curl.version() : NULL;
}
