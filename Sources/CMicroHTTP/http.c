#include "mp_http.h"

#include <arpa/inet.h>
#include <dlfcn.h>
#include <errno.h>
#include <netdb.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

// What libmicrohttpd promises not to change (microhttpd.h), so that building needs none of its headers.

struct MHD_Daemon;
struct MHD_Connection;
struct MHD_Response;

typedef int (*access_handler)(
  void *, struct MHD_Connection *, const char *url, const char *method, const char *version, const char *data,
  size_t *data_size, void **request);

enum {
  USE_THREAD_PER_CONNECTION = 4,
  USE_INTERNAL_POLLING_THREAD = 8,
  OPTION_END = 0,
  OPTION_CONNECTION_LIMIT = 2,
  OPTION_CONNECTION_TIMEOUT = 3,
  OPTION_LISTEN_SOCKET = 12,
  HEADER_KIND = 1,
  MEMORY_MUST_COPY = 2,
};

static struct {
  struct MHD_Daemon *(*start_daemon)(unsigned, uint16_t, void *, void *, access_handler, void *, ...);
  void (*stop_daemon)(struct MHD_Daemon *);
  const char *(*lookup_connection_value)(struct MHD_Connection *, int, const char *);
  struct MHD_Response *(*create_response_from_buffer)(size_t, void *, int);
  struct MHD_Response *(*create_response_from_fd_at_offset64)(uint64_t, int, uint64_t);
  int (*add_response_header)(struct MHD_Response *, const char *, const char *);
  int (*queue_response)(struct MHD_Connection *, unsigned, struct MHD_Response *);
  void (*destroy_response)(struct MHD_Response *);
  const char *(*get_version)(void);
} mhd;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static char failure[256];

static void *function(void *library, const char *name) {
  void *found = dlsym(library, name);
  if (found == NULL && failure[0] == 0) snprintf(failure, sizeof failure, "libmicrohttpd has no %s", name);
  return found;
}

static void load(void) {
#if defined(__APPLE__)
  static const char *const names[] = {
    "libmicrohttpd.12.dylib", "/opt/homebrew/lib/libmicrohttpd.12.dylib", "/usr/local/lib/libmicrohttpd.12.dylib"};
#else
  static const char *const names[] = {"libmicrohttpd.so.12"};
#endif
  void *library = NULL;
  for (size_t index = 0; library == NULL && index < sizeof names / sizeof *names; index++) {
    library = dlopen(names[index], RTLD_NOW | RTLD_LOCAL);
    if (library == NULL && index == 0) snprintf(failure, sizeof failure, "%s", dlerror());
  }
  if (library == NULL) return;
  failure[0] = 0;
  mhd.start_daemon = function(library, "MHD_start_daemon");
  mhd.stop_daemon = function(library, "MHD_stop_daemon");
  mhd.lookup_connection_value = function(library, "MHD_lookup_connection_value");
  mhd.create_response_from_buffer = function(library, "MHD_create_response_from_buffer");
  mhd.create_response_from_fd_at_offset64 = function(library, "MHD_create_response_from_fd_at_offset64");
  mhd.add_response_header = function(library, "MHD_add_response_header");
  mhd.queue_response = function(library, "MHD_queue_response");
  mhd.destroy_response = function(library, "MHD_destroy_response");
  mhd.get_version = function(library, "MHD_get_version");
}

const char *mp_http_missing(void) {
  pthread_once(&once, load);
  return failure[0] == 0 ? NULL : failure;
}

const char *mp_http_version(void) {
  return mp_http_missing() == NULL ? mhd.get_version() : NULL;
}

// Listening

int mp_http_listen(const char *host, const char *port) {
  struct addrinfo hints = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_PASSIVE}, *found = NULL;
  if (getaddrinfo(host, port, &hints, &found) != 0 || found == NULL) return -EADDRNOTAVAIL;
  int error = EADDRNOTAVAIL, result = -1;
  for (struct addrinfo *each = found; each != NULL && result < 0; each = each->ai_next) {
    int candidate = socket(each->ai_family, each->ai_socktype, each->ai_protocol), yes = 1;
    if (candidate < 0) {
      error = errno;
      continue;
    }
    setsockopt(candidate, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    if (bind(candidate, each->ai_addr, each->ai_addrlen) == 0 && listen(candidate, 128) == 0) {
      result = candidate;
    } else {
      error = errno;
      close(candidate);
    }
  }
  freeaddrinfo(found);
  return result >= 0 ? result : -error;
}

