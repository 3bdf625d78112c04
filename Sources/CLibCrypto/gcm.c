#include "include/mp_gcm.h"

#if defined(__linux__)

// Functions of <openssl/aead.h> as the BoringSSL inside swift-crypto names them. A program that is linked with one which has
// other names finds none of them, and its records are encrypted by swift-crypto itself.
typedef struct evp_aead_st kind;
typedef struct evp_aead_ctx_st context;
enum { KEY_SIZE = 32, NONCE_SIZE = 12, TAG_SIZE = 16 };

__attribute__((weak)) const kind *CCryptoBoringSSL_EVP_aead_aes_256_gcm(void);
__attribute__((weak)) context *CCryptoBoringSSL_EVP_AEAD_CTX_new(const kind *, const uint8_t *, size_t, size_t);
__attribute__((weak)) void CCryptoBoringSSL_EVP_AEAD_CTX_free(context *);
__attribute__((weak)) int CCryptoBoringSSL_EVP_AEAD_CTX_seal_scatter(
    const context *, uint8_t *output, uint8_t *tag, size_t *tag_size, size_t tag_room, const uint8_t *nonce,
    size_t nonce_size, const uint8_t *text, size_t size, const uint8_t *more, size_t more_size,
    const uint8_t *authenticated, size_t authenticated_size);
__attribute__((weak)) int CCryptoBoringSSL_EVP_AEAD_CTX_open_gather(
    const context *, uint8_t *output, const uint8_t *nonce, size_t nonce_size, const uint8_t *text, size_t size,
    const uint8_t *tag, size_t tag_size, const uint8_t *authenticated, size_t authenticated_size);

static bool is_there(void) {
  return CCryptoBoringSSL_EVP_aead_aes_256_gcm && CCryptoBoringSSL_EVP_AEAD_CTX_new && CCryptoBoringSSL_EVP_AEAD_CTX_free
         && CCryptoBoringSSL_EVP_AEAD_CTX_seal_scatter && CCryptoBoringSSL_EVP_AEAD_CTX_open_gather;
}

mp_gcm *mp_gcm_create(const void *key) {
  if (!is_there()) return NULL;
  return (mp_gcm *)CCryptoBoringSSL_EVP_AEAD_CTX_new(CCryptoBoringSSL_EVP_aead_aes_256_gcm(), key, KEY_SIZE, TAG_SIZE);
}

void mp_gcm_destroy(mp_gcm *cipher) { CCryptoBoringSSL_EVP_AEAD_CTX_free((context *)cipher); }

bool mp_gcm_seal(
    const mp_gcm *cipher, const void *nonce, const void *authenticated, size_t authenticated_size, void *text,
    size_t size, void *tag) {
  size_t tag_size = 0;
  return CCryptoBoringSSL_EVP_AEAD_CTX_seal_scatter(
             (const context *)cipher, text, tag, &tag_size, TAG_SIZE, nonce, NONCE_SIZE, text, size, NULL, 0,
             authenticated, authenticated_size)
             == 1
         && tag_size == TAG_SIZE;
}

bool mp_gcm_open(
    const mp_gcm *cipher, const void *nonce, const void *authenticated, size_t authenticated_size, const void *text,
    size_t size, const void *tag, void *output) {
  return CCryptoBoringSSL_EVP_AEAD_CTX_open_gather(
             (const context *)cipher, output, nonce, NONCE_SIZE, text, size, tag, TAG_SIZE, authenticated,
             authenticated_size)
         == 1;
}

#else

mp_gcm *mp_gcm_create(const void *key) {
  (void)key;
  return NULL;
}

void mp_gcm_destroy(mp_gcm *cipher) { (void)cipher; }

bool mp_gcm_seal(
    const mp_gcm *cipher, const void *nonce, const void *authenticated, size_t authenticated_size, void *text,
    size_t size, void *tag) {
  (void)cipher, (void)nonce, (void)authenticated, (void)authenticated_size, (void)text, (void)size, (void)tag;
  return false;
}

bool mp_gcm_open(
    const mp_gcm *cipher, const void *nonce, const void *authenticated, size_t authenticated_size, const void *text,
    size_t size, const void *tag, void *output) {
  (void)cipher, (void)nonce, (void)authenticated, (void)authenticated_size, (void)text, (void)size, (void)tag;
  (void)output;
  return false;
}

#endif
