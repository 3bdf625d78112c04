#include "demangle.h"

// Exported by libswiftCore, dynamic and static (swift/Runtime/Debug.h).
char *swift_demangle(
    const char *mangledName, size_t mangledNameLength, char *outputBuffer, size_t *outputBufferSize, uint32_t flags);

char *mpaas_demangle_swift(const char *name, size_t length) {
  return swift_demangle(name, length, NULL, NULL, 0);
}
