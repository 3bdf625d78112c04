#include "mp_curl.h"

#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// What libcurl promises not to change, so that building needs none of its headers (curl/curl.h, libcurl-symbols(3)).

typedef void CURL;
struct curl_slist;

enum {
  OPTION_LONG = 0,
  OPTION_POINTER = 10000,
  OPTION_FUNCTION = 20000,
  OPTION_OFFSET = 30000,
  OPTION_WRITEDATA = OPTION_POINTER + 1,
  OPTION_URL = OPTION_POINTER + 2,
  OPTION_READDATA = OPTION_POINTER + 9,
  OPTION_READFUNCTION = OPTION_FUNCTION + 12,
  OPTION_NOBODY = OPTION_LONG + 44,
  OPTION_UPLOAD = OPTION_LONG + 46,
  OPTION_INFILESIZE_LARGE = OPTION_OFFSET + 115,
  OPTION_SEEKFUNCTION = OPTION_FUNCTION + 167,
  OPTION_SEEKDATA = OPTION_POINTER + 168,
  OPTION_USERNAME = OPTION_POINTER + 173,
  OPTION_PASSWORD = OPTION_POINTER + 174,
  OPTION_EXPECT_100_TIMEOUT_MS = OPTION_LONG + 227,
  OPTION_AWS_SIGV4 = OPTION_POINTER + 305,
  OPTION_ERRORBUFFER = OPTION_POINTER + 10,
  OPTION_WRITEFUNCTION = OPTION_FUNCTION + 11,
  OPTION_USERAGENT = OPTION_POINTER + 18,
  OPTION_LOW_SPEED_LIMIT = OPTION_LONG + 19,
  OPTION_LOW_SPEED_TIME = OPTION_LONG + 20,
  OPTION_HTTPHEADER = OPTION_POINTER + 23,
  OPTION_HEADERDATA = OPTION_POINTER + 29,
  OPTION_NOPROGRESS = OPTION_LONG + 43,
  OPTION_FAILONERROR = OPTION_LONG + 45,
  OPTION_FOLLOWLOCATION = OPTION_LONG + 52,
  OPTION_XFERINFODATA = OPTION_POINTER + 57,
  OPTION_CAINFO = OPTION_POINTER + 65,
  OPTION_MAXREDIRS = OPTION_LONG + 68,
  OPTION_HEADERFUNCTION = OPTION_FUNCTION + 79,
  OPTION_NOSIGNAL = OPTION_LONG + 99,
  OPTION_ACCEPT_ENCODING = OPTION_POINTER + 102,
  OPTION_RESUME_FROM_LARGE = OPTION_OFFSET + 116,
  OPTION_MAXFILESIZE_LARGE = OPTION_OFFSET + 117,
  OPTION_TIMEOUT_MS = OPTION_LONG + 155,
  OPTION_CONNECTTIMEOUT_MS = OPTION_LONG + 156,
  OPTION_PROTOCOLS = OPTION_LONG + 181,
  OPTION_REDIR_PROTOCOLS = OPTION_LONG + 182,
  OPTION_XFERINFOFUNCTION = OPTION_FUNCTION + 219,
  PROTOCOL_HTTP = 1,
  PROTOCOL_HTTPS = 2,
  INFO_RESPONSE_CODE = 0x200000 + 2,
  GLOBAL_DEFAULT = 3,
};

static struct {
  int (*global_init)(long);
  CURL *(*easy_init)(void);
  void (*easy_cleanup)(CURL *);
  void (*easy_reset)(CURL *);
  int (*easy_setopt)(CURL *, int, ...);
  int (*easy_getinfo)(CURL *, int, ...);
  int (*easy_perform)(CURL *);
  const char *(*easy_strerror)(int);
  char *(*version)(void);
  struct curl_slist *(*slist_append)(struct curl_slist *, const char *);
  void (*slist_free_all)(struct curl_slist *);
} curl;

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
  curl.global_init = function(library, "curl_global_init");
  curl.easy_init = function(library, "curl_easy_init");
  curl.easy_cleanup = function(library, "curl_easy_cleanup");
  curl.easy_reset = function(library, "curl_easy_reset");
  curl.easy_setopt = function(library, "curl_easy_setopt");
  curl.easy_getinfo = function(library, "curl_easy_getinfo");
  curl.easy_perform = function(library, "curl_easy_perform");
  curl.easy_strerror = function(library, "curl_easy_strerror");
  curl.version = function(library, "curl_version");
  curl.slist_append = function(library, "curl_slist_append");
  curl.slist_free_all = function(library, "curl_slist_free_all");
  if (failure[0] == 0 && curl.global_init(GLOBAL_DEFAULT) != 0) snprintf(failure, sizeof failure, "curl_global_init");
}

