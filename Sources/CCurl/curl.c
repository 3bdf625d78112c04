#include "library.h"

#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

mp_curl_session *mp_curl_open(void) {
  if (mp_curl_missing() != NULL) return NULL;
  mp_curl_session *session = calloc(1, sizeof *session);
  if (session == NULL) return NULL;
  session->handle = mp_curl.easy_init();
  if (session->handle != NULL) return session;
  free(session);
  return NULL;
}

void mp_curl_close(mp_curl_session *session) {
  mp_curl.easy_cleanup(session->handle);
  free(session);
}

static long status_of(mp_curl_session *session) {
  long status = 0;
  mp_curl.easy_getinfo(session->handle, INFO_RESPONSE_CODE, &status);
  return status;
}

static size_t take_body(const char *bytes, size_t size, size_t count, void *context) {
  mp_curl_session *session = context;
  return session->request.body(session->request.context, status_of(session), bytes, size * count);
}

static size_t take_head(const char *bytes, size_t size, size_t count, void *context) {
  mp_curl_session *session = context;
  session->request.head(session->request.context, bytes, size * count);
  return size * count;
}

static int take_progress(void *context, int64_t total, int64_t now, int64_t up_total, int64_t up_now) {
  const mp_curl_request *request = &((mp_curl_session *)context)->request;
  if (request->sent != NULL && request->sent(request->context, up_total, up_now) != 0) return 1;
  return request->progress != NULL ? request->progress(request->context, total, now) : 0;
}

static size_t give_upload(char *target, size_t size, size_t count, void *context) {
  mp_curl_session *session = context;
  // CURL_READFUNC_ABORT.
  const size_t stop = 0x10000000;
  uint64_t left = session->request.upload_size - session->uploaded;
  size_t part = left < size * count ? (size_t)left : size * count;
  if (session->request.give != NULL) {
    if (part == 0) return 0;
    size_t given = session->request.give(session->request.context, target, part);
    if (given == 0 || given > part) return stop;
    session->uploaded += given;
    return given;
  }
  if (part > 0) memcpy(target, (const char *)session->request.upload + session->uploaded, part);
  session->uploaded += part;
  return part;
}

/// A server may want what was sent once more, as after a connection that was closed too soon.
static int seek_upload(void *context, int64_t offset, int origin) {
  mp_curl_session *session = context;
  const mp_curl_request *request = &session->request;
  if (origin != SEEK_SET || offset < 0 || (uint64_t)offset > request->upload_size) return 2;
  if (request->give != NULL && (request->rewind == NULL || !request->rewind(request->context, (uint64_t)offset))) return 2;
  session->uploaded = (uint64_t)offset;
  return 0;
}

/// The address is asked about where it is connected to, so that no name can change its meaning in between.
static int open_socket(void *context, int purpose, struct curl_sockaddr *peer) {
  const mp_curl_request *request = &((mp_curl_session *)context)->request;
  bool is_admitted = false;
  (void)purpose;
  if (peer->family == AF_INET) {
    const struct sockaddr_in *address = (const void *)&peer->address;
    is_admitted = request->admits(request->context, (const uint8_t *)&address->sin_addr, 4);
  } else if (peer->family == AF_INET6) {
    const struct sockaddr_in6 *address = (const void *)&peer->address;
    is_admitted = request->admits(request->context, (const uint8_t *)&address->sin6_addr, 16);
  }
  if (!is_admitted) return -1;
  int type = peer->type;
#ifdef SOCK_CLOEXEC
  type |= SOCK_CLOEXEC;
#endif
  return socket(peer->family, type, peer->protocol);
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
    // 16 and 92: the connection of HTTP/2, or one of its streams; 65: a body that is not to be sent again.
    case 16: case 18: case 52: case 55: case 56: case 65: case 92: return mp_curl_broken_off;
    case 47: return mp_curl_redirects;
    case 63: return mp_curl_too_large;
    default: return mp_curl_other;
  }
}

static void set_number(CURL *handle, int option, long value) {
  mp_curl.easy_setopt(handle, option, value);
}

static void set_size(CURL *handle, int option, int64_t value) {
  mp_curl.easy_setopt(handle, option, value);
}

static void set_pointer(CURL *handle, int option, const void *value) {
  mp_curl.easy_setopt(handle, option, value);
}

