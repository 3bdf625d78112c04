#include "brotli.h"

#include <dlfcn.h>
#include <pthread.h>

// Functions and results as <brotli/decode.h> and <brotli/encode.h> have them.
typedef struct BrotliDecoderStateStruct decoder;
enum { DECODER_SUCCESS = 1, DECODER_NEEDS_OUTPUT = 3 };
enum { LEVEL = 4, WINDOW = 22, MODE_TEXT = 1 };

static struct {
  decoder *(*create)(void *(*)(void *, size_t), void (*)(void *, void *), void *);
  void (*destroy)(decoder *);
  int (*decompress)(decoder *, size_t *, const uint8_t **, size_t *, uint8_t **, size_t *);
  size_t (*bound)(size_t);
  int (*compress)(int, int, int, size_t, const uint8_t *, size_t *, uint8_t *);
} library;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static bool decodes, encodes;

static void *open_any(const char *const *names, size_t count) {
  void *found = NULL;
  for (size_t index = 0; !found && index < count; index++) found = dlopen(names[index], RTLD_NOW | RTLD_LOCAL);
  return found;
}

static void load(void) {
#if defined(__APPLE__)
  static const char *const decoders[] = {
      "libbrotlidec.1.dylib", "/opt/homebrew/lib/libbrotlidec.1.dylib", "/usr/local/lib/libbrotlidec.1.dylib"};
  static const char *const encoders[] = {
      "libbrotlienc.1.dylib", "/opt/homebrew/lib/libbrotlienc.1.dylib", "/usr/local/lib/libbrotlienc.1.dylib"};
#else
  static const char *const decoders[] = {"libbrotlidec.so.1"};
  static const char *const encoders[] = {"libbrotlienc.so.1"};
#endif
  void *found = open_any(decoders, sizeof decoders / sizeof *decoders);
  if (found) {
    library.create = dlsym(found, "BrotliDecoderCreateInstance");
    library.destroy = dlsym(found, "BrotliDecoderDestroyInstance");
    library.decompress = dlsym(found, "BrotliDecoderDecompressStream");
    decodes = library.create && library.destroy && library.decompress;
  }
  found = open_any(encoders, sizeof encoders / sizeof *encoders);
  if (!found) return;
  library.bound = dlsym(found, "BrotliEncoderMaxCompressedSize");
  library.compress = dlsym(found, "BrotliEncoderCompress");
  encodes = library.bound && library.compress;
}

bool mp_coding_decodes(mp_coding coding) {
  if (coding != MP_CODING_BROTLI) return true;
  pthread_once(&once, load);
  return decodes;
}

bool mp_coding_encodes(mp_coding coding) {
  if (coding != MP_CODING_BROTLI) return true;
  pthread_once(&once, load);
  return encodes;
}

void mp_brotli_decode(mp_output *output, const uint8_t *input, size_t size) {
  decoder *state = library.create(NULL, NULL, NULL);
  if (!state) {
    output->outcome = MP_CODING_NO_MEMORY;
    return;
  }
  output->outcome = MP_CODING_DAMAGED;
  int result = DECODER_NEEDS_OUTPUT;
  while (result == DECODER_NEEDS_OUTPUT) {
    if (output->used == output->capacity && !mp_output_grow(output)) break;
    size_t room = output->capacity - output->used;
    uint8_t *next = output->bytes + output->used;
    result = library.decompress(state, &size, &input, &room, &next, NULL);
    output->used = output->capacity - room;
  }
  if (result == DECODER_SUCCESS && size == 0) output->outcome = MP_CODING_DONE;
  library.destroy(state);
}

void mp_brotli_encode(mp_output *output, const uint8_t *input, size_t size) {
  size_t made = library.bound(size);
  output->limit = made;
  if (made == 0 || !mp_output_grow(output)) return;
  while (output->capacity < made) {
    if (!mp_output_grow(output)) return;
  }
  if (library.compress(LEVEL, WINDOW, MODE_TEXT, size, input, &made, output->bytes)) {
    output->used = made;
    output->outcome = MP_CODING_DONE;
  }
}