const char *mp_curl_missing(void) {
  pthread_once(&once, load);
  return failure[0] == 0 ? NULL : failure;
}

const char *mp_curl_version(void) {
  return mp_curl_missing() == NULL ? curl.version() : NULL;
}

struct mp_curl_session {
  CURL *handle;
  const mp_curl_request *request;
  size_t uploaded;
};

mp_curl_session *mp_curl_open(void) {
  if (mp_curl_missing() != NULL) return NULL;
  mp_curl_session *session = calloc(1, sizeof *session);
  if (session == NULL) return NULL;
  session->handle = curl.easy_init();
  if (session->handle != NULL) return session;
  free(session);
  return NULL;
}

void mp_curl_close(mp_curl_session *session) {
  curl.easy_cleanup(session->handle);
  free(session);
}

static long status_of(mp_curl_session *session) {
  long status = 0;
  curl.easy_getinfo(session->handle, INFO_RESPONSE_CODE, &status);
  return status;
}

static size_t take_body(const char *bytes, size_t size, size_t count, void *context) {
  mp_curl_session *session = context;
  return session->request->body(session->request->context, status_of(session), bytes, size * count);
}

static size_t take_head(const char *bytes, size_t size, size_t count, void *context) {
  mp_curl_session *session = context;
  session->request->head(session->request->context, bytes, size * count);
  return size * count;
}

static int take_progress(void *context, int64_t total, int64_t now, int64_t up_total, int64_t up_now) {
  (void)up_total, (void)up_now;
  mp_curl_session *session = context;
  return session->request->progress(session->request->context, total, now);
}

static size_t give_upload(char *target, size_t size, size_t count, void *context) {
  mp_curl_session *session = context;
  size_t part = session->request->upload_size - session->uploaded;
  if (part > size * count) part = size * count;
  if (part > 0) memcpy(target, (const char *)session->request->upload + session->uploaded, part);
  session->uploaded += part;
  return part;
}

/// A server may want what was sent once more, as after a connection that was closed too soon.
static int seek_upload(void *context, int64_t offset, int origin) {
  mp_curl_session *session = context;
  if (origin != SEEK_SET || offset < 0 || (uint64_t)offset > session->request->upload_size) return 2;
  session->uploaded = (size_t)offset;
  return 0;
}

static mp_curl_result result_of(int code) {
  switch (code) {
    case 0: return mp_curl_done;
    case 1: case 3: return mp_curl_bad_url;
    case 5: case 6: return mp_curl_no_host;
    case 7: case 97: return mp_curl_no_connection;
    case 22: return mp_curl_refused_status;
    case 23: case 42: return mp_curl_stopped;
    case 28: return mp_curl_timed_out;
    case 33: case 36: return mp_curl_cannot_resume;
    case 35: case 53: case 54: case 58: case 59: case 60: case 66: case 77: case 80: case 82: case 83: case 90:
    case 91: case 98: return mp_curl_tls;
    case 18: case 52: case 55: case 56: return mp_curl_broken_off;
    case 47: return mp_curl_redirects;
    case 63: return mp_curl_too_large;
    default: return mp_curl_other;
  }
}

static void set_number(CURL *handle, int option, long value) {
  curl.easy_setopt(handle, option, value);
}

static void set_size(CURL *handle, int option, int64_t value) {
  curl.easy_setopt(handle, option, value);
}

static void set_pointer(CURL *handle, int option, const void *value) {
  curl.easy_setopt(handle, option, value);
}

