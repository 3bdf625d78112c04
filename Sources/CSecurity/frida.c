#if defined(__linux__)
#define _GNU_SOURCE

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "look.h"
#include "mp_numbers.h"

/// Names of threads that Frida's agent starts; those of GLib alone are no sign, apps have them too.
static bool is_frida_thread(const char *name) {
  static const char *const names[] = {"gum-js-loop", "frida", "pool-frida", "linjector"};
  for (size_t index = 0; index < sizeof names / sizeof *names; index++) {
    if (strncmp(name, names[index], strlen(names[index])) == 0) return true;
  }
  return false;
}

static bool look_at_thread(void *context, int thread) {
  char path[64], part[64], name[32];
  mp_proc_path(part, thread, "comm");
  mp_set_text(path, sizeof path, "/proc/self/task");
  mp_set_text(path + 15, sizeof path - 15, part + 5);
  if (mp_read_small(path, name, sizeof name) <= 0 || !is_frida_thread(name)) return true;
  mp_finding *finding = mp_add_finding(context, MP_FOUND_FRIDA, MP_CERTAIN);
  if (finding == NULL) return true;
  finding->value = (uint64_t)thread;
  char *end = strchr(name, '\n');
  if (end != NULL) *end = 0;
  mp_set_text(finding->name, sizeof finding->name, name);
  return true;
}

void mp_find_frida_threads(mp_findings *out) {
  mp_numbers_each("/proc/self/task", look_at_thread, out);
}

static uint64_t now(void) {
  struct timespec time = {0};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (uint64_t)time.tv_sec * 1000 + (uint64_t)time.tv_nsec / 1000000;
}

/// Sends `request` and reads what comes until `wanted` is in it, the other end closes, or the time is over.
static bool answers(int connection, const char *request, size_t size, const char *wanted, uint64_t end) {
  char answer[1024];
  size_t held = 0;
  if (send(connection, request, size, MSG_NOSIGNAL) != (ssize_t)size) return false;
  while (held < sizeof answer - 1) {
    uint64_t time = now();
    if (time >= end) return false;
    struct pollfd wait = {.fd = connection, .events = POLLIN};
    int ready = poll(&wait, 1, (int)(end - time));
    if (ready < 0 && errno == EINTR) continue;
    if (ready <= 0) return false;
    ssize_t count = recv(connection, answer + held, sizeof answer - 1 - held, MSG_DONTWAIT);
    if (count <= 0) return false;
    held += (size_t)count;
    if (memmem(answer, held, wanted, strlen(wanted)) != NULL) return true;
  }
  return false;
}

static int connected(uint16_t port, uint64_t end) {
  int connection = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (connection < 0) return -1;
  struct sockaddr_in address = {
    .sin_family = AF_INET, .sin_port = htons(port), .sin_addr = {.s_addr = htonl(INADDR_LOOPBACK)}};
  if (connect(connection, (struct sockaddr *)&address, sizeof address) == 0) return connection;
  uint64_t time = now();
  struct pollfd wait = {.fd = connection, .events = POLLOUT};
  int failure = 0;
  socklen_t size = sizeof failure;
  if (errno == EINPROGRESS && time < end && poll(&wait, 1, (int)(end - time)) == 1 &&
      getsockopt(connection, SOL_SOCKET, SO_ERROR, &failure, &size) == 0 && failure == 0) {
    return connection;
  }
  close(connection);
  return -1;
}

bool mp_security_is_frida_port(uint16_t port, int limit_milliseconds) {
  int saved = errno;
  uint64_t start = now(), end = start + (uint64_t)(limit_milliseconds < 0 ? 0 : limit_milliseconds);
  // Since version 15 D-Bus is spoken within a WebSocket (RFC 6455); before, on the bare connection.
  static const char upgrade[] =
    "GET /ws HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: bXBhYXNraXQtc2VjdXJpdA==\r\n\r\n";
  // A masked frame with the mask 0, and in it a call of a method that is not there (D-Bus Specification, "Message
  // Format"): on the WebSocket no authentication comes first.
  static const char call[] =
    "\x82\xd8\0\0\0\0"
    "l\1\0\1\0\0\0\0\1\0\0\0\x45\0\0\0"
    "\1\1o\0\1\0\0\0/\0\0\0\0\0\0\0"
    "\2\1s\0\x19\0\0\0org.freedesktop.DBus.Peer\0\0\0\0\0\0\0"
    "\3\1s\0\4\0\0\0None\0\0\0";
  static const char bare[] = "\0AUTH\r\n";
  bool found = false;
  uint64_t half = start + (end - start) / 2;
  int connection = connected(port, half);
  if (connection >= 0) {
    found = answers(connection, upgrade, sizeof upgrade - 1, "101 ", half) &&
      answers(connection, call, sizeof call, "org.freedesktop.DBus.Error", half);
    close(connection);
  }
  if (!found && (connection = connected(port, end)) >= 0) {
    found = answers(connection, bare, sizeof bare - 1, "REJECTED", end);
    close(connection);
  }
  errno = saved;
  return found;
}

static bool look_at_descriptor(void *context, int descriptor) {
  int listens = 0;
  socklen_t size = sizeof listens;
  if (getsockopt(descriptor, SOL_SOCKET, SO_ACCEPTCONN, &listens, &size) != 0 || !listens) return true;
  struct sockaddr_storage address;
  size = sizeof address;
  if (getsockname(descriptor, (struct sockaddr *)&address, &size) != 0) return true;
  uint16_t port = 0;
  if (address.ss_family == AF_INET) port = ntohs(((struct sockaddr_in *)&address)->sin_port);
  if (address.ss_family == AF_INET6) port = ntohs(((struct sockaddr_in6 *)&address)->sin6_port);
  if (port == 0 || !mp_security_is_frida_port(port, 40)) return true;
  mp_finding *finding = mp_add_finding(context, MP_FOUND_FRIDA, MP_CERTAIN);
  if (finding == NULL) return true;
  finding->value = port;
  mp_set_text(finding->text, sizeof finding->text, "D-Bus");
  return true;
}

void mp_find_frida_ports(mp_findings *out) {
  mp_numbers_each("/proc/self/fd", look_at_descriptor, out);
}

#endif
