/// libcurl behind a few plain functions: it is loaded when the first transfer begins, since at start-up its 33 shared
/// libraries would cost every command 5 ms, and its variadic functions cannot be called from Swift.
#ifndef MPAAS_CURL_H
#define MPAAS_CURL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The reason why libcurl cannot be used, as the system's loader says it; NULL where it can. It is loaded by the first
/// call.
const char *mp_curl_missing(void);

/// Its name and version, `libcurl/7.88.1` and those of what it uses; NULL where it cannot be used.
const char *mp_curl_version(void);

/// A connection, or several, that requests go over one after another. Not for two threads at once.
typedef struct mp_curl_session mp_curl_session;

mp_curl_session *mp_curl_open(void);
void mp_curl_close(mp_curl_session *session);

typedef struct mp_curl_request {
  const char *url;
  /// HEAD: the answer has no body.
  bool is_head;
  /// The method by its name, `PATCH`; NULL: GET, or HEAD where it `is_head`.
  const char *method_name;
  /// The body of a request that `sends_body`.
  const void *upload;
  uint64_t upload_size;
  bool sends_body;
  /// Gives the next bytes to send, at most `size` of them, instead of `upload`; 0 ends early, and more than `size` ends
  /// the transfer. NULL: `upload` has them.
  size_t (*give)(void *context, void *target, size_t size);
  /// Has `give` go on from an offset; returns false where it cannot.
  bool (*rewind)(void *context, uint64_t offset);
  /// The milliseconds of waiting for a server that does not answer `Expect: 100-continue`; 0: 200 ms.
  long expect_milliseconds;
  /// `aws:amz:REGION:s3`, with the identifier and the secret of a key: the request is signed so; NULL: not at all.
  const char *signature, *user, *password;
  const char *user_agent;
  /// Lines `Name: value` without line breaks; `header_count` of them.
  const char *const *headers;
  size_t header_count;
  long connect_milliseconds;  ///< 0: libcurl's default.
  long total_milliseconds;    ///< 0: no limit.
  /// The transfer ends when fewer bytes a second come for so many seconds; 0: no limit.
  long low_speed_bytes, low_speed_seconds;
  /// The transfer does not begin where the server announces more bytes; 0: no limit.
  int64_t largest;
  int64_t resume_from;  ///< Bytes that are there already.
  long redirects;       ///< As many are followed.
  bool keeps_path;      ///< Parts `.` and `..` of the path stay; otherwise libcurl takes them out (RFC 3986, 5.2.4).
  bool accepts_compression;
  const char *certificates;  ///< A file of certificates to trust instead of the system's; NULL: the system's.
  const char *pinned;  ///< `sha256//BASE64;…`: the server's public key is one of these; NULL: any.
  const char *proxy;   ///< Instead of the environment's; empty: none; NULL: the environment's.
  long http_version;   ///< libcurl's number (`CURL_HTTP_VERSION_…`); 0: its default.
  int64_t send_rate, receive_rate;  ///< Bytes a second at most; 0: no limit.
  /// Asked for the address that is about to be connected to, 4 bytes or 16; false leaves it. With it no proxy is taken.
  /// NULL: any.
  bool (*admits)(void *context, const uint8_t *address, size_t size);
  /// The address of the sender and those of receivers: the request is a mail, by `smtp:` or `smtps:`, and `upload` is
  /// it. Without TLS nothing is sent unless `allows_plain`. NULL: no mail.
  const char *mail_from;
  const char *const *mail_to;
  size_t mail_to_count;
  bool allows_plain;
  bool takes_refusals;  ///< Bodies of answers with a status of 400 or more are taken too, and are no failure.

  void *context;
  /// Takes a part of the body, with the status of the answer; anything but `size` ends the transfer.
  size_t (*body)(void *context, long status, const void *bytes, size_t size);
  /// Takes a line of the answer's head, its line break included; also those of redirects.
  void (*head)(void *context, const char *line, size_t size);
  /// Told often; anything but 0 ends the transfer. `total` is 0 where it is unknown. May be NULL.
  int (*progress)(void *context, int64_t total, int64_t now);
  /// Told like `progress`, of what is sent. May be NULL.
  int (*sent)(void *context, int64_t total, int64_t now);
} mp_curl_request;

/// The outcome of a request.
typedef enum mp_curl_result {
  mp_curl_done = 0,
  mp_curl_refused_status,  ///< The answer's status is 400 or more; no body was taken.
  mp_curl_no_host,
  mp_curl_no_connection,
  mp_curl_tls,
  mp_curl_timed_out,
  mp_curl_broken_off,  ///< The connection ended early.
  mp_curl_too_large,
  mp_curl_cannot_resume,
  mp_curl_stopped,  ///< `body` or `progress` ended it.
  mp_curl_bad_url,  ///< Not HTTP or HTTPS, or no URL.
  mp_curl_redirects,
  mp_curl_other,
} mp_curl_result;

typedef struct mp_curl_outcome {
  mp_curl_result result;
  long status;  ///< Of the last answer; 0 where there was none.
  int64_t retry_after;  ///< Seconds after which the server wants to be asked again; 0 where it does not say.
  char message[256];
} mp_curl_outcome;

/// Does a request over HTTP or HTTPS; certificates are verified, the proxy variables of the environment are obeyed.
void mp_curl_get(mp_curl_session *session, const mp_curl_request *request, mp_curl_outcome *outcome);

/// Many transfers that one thread drives, over as few connections as they need. All functions but
/// `mp_curl_multi_wake` are for one thread.
typedef struct mp_curl_multi mp_curl_multi;

mp_curl_multi *mp_curl_multi_open(long connections_per_host);

/// No transfer may be going on.
void mp_curl_multi_close(mp_curl_multi *multi);

/// Begins a transfer, whose callbacks are called by `mp_curl_multi_next`; false where libcurl does not take it.
bool mp_curl_multi_add(mp_curl_multi *multi, mp_curl_session *session, const mp_curl_request *request);

/// Ends a transfer at once.
void mp_curl_multi_remove(mp_curl_multi *multi, mp_curl_session *session);

/// Drives all transfers, waiting so long for something to do, and gives a session whose transfer has ended; NULL where
/// none has yet.
mp_curl_session *mp_curl_multi_next(mp_curl_multi *multi, int milliseconds, mp_curl_outcome *outcome);

/// Ends the wait of `mp_curl_multi_next`; from any thread.
void mp_curl_multi_wake(mp_curl_multi *multi);

#ifdef __cplusplus
}
#endif

#endif
