#include "dictionary.h"

#include <stdlib.h>
#include <string.h>
#include <zstd.h>

// A frame may refer back over the whole dictionary from its end.
enum { window_log = 21 };

struct mpaas_dictionary {
  ZSTD_CDict *prepared;
};

mpaas_dictionary *mpaas_dictionary_make(const uint8_t *content, size_t size, int level) {
  static const uint8_t trained[4] = {0x37, 0xa4, 0x30, 0xec};
  if (size < 8 || !memcmp(content, trained, 4)) return NULL;
  mpaas_dictionary *dictionary = malloc(sizeof *dictionary);
  if (!dictionary) return NULL;
  dictionary->prepared = ZSTD_createCDict(content, size, level);
  if (dictionary->prepared) return dictionary;
  free(dictionary);
  return NULL;
}

void mpaas_dictionary_free(mpaas_dictionary *dictionary) {
  if (!dictionary) return;
  ZSTD_freeCDict(dictionary->prepared);
  free(dictionary);
}

struct mpaas_packer {
  ZSTD_CCtx *context;
};

mpaas_packer *mpaas_packer_make(void) {
  mpaas_packer *packer = malloc(sizeof *packer);
  if (!packer) return NULL;
  packer->context = ZSTD_createCCtx();
  if (packer->context) return packer;
  free(packer);
  return NULL;
}

void mpaas_packer_free(mpaas_packer *packer) {
  if (!packer) return;
  ZSTD_freeCCtx(packer->context);
  free(packer);
}

size_t mpaas_pack_bound(size_t size) { return ZSTD_compressBound(size); }

size_t mpaas_pack(
    mpaas_packer *packer, const mpaas_dictionary *dictionary, int level, const uint8_t *input, size_t size,
    uint8_t *output, size_t capacity) {
  ZSTD_CCtx *context = packer->context;
  ZSTD_CCtx_reset(context, ZSTD_reset_session_and_parameters);
  ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1);
  ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, level);
  if (dictionary) {
    if (size < (1u << (window_log - 1))) ZSTD_CCtx_setParameter(context, ZSTD_c_windowLog, window_log);
    if (ZSTD_isError(ZSTD_CCtx_refCDict(context, dictionary->prepared))) return 0;
  }
  size_t made = ZSTD_compress2(context, output, capacity, input, size);
  return ZSTD_isError(made) ? 0 : made;
}

mpaas_outcome mpaas_unpack(
    const uint8_t *content, size_t content_size, const uint8_t *input, size_t size, size_t limit, uint8_t **output,
    size_t *output_size) {
  *output = NULL;
  *output_size = 0;
  unsigned long long whole = ZSTD_getFrameContentSize(input, size);
  if (whole == ZSTD_CONTENTSIZE_UNKNOWN || whole == ZSTD_CONTENTSIZE_ERROR) return MPAAS_DAMAGED;
  if (whole > limit) return MPAAS_TOO_LARGE;
  ZSTD_DCtx *context = ZSTD_createDCtx();
  uint8_t *bytes = malloc(whole ? (size_t)whole : 1);
  size_t made = 0;
  if (context && bytes) made = ZSTD_decompress_usingDict(context, bytes, (size_t)whole, input, size, content, content_size);
  ZSTD_freeDCtx(context);
  if (!context || !bytes || ZSTD_isError(made) || made != whole) {
    free(bytes);
    return context && bytes ? MPAAS_DAMAGED : MPAAS_NO_MEMORY;
  }
  *output = bytes;
  *output_size = made;
  return MPAAS_DECOMPRESSED;
}
