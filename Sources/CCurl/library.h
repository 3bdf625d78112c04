/// libcurl's functions and numbers, and what the files of this target share.
#ifndef MPAAS_CURL_LIBRARY_H
#define MPAAS_CURL_LIBRARY_H

#include "mp_curl.h"

#include <signal.h>
#include <sys/socket.h>

// Declarations that libcurl will never change: building needs none of its headers (curl/curl.h, libcurl-symbols(3)).

typedef void CURL;
typedef void CURLM;
struct curl_slist;

/// A multi handle's message about a transfer that ended.
struct curl_message {
  int kind;
  CURL *handle;
  union {
    void *whatever;
    int result;
  } data;
};

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
  OPTION_PROXY = OPTION_POINTER + 4,
  OPTION_CUSTOMREQUEST = OPTION_POINTER + 36,
  OPTION_HTTP_VERSION = OPTION_LONG + 84,
  OPTION_PINNEDPUBLICKEY = OPTION_POINTER + 230,
  OPTION_PATH_AS_IS = OPTION_LONG + 234,
  OPTION_UPLOAD_BUFFERSIZE = OPTION_LONG + 280,
  OPTION_MAX_SEND_SPEED_LARGE = OPTION_OFFSET + 145,
  OPTION_MAX_RECV_SPEED_LARGE = OPTION_OFFSET + 146,
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
  OPTION_OPENSOCKETFUNCTION = OPTION_FUNCTION + 163,
  OPTION_OPENSOCKETDATA = OPTION_POINTER + 164,
  OPTION_USE_SSL = OPTION_LONG + 119,
  OPTION_MAIL_FROM = OPTION_POINTER + 186,
  OPTION_MAIL_RCPT = OPTION_POINTER + 187,
  PROTOCOL_SMTP = 1 << 16,
  PROTOCOL_SMTPS = 1 << 17,
  USE_SSL_ALL = 3,
  PROTOCOL_HTTP = 1,
  PROTOCOL_HTTPS = 2,
  OPTION_BUFFERSIZE = OPTION_LONG + 98,
  OPTION_PRIVATE = OPTION_POINTER + 103,
  OPTION_PIPEWAIT = OPTION_LONG + 237,
  MULTI_OPTION_MAXCONNECTS = OPTION_LONG + 6,
  MULTI_OPTION_MAX_HOST_CONNECTIONS = OPTION_LONG + 7,
  INFO_PRIVATE = 0x100000 + 21,
  INFO_RETRY_AFTER = 0x600000 + 57,
  MESSAGE_DONE = 1,
  INFO_RESPONSE_CODE = 0x200000 + 2,
  GLOBAL_DEFAULT = 3,
};

struct mp_curl_library {
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
  CURLM *(*multi_init)(void);
  int (*multi_cleanup)(CURLM *);
  int (*multi_setopt)(CURLM *, int, ...);
  int (*multi_add_handle)(CURLM *, CURL *);
  int (*multi_remove_handle)(CURLM *, CURL *);
  int (*multi_perform)(CURLM *, int *);
  int (*multi_poll)(CURLM *, void *, unsigned, int, int *);
  int (*multi_wakeup)(CURLM *);
  struct curl_message *(*multi_info_read)(CURLM *, int *);
};

/// Set by the first call of `mp_curl_missing`.
extern struct mp_curl_library mp_curl;

/// The address that libcurl is about to connect to.
struct curl_sockaddr {
  int family;
  int type;
  int protocol;
  unsigned int size;
  struct sockaddr address;
};

struct mp_curl_session {
  CURL *handle;
  mp_curl_request request;
  struct curl_slist *headers, *receivers;
  uint64_t uploaded;
  char message[256];
};

/// Sets a session up for a request; returns libcurl's code.
int mp_curl_begin(mp_curl_session *session, const mp_curl_request *request);

/// Says what became of the request, and lets go of what it needed.
void mp_curl_end(mp_curl_session *session, int code, mp_curl_outcome *outcome);

/// The former action of this thread on SIGPIPE.
struct mp_curl_pipe {
  sigset_t pipe, before;
  bool was_pending;
};

/// From now on this thread gets no SIGPIPE: TLS libraries write to connections that may be gone.
void mp_curl_hold_pipe(struct mp_curl_pipe *held);
void mp_curl_release_pipe(struct mp_curl_pipe *held);

#endif
