#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// AES-256-GCM by the libcrypto of BoringSSL that swift-crypto brings along, with a key that is expanded once.
typedef struct mp_gcm mp_gcm;

/// Expands a key of 32 bytes; NULL where the program has no such library.
mp_gcm *_Nullable mp_gcm_create(const void *_Nonnull key);

/// Ends its use, and wipes the key.
void mp_gcm_destroy(mp_gcm *_Nonnull cipher);

/// Encrypts bytes in their place, with a nonce of 12 bytes, and writes a tag of 16; false where the library fails.
bool mp_gcm_seal(
    const mp_gcm *_Nonnull cipher, const void *_Nonnull nonce, const void *_Nullable authenticated,
    size_t authenticated_size, void *_Nonnull text, size_t size, void *_Nonnull tag);

/// Decrypts bytes to `output`, which has room for as many; false where anything is not as it was sealed. The bytes that
/// stand in `output` then are not to be used.
bool mp_gcm_open(
    const mp_gcm *_Nonnull cipher, const void *_Nonnull nonce, const void *_Nullable authenticated,
    size_t authenticated_size, const void *_Nonnull text, size_t size, const void *_Nonnull tag,
    void *_Nonnull output);
