#pragma once
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Demangles a Swift name with the Swift runtime; the result is the caller's to free(), NULL where it is none.
///
/// It may take time and memory exponential in the length: the caller refuses names that can grow so.
char *_Nullable mpaas_demangle_swift(const char *_Nonnull name, size_t length);

/// Demangles a C++ name with the C++ ABI's library; the result is the caller's to free(), NULL where it is none.
///
/// It may take time and memory exponential in the length: the caller refuses names that can grow so.
char *_Nullable mpaas_demangle_cxx(const char *_Nonnull name);

#ifdef __cplusplus
}
#endif