static void set_up(mp_curl_session *session, const mp_curl_request *request, struct curl_slist *headers) {
  CURL *handle = session->handle;
  set_pointer(handle, OPTION_URL, request->url);
  set_pointer(handle, OPTION_USERAGENT, request->user_agent);
  set_pointer(handle, OPTION_HTTPHEADER, headers);
  set_number(handle, OPTION_NOSIGNAL, 1);
  set_number(handle, OPTION_FAILONERROR, !request->takes_refusals);
  set_number(handle, OPTION_PROTOCOLS, PROTOCOL_HTTP | PROTOCOL_HTTPS);
  set_number(handle, OPTION_REDIR_PROTOCOLS, PROTOCOL_HTTP | PROTOCOL_HTTPS);
  set_number(handle, OPTION_FOLLOWLOCATION, request->redirects > 0);
  set_number(handle, OPTION_MAXREDIRS, request->redirects);
  set_number(handle, OPTION_PATH_AS_IS, request->keeps_path);
  set_number(handle, OPTION_CONNECTTIMEOUT_MS, request->connect_milliseconds);
  set_number(handle, OPTION_TIMEOUT_MS, request->total_milliseconds);
  set_number(handle, OPTION_LOW_SPEED_LIMIT, request->low_speed_bytes);
  set_number(handle, OPTION_LOW_SPEED_TIME, request->low_speed_seconds);
  set_size(handle, OPTION_MAXFILESIZE_LARGE, request->largest);
  set_size(handle, OPTION_RESUME_FROM_LARGE, request->resume_from);
  // Empty: every form that this libcurl can undo.
  if (request->accepts_compression) set_pointer(handle, OPTION_ACCEPT_ENCODING, "");
  if (request->certificates != NULL) set_pointer(handle, OPTION_CAINFO, request->certificates);
  if (request->proxy != NULL) set_pointer(handle, OPTION_PROXY, request->proxy);
  if (request->http_version != 0) set_number(handle, OPTION_HTTP_VERSION, request->http_version);
  if (request->admits != NULL) {
    set_pointer(handle, OPTION_OPENSOCKETFUNCTION, (const void *)open_socket);
    set_pointer(handle, OPTION_OPENSOCKETDATA, session);
    set_pointer(handle, OPTION_PROXY, "");
  }
  set_size(handle, OPTION_MAX_SEND_SPEED_LARGE, request->send_rate);
  set_size(handle, OPTION_MAX_RECV_SPEED_LARGE, request->receive_rate);
  set_pointer(handle, OPTION_WRITEFUNCTION, (const void *)take_body);
  set_pointer(handle, OPTION_WRITEDATA, session);
  set_pointer(handle, OPTION_HEADERFUNCTION, (const void *)take_head);
  set_pointer(handle, OPTION_HEADERDATA, session);
  if (request->progress != NULL || request->sent != NULL) {
    set_pointer(handle, OPTION_XFERINFOFUNCTION, (const void *)take_progress);
    set_pointer(handle, OPTION_XFERINFODATA, session);
    set_number(handle, OPTION_NOPROGRESS, 0);
  }
}