static void set_up(mp_curl_session *session, const mp_curl_request *request, struct curl_slist *headers) {
  CURL *handle = session->handle;
  set_pointer(handle, OPTION_URL, request->url);
  set_pointer(handle, OPTION_USERAGENT, request->user_agent);
  set_pointer(handle, OPTION_HTTPHEADER, headers);
  set_number(handle, OPTION_NOSIGNAL, 1);
  set_number(handle, OPTION_FAILONERROR, 1);
  set_number(handle, OPTION_PROTOCOLS, PROTOCOL_HTTP | PROTOCOL_HTTPS);
  set_number(handle, OPTION_REDIR_PROTOCOLS, PROTOCOL_HTTP | PROTOCOL_HTTPS);
  set_number(handle, OPTION_FOLLOWLOCATION, request->redirects > 0);
  set_number(handle, OPTION_MAXREDIRS, request->redirects);
  set_number(handle, OPTION_CONNECTTIMEOUT_MS, request->connect_milliseconds);
  set_number(handle, OPTION_TIMEOUT_MS, request->total_milliseconds);
  set_number(handle, OPTION_LOW_SPEED_LIMIT, request->low_speed_bytes);
  set_number(handle, OPTION_LOW_SPEED_TIME, request->low_speed_seconds);
  set_size(handle, OPTION_MAXFILESIZE_LARGE, request->largest);
  set_size(handle, OPTION_RESUME_FROM_LARGE, request->resume_from);
  // Empty: every form that this libcurl can undo.
  if (request->accepts_compression) set_pointer(handle, OPTION_ACCEPT_ENCODING, "");
  if (request->certificates != NULL) set_pointer(handle, OPTION_CAINFO, request->certificates);
  set_pointer(handle, OPTION_WRITEFUNCTION, (const void *)take_body);
  set_pointer(handle, OPTION_WRITEDATA, session);
  set_pointer(handle, OPTION_HEADERFUNCTION, (const void *)take_head);
  set_pointer(handle, OPTION_HEADERDATA, session);
  set_pointer(handle, OPTION_XFERINFOFUNCTION, (const void *)take_progress);
  set_pointer(handle, OPTION_XFERINFODATA, session);
  set_number(handle, OPTION_NOPROGRESS, 0);
}

/// Returns false where this libcurl cannot sign requests.
static bool set_up_method(mp_curl_session *session, const mp_curl_request *request) {
  CURL *handle = session->handle;
  session->uploaded = 0;
  if (request->method == mp_curl_method_head) set_number(handle, OPTION_NOBODY, 1);
  if (request->method == mp_curl_method_put) {
    set_number(handle, OPTION_UPLOAD, 1);
    set_size(handle, OPTION_INFILESIZE_LARGE, (int64_t)request->upload_size);
    set_pointer(handle, OPTION_READFUNCTION, (const void *)give_upload);
    set_pointer(handle, OPTION_READDATA, session);
    set_pointer(handle, OPTION_SEEKFUNCTION, (const void *)seek_upload);
    set_pointer(handle, OPTION_SEEKDATA, session);
    // An empty `Expect:` would be signed and not sent: rather wait little for servers that do not answer it.
    set_number(handle, OPTION_EXPECT_100_TIMEOUT_MS, 200);
  }
  if (request->signature == NULL) return true;
  set_pointer(handle, OPTION_USERNAME, request->user);
  set_pointer(handle, OPTION_PASSWORD, request->password);
  return curl.easy_setopt(handle, OPTION_AWS_SIGV4, request->signature) == 0;
}

/// Runs the transfer while this thread gets no SIGPIPE: TLS libraries write to connections that may be gone.
static int perform(CURL *handle) {
  sigset_t pipe, before, pending;
  sigemptyset(&pipe);
  sigaddset(&pipe, SIGPIPE);
  sigpending(&pending);
  bool was_pending = sigismember(&pending, SIGPIPE);
  pthread_sigmask(SIG_BLOCK, &pipe, &before);
  int code = curl.easy_perform(handle);
  sigpending(&pending);
  int number;
  // One that waited before is for somebody else.
  if (sigismember(&pending, SIGPIPE) && !was_pending) sigwait(&pipe, &number);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return code;
}

void mp_curl_get(mp_curl_session *session, const mp_curl_request *request, mp_curl_outcome *outcome) {
  memset(outcome, 0, sizeof *outcome);
  session->request = request;
  // Options go, connections stay.
  curl.easy_reset(session->handle);
  struct curl_slist *headers = NULL;
  for (size_t index = 0; index < request->header_count; index++) {
    struct curl_slist *longer = curl.slist_append(headers, request->headers[index]);
    if (longer != NULL) headers = longer;
  }
  set_up(session, request, headers);
  set_pointer(session->handle, OPTION_ERRORBUFFER, outcome->message);
  // 48: an option that it does not know.
  int code = set_up_method(session, request) ? perform(session->handle) : 48;
  outcome->result = result_of(code);
  outcome->status = status_of(session);
  if (code != 0 && outcome->message[0] == 0) {
    snprintf(outcome->message, sizeof outcome->message, "%s", curl.easy_strerror(code));
  }
  set_pointer(session->handle, OPTION_ERRORBUFFER, NULL);
  curl.slist_free_all(headers);
  session->request = NULL;
}
