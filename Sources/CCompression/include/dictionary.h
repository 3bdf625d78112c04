#pragma once
#include "compression.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Content that much of what is compressed is alike to, made ready for it; never changed, so any thread may use it.
typedef struct mpaas_dictionary mpaas_dictionary;

/// NULL where memory is short, or the content could be taken for a trained dictionary. The content is copied.
mpaas_dictionary *_Nullable mpaas_dictionary_make(const uint8_t *_Nonnull content, size_t size, int level);
void mpaas_dictionary_free(mpaas_dictionary *_Nullable dictionary);

/// The memory that compression works in; for one thread at a time.
typedef struct mpaas_packer mpaas_packer;

mpaas_packer *_Nullable mpaas_packer_make(void);
void mpaas_packer_free(mpaas_packer *_Nullable packer);

/// The number of bytes that may come out of `size` bytes.
size_t mpaas_pack_bound(size_t size);

/// Compresses as one zstd frame with its size and checksum, and says how many bytes came out; 0 where it failed.
///
/// `level` counts where there is no dictionary.
size_t mpaas_pack(
    mpaas_packer *_Nonnull packer, const mpaas_dictionary *_Nullable dictionary, int level,
    const uint8_t *_Nonnull input, size_t size, uint8_t *_Nonnull output, size_t capacity);

/// Decompresses a frame of mpaas_pack() with the content of its dictionary; `*output` as of mpaas_decompress().
mpaas_outcome mpaas_unpack(
    const uint8_t *_Nullable content, size_t content_size, const uint8_t *_Nonnull input, size_t size, size_t limit,
    uint8_t *_Nullable *_Nonnull output, size_t *_Nonnull output_size);

#ifdef __cplusplus
}
#endif
