#pragma once
#include <stddef.h>
#include <stdint.h>

/// Demangles a Swift name with the Swift runtime; the result is the caller's to free(), NULL where it is none.
///
/// It may take time and memory exponential in the length: the caller refuses names that can grow so.
char *_Nullable mpaas_demangle_swift(const char *_Nonnull name, size_t length);
