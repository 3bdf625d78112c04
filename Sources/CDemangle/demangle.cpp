#include "demangle.h"

#include <cxxabi.h>

// Exported by libswiftCore, dynamic and static (swift/Runtime/Debug.h).
extern "C" char *swift_demangle(
    const char *mangledName, size_t mangledNameLength, char *outputBuffer, size_t *outputBufferSize, uint32_t flags);

char *mpaas_demangle_swift(const char *name, size_t length) {
  return swift_demangle(name, length, nullptr, nullptr, 0);
}

char *mpaas_demangle_cxx(const char *name) {
  int status = 0;
  return abi::__cxa_demangle(name, nullptr, nullptr, &status);
}
