#include "include/mp_gcm.h"

#if defined(__linux__)

#include <dlfcn.h>
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>

// Functions and numbers as <openssl/evp.h> of OpenSSL 3 has them.
typedef struct evp_cipher_ctx_st context;
typedef struct evp_cipher_st cipher_kind;
enum { GET_TAG = 0x10, SET_TAG = 0x11, TAG_SIZE = 16, NO_CLEANUP_AT_EXIT = 0x80000 };

static struct {
  context *(*create)(void);
  void (*destroy)(context *);
  const cipher_kind *(*aes_256_gcm)(void);
  int (*init)(context *, const cipher_kind *, void *, const uint8_t *, const uint8_t *, int);
  int (*update)(context *, uint8_t *, int *, const uint8_t *, int);
  int (*finish)(context *, uint8_t *, int *);
  int (*control)(context *, int, int, void *);
} library;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static bool is_there;

static void load(void) {
  void *found = dlopen("libcrypto.so.3", RTLD_NOW | RTLD_LOCAL);
  if (!found) return;
  int (*begin)(uint64_t, const void *) = dlsym(found, "OPENSSL_init_crypto");
  // Threads may encrypt until the process is gone, so the library must not tidy up before.
  if (!begin || begin(NO_CLEANUP_AT_EXIT, NULL) != 1) return;
  library.create = dlsym(found, "EVP_CIPHER_CTX_new");
  library.destroy = dlsym(found, "EVP_CIPHER_CTX_free");
  library.aes_256_gcm = dlsym(found, "EVP_aes_256_gcm");
  library.init = dlsym(found, "EVP_CipherInit_ex");
  library.update = dlsym(found, "EVP_CipherUpdate");
  library.finish = dlsym(found, "EVP_CipherFinal_ex");
  library.control = dlsym(found, "EVP_CIPHER_CTX_ctrl");
  is_there = library.create && library.destroy && library.aes_256_gcm && library.init && library.update && library.finish
             && library.control;
}

struct mp_gcm {
  context *sealing, *opening;
};

/// A context with its key; the direction is 1 to encrypt.
static context *prepare(const uint8_t *key, int direction) {
  context *made = library.create();
  if (!made) return NULL;
  if (library.init(made, library.aes_256_gcm(), NULL, key, NULL, direction) == 1) return made;
  library.destroy(made);
  return NULL;
}

mp_gcm *mp_gcm_create(const void *key) {
  pthread_once(&once, load);
  mp_gcm *made = is_there ? calloc(1, sizeof *made) : NULL;
  if (!made) return NULL;
  made->sealing = prepare(key, 1);
  made->opening = prepare(key, 0);
  if (made->sealing && made->opening) return made;
  mp_gcm_destroy(made);
  return NULL;
}

void mp_gcm_destroy(mp_gcm *cipher) {
  if (cipher->sealing) library.destroy(cipher->sealing);
  if (cipher->opening) library.destroy(cipher->opening);
  free(cipher);
}

/// Begins with a nonce and the bytes that are authenticated only, and goes through the text.
static bool run(
    context *used, int direction, const void *nonce, const void *authenticated, size_t authenticated_size,
    const void *text, size_t size, void *output) {
  int count = 0;
  if (size > INT_MAX || authenticated_size > INT_MAX) return false;
  return library.init(used, NULL, NULL, NULL, nonce, direction) == 1
         && library.update(used, NULL, &count, authenticated, (int)authenticated_size) == 1
         && library.update(used, output, &count, text, (int)size) == 1 && count == (int)size;
}

bool mp_gcm_seal(
    mp_gcm *cipher, const void *nonce, const void *authenticated, size_t authenticated_size, void *text,
    size_t size, void *tag) {
  int count = 0;
  return run(cipher->sealing, 1, nonce, authenticated, authenticated_size, text, size, text)
         && library.finish(cipher->sealing, tag, &count) == 1
         && library.control(cipher->sealing, GET_TAG, TAG_SIZE, tag) == 1;
}

bool mp_gcm_open(
    mp_gcm *cipher, const void *nonce, const void *authenticated, size_t authenticated_size, const void *text,
    size_t size, const void *tag, void *output) {
  uint8_t rest[TAG_SIZE];
  int count = 0;
  return run(cipher->opening, 0, nonce, authenticated, authenticated_size, text, size, output)
         && library.control(cipher->opening, SET_TAG, TAG_SIZE, (void *)(uintptr_t)tag) == 1
         && library.finish(cipher->opening, rest, &count) == 1;
}

#else

mp_gcm *mp_gcm_create(const void *key) {
  (void)key;
  return NULL;
}

void mp_gcm_destroy(mp_gcm *cipher) { (void)cipher; }

bool mp_gcm_seal(
    mp_gcm *cipher, const void *nonce, const void *authenticated, size_t authenticated_size, void *text,
    size_t size, void *tag) {
  (void)cipher, (void)nonce, (void)authenticated, (void)authenticated_size, (void)text, (void)size, (void)tag;
  return false;
}

bool mp_gcm_open(
    mp_gcm *cipher, const void *nonce, const void *authenticated, size_t authenticated_size, const void *text,
    size_t size, const void *tag, void *output) {
  (void)cipher, (void)nonce, (void)authenticated, (void)authenticated_size, (void)text, (void)size, (void)tag;
  (void)output;
  return false;
}

#endif
