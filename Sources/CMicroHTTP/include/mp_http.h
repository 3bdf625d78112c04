/// libmicrohttpd behind a few plain functions, loaded when a server starts; its variadic functions cannot be called
/// from Swift.
#ifndef MPAAS_HTTP_H
#define MPAAS_HTTP_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The reason why libmicrohttpd cannot be used, as the system's loader says it; NULL where it can. It is loaded by the
/// first call.
const char *mp_http_missing(void);

/// Its version, as `0.9.75`; NULL where it cannot be used.
const char *mp_http_version(void);

/// Binds and listens; the socket, or a negated errno. `host` is a name or an address, `port` 0 lets the system choose.
int mp_http_listen(const char *host, const char *port);
/// Writes the numeric address and the port of a listening socket; 0, or a negated errno.
int mp_http_bound(int socket, char *host, size_t host_size, uint16_t *port);

typedef struct mp_http_server mp_http_server;
/// One request, valid while the handler runs.
typedef struct mp_http_exchange mp_http_exchange;

/// Answers a request; called on several threads at once. Without an answer the connection is closed.
typedef void (*mp_http_handler)(void *context, mp_http_exchange *exchange, const char *method, const char *path);

/// Serves on a listening socket, which belongs to the server from then on; NULL where it cannot.
///
/// Bodies of requests are kept up to a limit, 0 for none. From then on the process ignores SIGPIPE: sendfile(2) raises
/// it where a client went away.
mp_http_server *mp_http_start(
  int socket, unsigned connections, unsigned timeout_seconds, size_t body_limit, mp_http_handler, void *context);
/// Ends all connections and waits for their threads.
void mp_http_stop(mp_http_server *server);

/// A header of the request; NULL where it has none of that name.
const char *mp_http_request_header(mp_http_exchange *exchange, const char *name);
/// Gets an argument of the request's query, escapes taken out; `value` is NULL where it has no `=`.
typedef void (*mp_http_argument)(
  void *context, const char *name, size_t name_size, const char *value, size_t value_size);
/// Visits the arguments of the query.
void mp_http_request_arguments(mp_http_exchange *exchange, mp_http_argument, void *context);
/// The body of the request; NULL where it is larger than the server's limit.
const void *mp_http_request_body(mp_http_exchange *exchange, size_t *size);
/// Answers with a copy of the bytes. The first answer counts.
void mp_http_answer_bytes(mp_http_exchange *exchange, unsigned status, const void *bytes, size_t size);
/// Answers with a part of a file, sent by the kernel; the descriptor belongs to the answer from then on.
void mp_http_answer_file(mp_http_exchange *exchange, unsigned status, int descriptor, uint64_t offset, uint64_t size);
/// Adds a header to the answer that was given.
void mp_http_answer_header(mp_http_exchange *exchange, const char *name, const char *value);

#ifdef __cplusplus
}
#endif

#endif
