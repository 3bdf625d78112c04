#ifndef MPAAS_TUNNEL_H
#define MPAAS_TUNNEL_H

#include <stdint.h>

// Every function answers 0 or more, or a negated errno. Where there is no Linux: -ENOSYS.

/// Opens a TUN device in the network namespace of the calling thread; `name` is the name wanted.
/// Answers the descriptor, which does not block.
int mpaas_tunnel_open(const char *name);

/// Gives a device of the calling thread's namespace an IPv4 address (host byte order) and brings it up.
int mpaas_tunnel_configure(const char *name, uint32_t address, int prefix, int mtu);

/// Sends what has no other way through `gateway` (host byte order).
int mpaas_tunnel_route(uint32_t gateway);

/// Puts the calling thread into a new network namespace, its loopback up; the namespace goes with its last thread or
/// process.
int mpaas_tunnel_enter_new_namespace(void);

/// Has the calling thread woken at the time asked for, not up to 50 µs later.
void mpaas_tunnel_exact_timers(void);

/// Waits until a descriptor can be read (bit i of the answer: the i-th of them) or `nanoseconds` passed; negative waits
/// on.
int mpaas_tunnel_wait(const int *descriptors, int count, int64_t nanoseconds);

/// The settings that a child is started with.
struct mpaas_child {
  /// Searched for in PATH of `environment`; the list ends with a null pointer.
  char *const *arguments;
  char *const *environment;
  /// A file that the child sees as /etc/resolv.conf; null to leave that as it is.
  const char *resolver;
  /// The user that it runs as; null for the caller's own identity.
  const char *user;
  uint32_t uid;
  uint32_t gid;
  /// The signal that it gets when the thread that started it is gone; 0 for nothing.
  int death_signal;
};

/// Starts a program in the namespaces of the calling thread. Signals have their default actions in it.
/// Answers its process, or the negated errno of the step that failed.
int32_t mpaas_child_start(const struct mpaas_child *child);

/// From now on SIGTERM, SIGHUP, SIGQUIT and SIGINT end nothing; the last that came goes to the child once it is known.
void mpaas_child_hold_signals(void);

/// They go to `process`, those of the terminal excepted, which it gets anyway. 0: to no process any more.
void mpaas_child_forward_signals(int32_t process);

/// Gives the signals their default actions back.
void mpaas_child_release_signals(void);

/// Waits for the end of a child: its wait status, or the negated errno.
int mpaas_child_wait(int32_t process, int *status);

#endif
