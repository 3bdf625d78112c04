#include "CLogScan.h"

#include <dlfcn.h>
#include <pthread.h>
#include <string.h>

// libcrypto's names and the number of the curve in its table of objects (obj_mac.h).
enum { secp256k1 = 714 };

static struct {
  void *(*group_new)(int);
  void (*group_free)(void *);
  void *(*point_new)(const void *);
  void (*point_free)(void *);
  int (*point_read)(const void *, void *, const unsigned char *, size_t, void *);
  int (*point_multiply)(const void *, void *, const void *, const void *, const void *, void *);
  size_t (*point_write)(const void *, const void *, int, unsigned char *, size_t, void *);
  void *(*number_read)(const unsigned char *, int, void *);
  void (*number_free)(void *);
} library;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int is_loaded;

static void load(void) {
#if defined(__linux__)
  const char *names[] = {"libcrypto.so.3", "libcrypto.so.1.1"};
#else
  // The system's own libcrypto ends programs that load it.
  const char *names[] = {"/opt/homebrew/lib/libcrypto.3.dylib", "/usr/local/lib/libcrypto.3.dylib"};
#endif
  void *handle = NULL;
  for (size_t i = 0; i < sizeof names / sizeof *names && !handle; i++) handle = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
  if (!handle) return;
  const struct {
    void *slot;
    const char *name;
  } functions[] = {
      {&library.group_new, "EC_GROUP_new_by_curve_name"}, {&library.group_free, "EC_GROUP_free"},
      {&library.point_new, "EC_POINT_new"},               {&library.point_free, "EC_POINT_free"},
      {&library.point_read, "EC_POINT_oct2point"},        {&library.point_multiply, "EC_POINT_mul"},
      {&library.point_write, "EC_POINT_point2oct"},       {&library.number_read, "BN_bin2bn"},
      {&library.number_free, "BN_clear_free"},
  };
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
    void *function = dlsym(handle, functions[i].name);
    if (!function) return;
    memcpy(functions[i].slot, &function, sizeof function);
  }
  is_loaded = 1;
}

int mp_log_agree(const uint8_t *point, const uint8_t *number, uint8_t *x) {
  pthread_once(&once, load);
  if (!is_loaded) return 1;
  int status = 2;
  // An uncompressed point as SEC 1, 2.3.3 writes it: 4, x, y.
  unsigned char octets[65] = {4};
  memcpy(octets + 1, point, 64);
  void *group = library.group_new(secp256k1);
  void *theirs = group ? library.point_new(group) : NULL;
  void *ours = group ? library.point_new(group) : NULL;
  void *scalar = library.number_read(number, 32, NULL);
  if (theirs && ours && scalar && library.point_read(group, theirs, octets, sizeof octets, NULL) == 1 &&
      library.point_multiply(group, ours, NULL, theirs, scalar, NULL) == 1 &&
      library.point_write(group, ours, 4, octets, sizeof octets, NULL) == sizeof octets) {
    memcpy(x, octets + 1, 32);
    status = 0;
  }
  memset(octets, 0, sizeof octets);
  if (scalar) library.number_free(scalar);
  if (ours) library.point_free(ours);
  if (theirs) library.point_free(theirs);
  if (group) library.group_free(group);
  return status;
}
