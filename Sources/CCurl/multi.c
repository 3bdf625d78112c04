#include "library.h"

#include <stdlib.h>
#include <string.h>

struct mp_curl_multi {
  CURLM *handle;
};

mp_curl_multi *mp_curl_multi_open(long connections_per_host) {
  if (mp_curl_missing() != NULL) return NULL;
  mp_curl_multi *multi = calloc(1, sizeof *multi);
  if (multi == NULL) return NULL;
  multi->handle = mp_curl.multi_init();
  if (multi->handle == NULL) {
    free(multi);
    return NULL;
  }
  mp_curl.multi_setopt(multi->handle, MULTI_OPTION_MAX_HOST_CONNECTIONS, connections_per_host);
  // Else as many stay open as four for each transfer, which are few while files are checked.
  mp_curl.multi_setopt(multi->handle, MULTI_OPTION_MAXCONNECTS, 4 * connections_per_host);
  return multi;
}

void mp_curl_multi_close(mp_curl_multi *multi) {
  struct mp_curl_pipe held;
  mp_curl_hold_pipe(&held);
  mp_curl.multi_cleanup(multi->handle);
  mp_curl_release_pipe(&held);
  free(multi);
}

bool mp_curl_multi_add(mp_curl_multi *multi, mp_curl_session *session, const mp_curl_request *request) {
  int code = mp_curl_begin(session, request);
  mp_curl_outcome outcome;
  if (code == 0) {
    mp_curl.easy_setopt(session->handle, OPTION_PRIVATE, session);
    // One connection carries many transfers where the server speaks HTTP/2: rather wait for it than open more.
    if (strncmp(request->url, "https:", 6) == 0) mp_curl.easy_setopt(session->handle, OPTION_PIPEWAIT, 1L);
    mp_curl.easy_setopt(session->handle, OPTION_BUFFERSIZE, 1L << 18);
    if (mp_curl.multi_add_handle(multi->handle, session->handle) == 0) return true;
  }
  mp_curl_end(session, code, &outcome);
  return false;
}

void mp_curl_multi_remove(mp_curl_multi *multi, mp_curl_session *session) {
  mp_curl_outcome outcome;
  struct mp_curl_pipe held;
  mp_curl_hold_pipe(&held);
  mp_curl.multi_remove_handle(multi->handle, session->handle);
  mp_curl_release_pipe(&held);
  mp_curl_end(session, 0, &outcome);
}

/// A session whose transfer ended; NULL where none did.
static mp_curl_session *ended(mp_curl_multi *multi, mp_curl_outcome *outcome) {
  int left = 0;
  for (struct curl_message *message; (message = mp_curl.multi_info_read(multi->handle, &left)) != NULL;) {
    if (message->kind != MESSAGE_DONE) continue;
    // The message is gone once the handle is.
    CURL *handle = message->handle;
    int code = message->data.result;
    mp_curl_session *session = NULL;
    mp_curl.easy_getinfo(handle, INFO_PRIVATE, &session);
    mp_curl.multi_remove_handle(multi->handle, handle);
    if (session == NULL) continue;
    mp_curl_end(session, code, outcome);
    return session;
  }
  return NULL;
}

mp_curl_session *mp_curl_multi_next(mp_curl_multi *multi, int milliseconds, mp_curl_outcome *outcome) {
  mp_curl_session *session = ended(multi, outcome);
  if (session != NULL) return session;
  int running = 0;
  mp_curl.multi_poll(multi->handle, NULL, 0, milliseconds, NULL);
  struct mp_curl_pipe held;
  mp_curl_hold_pipe(&held);
  mp_curl.multi_perform(multi->handle, &running);
  session = ended(multi, outcome);
  mp_curl_release_pipe(&held);
  return session;
}

void mp_curl_multi_wake(mp_curl_multi *multi) {
  mp_curl.multi_wakeup(multi->handle);
}
