#include "compression.h"
#include "growing.h"

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

mpaas_outcome mpaas_brotli_into(
    const uint8_t *input, size_t size, uint8_t *output, size_t limit, mpaas_ask ask, void *context,
    size_t *output_size) {
  *output_size = 0;
  if (!mpaas_brotli_is_there()) return MPAAS_DAMAGED;
  decoder *state = library.create(NULL, NULL, NULL);
  if (!state) return MPAAS_NO_MEMORY;
  growing out = {.bytes = output, .limit = limit, .ask = ask, .context = context, .outcome = MPAAS_DAMAGED};
  int result = DECODER_NEEDS_OUTPUT;
  while (result == DECODER_NEEDS_OUTPUT && grow(&out)) {
    size_t room = out.capacity - out.used;
    uint8_t *next = out.bytes + out.used;
    result = library.decompress(state, &size, &input, &room, &next, NULL);
    out.used = out.capacity - room;
  }
  if (result == DECODER_SUCCESS && size == 0) out.outcome = MPAAS_DECOMPRESSED;
  library.destroy(state);
  *output_size = out.used;
  return out.outcome;
}
