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

// Declarations that libmicrohttpd promises not to change (microhttpd.h): building needs none of its headers.

struct MHD_Daemon;
struct MHD_Connection;
struct MHD_Response;

typedef int (*access_handler)(
  void *, struct MHD_Connection *, const char *url, const char *method, const char *version, const char *data,
  size_t *data_size, void **request);

enum {
  USE_THREAD_PER_CONNECTION = 4,
  USE_INTERNAL_POLLING_THREAD = 8,
  // Without it sockets of numbers past 1023 are refused.
  USE_POLL = 64,
  OPTION_END = 0,
  OPTION_CONNECTION_LIMIT = 2,
  OPTION_CONNECTION_TIMEOUT = 3,
  OPTION_NOTIFY_COMPLETED = 4,
  OPTION_LISTEN_SOCKET = 12,
  HEADER_KIND = 1,
  GET_ARGUMENT_KIND = 8,
  MEMORY_MUST_COPY = 2,
};

typedef int (*argument_iterator)(
  void *, int kind, const char *name, size_t name_size, const char *value, size_t value_size);

static struct {
  struct MHD_Daemon *(*start_daemon)(unsigned, uint16_t, void *, void *, access_handler, void *, ...);
  void (*stop_daemon)(struct MHD_Daemon *);
  const char *(*lookup_connection_value)(struct MHD_Connection *, int, const char *);
  int (*get_connection_values)(struct MHD_Connection *, int, argument_iterator, void *);
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
  mhd.get_connection_values = function(library, "MHD_get_connection_values_n");
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
    if (bind(candidate, each->ai_addr, each->ai_addrlen) == 0 && listen(candidate, 512) == 0) {
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
  size_t body_limit;
};

// The parts of a request that are kept from its head to its end.
struct request {
  char *body;
  size_t size, capacity;
  int is_too_large;
};

struct mp_http_exchange {
  struct MHD_Connection *connection;
  const struct request *request;
  struct MHD_Response *response;
  unsigned status;
};

// Keeps a part of a body; what is beyond the limit is read and forgotten, so that the client hears the answer.
static int keep(struct request *request, const char *data, size_t size, size_t limit) {
  if (limit == 0 || request->is_too_large) return 1;
  if (size > limit - request->size) {
    request->is_too_large = 1;
    return 1;
  }
  if (size > request->capacity - request->size) {
    size_t capacity = request->capacity == 0 ? 4096 : request->capacity;
    while (capacity - request->size < size) capacity *= 2;
    char *body = realloc(request->body, capacity);
    if (body == NULL) return 0;
    request->body = body;
    request->capacity = capacity;
  }
  memcpy(request->body + request->size, data, size);
  request->size += size;
  return 1;
}

static int answer(
  void *context, struct MHD_Connection *connection, const char *url, const char *method, const char *version,
  const char *data, size_t *data_size, void **state) {
  (void)version;
  mp_http_server *server = context;
  // The library calls once for the head, once for each part of a body, and once more at the end.
  if (*state == NULL) {
    *state = calloc(1, sizeof(struct request));
    return *state != NULL;
  }
  struct request *request = *state;
  if (*data_size != 0) {
    int kept = keep(request, data, *data_size, server->body_limit);
    *data_size = 0;
    return kept;
  }
  mp_http_exchange exchange = {.connection = connection, .request = request};
  server->handler(server->context, &exchange, method, url);
  if (exchange.response == NULL) return 0;
  int result = mhd.queue_response(connection, exchange.status, exchange.response);
  mhd.destroy_response(exchange.response);
  return result;
}

static void completed(void *context, struct MHD_Connection *connection, void **state, int reason) {
  (void)context, (void)connection, (void)reason;
  struct request *request = *state;
  *state = NULL;
  if (request == NULL) return;
  free(request->body);
  free(request);
}

mp_http_server *mp_http_start(
  int socket, unsigned connections, unsigned timeout_seconds, size_t body_limit, mp_http_handler handler,
  void *context) {
  if (mp_http_missing() != NULL) return NULL;
  mp_http_server *server = calloc(1, sizeof *server);
  if (server == NULL) return NULL;
  server->handler = handler;
  server->context = context;
  server->body_limit = body_limit;
  signal(SIGPIPE, SIG_IGN);
  server->daemon = mhd.start_daemon(
    USE_THREAD_PER_CONNECTION | USE_INTERNAL_POLLING_THREAD | USE_POLL, 0, NULL, NULL, answer, server,
    OPTION_LISTEN_SOCKET,
    socket, OPTION_CONNECTION_LIMIT, connections, OPTION_CONNECTION_TIMEOUT, timeout_seconds,
    OPTION_NOTIFY_COMPLETED, completed, NULL, OPTION_END);
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

struct visit {
  mp_http_argument visitor;
  void *context;
};

static int visit(void *context, int kind, const char *name, size_t name_size, const char *value, size_t value_size) {
  (void)kind;
  struct visit *visit = context;
  visit->visitor(visit->context, name, name_size, value, value == NULL ? 0 : value_size);
  return 1;
}

void mp_http_request_arguments(mp_http_exchange *exchange, mp_http_argument visitor, void *context) {
  struct visit all = {visitor, context};
  mhd.get_connection_values(exchange->connection, GET_ARGUMENT_KIND, visit, &all);
}

const void *mp_http_request_body(mp_http_exchange *exchange, size_t *size) {
  *size = exchange->request->size;
  return exchange->request->is_too_large ? NULL : exchange->request->body == NULL ? "" : exchange->request->body;
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
