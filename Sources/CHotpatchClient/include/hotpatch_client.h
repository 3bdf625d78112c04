/// The client of hotpatches for apps in C and Objective-C: it is one for the program.
#ifndef HOTPATCH_CLIENT_H
#define HOTPATCH_CLIENT_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The facts that the client works with. Texts are UTF-8; lists end with NULL. All of it is copied.
typedef struct {
  /// The folder for state, metadata and bundles; nothing else may be in it.
  const char *_Nullable folder;
  /// A text that stays the same for the device or its user: it decides who is in a rollout.
  const char *_Nullable device;
  /// Such as `com.example.shop`, and its version.
  const char *_Nullable app;
  const char *_Nullable app_version;
  /// The bytes of the repository's first `root.json`.
  const void *_Nullable root;
  size_t root_size;
  /// Addresses of the repository, tried in order.
  const char *_Nullable const *_Nullable mirrors;
  /// The keys whose signatures on bundles count: public keys as PEM.
  const char *_Nullable const *_Nullable keys;
  /// `AGE-SECRET-KEY-1…`: opens the payloads.
  const char *_Nullable const *_Nullable identities;
} hotpatch_configuration;

/// Makes the client and runs what is stored; to be called first thing in main, once.
///
/// - Returns: 0, or -1 with the reason in `error`, cut off at `size`.
int hotpatch_client_start(const hotpatch_configuration *_Nonnull configuration, char *_Nullable error, size_t size);

/// Learns what is new and runs it, on another thread. Does nothing before the start.
void hotpatch_client_follow(void);

/// Learns what is new when the app comes back to the screen, on another thread; it runs at the next start.
void hotpatch_client_enter_foreground(void);

/// Says that the app works with the patches that run; once the first screen is there.
void hotpatch_client_confirm_healthy(void);

#ifdef __cplusplus
}
#endif
#endif