/// Returns false where this libcurl cannot do what is asked: sign requests, or know a server by its key.
static bool set_up_method(mp_curl_session *session, const mp_curl_request *request) {
  CURL *handle = session->handle;
  session->uploaded = 0;
  if (request->is_head) set_number(handle, OPTION_NOBODY, 1);
  if (request->mail_from != NULL) {
    for (size_t index = 0; index < request->mail_to_count; index++) {
      struct curl_slist *longer = mp_curl.slist_append(session->receivers, request->mail_to[index]);
      if (longer != NULL) session->receivers = longer;
    }
    set_number(handle, OPTION_PROTOCOLS, PROTOCOL_SMTP | PROTOCOL_SMTPS);
    set_pointer(handle, OPTION_MAIL_FROM, request->mail_from);
    set_pointer(handle, OPTION_MAIL_RCPT, session->receivers);
    if (!request->allows_plain) set_number(handle, OPTION_USE_SSL, USE_SSL_ALL);
    if (request->user != NULL) set_pointer(handle, OPTION_USERNAME, request->user);
    if (request->password != NULL) set_pointer(handle, OPTION_PASSWORD, request->password);
  }
  if (request->sends_body) {
    set_number(handle, OPTION_UPLOAD, 1);
    set_size(handle, OPTION_INFILESIZE_LARGE, (int64_t)request->upload_size);
    set_pointer(handle, OPTION_READFUNCTION, (const void *)give_upload);
    set_pointer(handle, OPTION_READDATA, session);
    set_pointer(handle, OPTION_SEEKFUNCTION, (const void *)seek_upload);
    set_pointer(handle, OPTION_SEEKDATA, session);
    set_number(handle, OPTION_UPLOAD_BUFFERSIZE, request->upload_size > 1 << 20 ? 1L << 19 : 1L << 16);
    // An empty `Expect:` would be signed and not sent: rather wait little for servers that do not answer it.
    long expect = request->expect_milliseconds;
    set_number(handle, OPTION_EXPECT_100_TIMEOUT_MS, expect > 0 ? expect : 200);
  }
  if (request->method_name != NULL) set_pointer(handle, OPTION_CUSTOMREQUEST, request->method_name);
  // A key that cannot be checked must not be taken for checked.
  if (request->pinned != NULL && mp_curl.easy_setopt(handle, OPTION_PINNEDPUBLICKEY, request->pinned) != 0) return false;
  if (request->signature == NULL) return true;
  set_pointer(handle, OPTION_USERNAME, request->user);
  set_pointer(handle, OPTION_PASSWORD, request->password);
  return mp_curl.easy_setopt(handle, OPTION_AWS_SIGV4, request->signature) == 0;
}

void mp_curl_hold_pipe(struct mp_curl_pipe *held) {
  sigset_t pending;
  sigemptyset(&held->pipe);
  sigaddset(&held->pipe, SIGPIPE);
  sigpending(&pending);
  held->was_pending = sigismember(&pending, SIGPIPE);
  pthread_sigmask(SIG_BLOCK, &held->pipe, &held->before);
}

void mp_curl_release_pipe(struct mp_curl_pipe *held) {
  sigset_t pending;
  int number;
  sigpending(&pending);
  // One that waited before is for somebody else.
  if (sigismember(&pending, SIGPIPE) && !held->was_pending) sigwait(&held->pipe, &number);
  pthread_sigmask(SIG_SETMASK, &held->before, NULL);
}

static int perform(CURL *handle) {
  struct mp_curl_pipe held;
  mp_curl_hold_pipe(&held);
  int code = mp_curl.easy_perform(handle);
  mp_curl_release_pipe(&held);
  return code;
}

int mp_curl_begin(mp_curl_session *session, const mp_curl_request *request) {
  session->request = *request;
  session->headers = NULL;
  session->receivers = NULL;
  session->message[0] = 0;
  // Options go, connections stay.
  mp_curl.easy_reset(session->handle);
  for (size_t index = 0; index < request->header_count; index++) {
    struct curl_slist *longer = mp_curl.slist_append(session->headers, request->headers[index]);
    if (longer != NULL) session->headers = longer;
  }
  set_up(session, request, session->headers);
  set_pointer(session->handle, OPTION_ERRORBUFFER, session->message);
  // 48: an option that it does not know.
  return set_up_method(session, request) ? 0 : 48;
}

void mp_curl_end(mp_curl_session *session, int code, mp_curl_outcome *outcome) {
  memset(outcome, 0, sizeof *outcome);
  outcome->result = result_of(code);
  outcome->status = status_of(session);
  mp_curl.easy_getinfo(session->handle, INFO_RETRY_AFTER, &outcome->retry_after);
  const char *message = session->message[0] != 0 || code == 0 ? session->message : mp_curl.easy_strerror(code);
  snprintf(outcome->message, sizeof outcome->message, "%s", message);
  set_pointer(session->handle, OPTION_ERRORBUFFER, NULL);
  set_pointer(session->handle, OPTION_HTTPHEADER, NULL);
  set_pointer(session->handle, OPTION_MAIL_RCPT, NULL);
  mp_curl.slist_free_all(session->headers);
  mp_curl.slist_free_all(session->receivers);
  session->headers = session->receivers = NULL;
}

void mp_curl_get(mp_curl_session *session, const mp_curl_request *request, mp_curl_outcome *outcome) {
  int code = mp_curl_begin(session, request);
  if (code == 0) code = perform(session->handle);
  mp_curl_end(session, code, outcome);
}