int mp_http_bound(int socket, char *host, size_t host_size, uint16_t *port) {
  struct sockaddr_storage address;
  socklen_t length = sizeof address;
  if (getsockname(socket, (struct sockaddr *)&address, &length) != 0) return -errno;
  char service[16];
  int error = getnameinfo(
    (struct sockaddr *)&address, length, host, (socklen_t)host_size, service, sizeof service,
    NI_NUMERICHOST | NI_NUMERICSERV);
  if (error != 0) return -EADDRNOTAVAIL;
  *port = (uint16_t)strtoul(service, NULL, 10);
  return 0;
}

// Serving

struct mp_http_server {
  struct MHD_Daemon *daemon;
  mp_http_handler handler;
  void *context;
};

struct mp_http_exchange {
  struct MHD_Connection *connection;
  struct MHD_Response *response;
  unsigned status;
};

static int answer(
  void *context, struct MHD_Connection *connection, const char *url, const char *method, const char *version,
  const char *data, size_t *data_size, void **request) {
  (void)version, (void)data;
  static int begun;
  // The library calls once for the head, once for each part of a body, and once more at the end.
  if (*request == NULL) {
    *request = &begun;
    return 1;
  }
  if (*data_size != 0) {
    *data_size = 0;
    return 1;
  }
  mp_http_server *server = context;
  mp_http_exchange exchange = {.connection = connection};
  server->handler(server->context, &exchange, method, url);
  if (exchange.response == NULL) return 0;
  int result = mhd.queue_response(connection, exchange.status, exchange.response);
  mhd.destroy_response(exchange.response);
  return result;
}

mp_http_server *mp_http_start(
  int socket, unsigned connections, unsigned timeout_seconds, mp_http_handler handler, void *context) {
  if (mp_http_missing() != NULL) return NULL;
  mp_http_server *server = calloc(1, sizeof *server);
  if (server == NULL) return NULL;
  server->handler = handler;
  server->context = context;
  signal(SIGPIPE, SIG_IGN);
  server->daemon = mhd.start_daemon(
    USE_THREAD_PER_CONNECTION | USE_INTERNAL_POLLING_THREAD, 0, NULL, NULL, answer, server, OPTION_LISTEN_SOCKET,
    socket, OPTION_CONNECTION_LIMIT, connections, OPTION_CONNECTION_TIMEOUT, timeout_seconds, OPTION_END);
  if (server->daemon != NULL) return server;
  free(server);
  return NULL;
}

void mp_http_stop(mp_http_server *server) {
  mhd.stop_daemon(server->daemon);
  free(server);
}

const char *mp_http_request_header(mp_http_exchange *exchange, const char *name) {
  return mhd.lookup_connection_value(exchange->connection, HEADER_KIND, name);
}

void mp_http_answer_bytes(mp_http_exchange *exchange, unsigned status, const void *bytes, size_t size) {
  if (exchange->response != NULL) return;
  exchange->status = status;
  exchange->response = mhd.create_response_from_buffer(size, (void *)bytes, MEMORY_MUST_COPY);
}

void mp_http_answer_file(
  mp_http_exchange *exchange, unsigned status, int descriptor, uint64_t offset, uint64_t size) {
  if (exchange->response == NULL) {
    exchange->status = status;
    exchange->response = mhd.create_response_from_fd_at_offset64(size, descriptor, offset);
    if (exchange->response != NULL) return;
  }
  close(descriptor);
}

void mp_http_answer_header(mp_http_exchange *exchange, const char *name, const char *value) {
  if (exchange->response != NULL) mhd.add_response_header(exchange->response, name, value);
}
