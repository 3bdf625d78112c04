#include "compression.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>

// The decoder's functions and results as <brotli/decode.h> has them.
typedef struct BrotliDecoderStateStruct decoder;
enum { DECODER_ERROR, DECODER_SUCCESS, DECODER_NEEDS_INPUT, DECODER_NEEDS_OUTPUT };

static struct {
  decoder *(*create)(void *(*)(void *, size_t), void (*)(void *, void *), void *);
  void (*destroy)(decoder *);
  int (*decompress)(decoder *, size_t *, const uint8_t **, size_t *, uint8_t **, size_t *);
} library;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static bool is_loaded;

static void load(void) {
#if defined(__APPLE__)
  static const char *const names[] = {
      "libbrotlidec.1.dylib", "/opt/homebrew/lib/libbrotlidec.1.dylib", "/usr/local/lib/libbrotlidec.1.dylib"};
#else
  static const char *const names[] = {"libbrotlidec.so.1"};
#endif
  void *found = NULL;
  for (size_t index = 0; !found && index < sizeof names / sizeof *names; index++) {
    found = dlopen(names[index], RTLD_NOW | RTLD_LOCAL);
  }
  if (!found) return;
  library.create = dlsym(found, "BrotliDecoderCreateInstance");
  library.destroy = dlsym(found, "BrotliDecoderDestroyInstance");
  library.decompress = dlsym(found, "BrotliDecoderDecompressStream");
  is_loaded = library.create && library.destroy && library.decompress;
}

bool mpaas_brotli_is_there(void) {
  pthread_once(&once, load);
  return is_loaded;
}

mpaas_outcome mpaas_brotli(
    const uint8_t *input, size_t size, size_t limit, uint8_t **output, size_t *output_size) {
  *output = NULL;
  *output_size = 0;
  if (!mpaas_brotli_is_there()) return MPAAS_DAMAGED;
  decoder *state = library.create(NULL, NULL, NULL);
  if (!state) return MPAAS_NO_MEMORY;
  size_t used = 0, capacity = limit < (64u << 10) ? limit : 64u << 10;
  uint8_t *bytes = malloc(capacity ? capacity : 1);
  mpaas_outcome outcome = bytes ? MPAAS_DAMAGED : MPAAS_NO_MEMORY;
  while (bytes) {
    size_t room = capacity - used;
    uint8_t *next = bytes + used;
    int result = library.decompress(state, &size, &input, &room, &next, NULL);
    used = capacity - room;
    if (result == DECODER_SUCCESS && size == 0) outcome = MPAAS_DECOMPRESSED;
    if (result != DECODER_NEEDS_OUTPUT) break;
    if (capacity >= limit) {
      outcome = MPAAS_TOO_LARGE;
      break;
    }
    size_t wanted = capacity > limit / 2 ? limit : capacity * 2;
    uint8_t *grown = realloc(bytes, wanted);
    if (!grown) {
      outcome = MPAAS_NO_MEMORY;
      break;
    }
    bytes = grown;
    capacity = wanted;
  }
  library.destroy(state);
  if (outcome != MPAAS_DECOMPRESSED) {
    free(bytes);
    return outcome;
  }
  *output = bytes;
  *output_size = used;
  return outcome;
}
