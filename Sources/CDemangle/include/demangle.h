#pragma once
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Demangles a C++ name (`_Z…`) with the C++ library that the program is linked with.
///
/// The result is the caller's to free(); NULL where it is not a mangled name. It may take time and memory
/// exponential in the length: the caller keeps names short.
char *_Nullable mpaas_demangle_cxx(const char *_Nonnull name);

/// Demangles a Swift name with the Swift runtime; the result is the caller's to free(), NULL where it is none.
char *_Nullable mpaas_demangle_swift(const char *_Nonnull name, size_t length);

#ifdef __cplusplus
}
#endif
