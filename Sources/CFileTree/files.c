#if defined(__linux__)
#define _GNU_SOURCE
#endif
#include "mp_files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#if defined(__linux__)
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#endif

int mp_files_exchange(const char *one, const char *other) {
#if defined(__APPLE__)
  return renamex_np(one, other, RENAME_SWAP);
#elif defined(__linux__) && defined(SYS_renameat2)
  enum { exchange = 1 << 1 };
  return (int)syscall(SYS_renameat2, AT_FDCWD, one, AT_FDCWD, other, exchange);
#else
  errno = ENOSYS;
  return -1;
#endif
}

int mp_files_settle(int descriptor) {
#if defined(__linux__)
  return syncfs(descriptor);
#else
  errno = ENOSYS;
  return -1;
#endif
}

ssize_t mp_files_copy(int from, int to, size_t size) {
#if defined(__linux__)
  return copy_file_range(from, NULL, to, NULL, size, 0);
#else
  errno = ENOSYS;
  return -1;
#endif
}

int mp_files_clone(int from, int to) {
#if defined(__linux__) && defined(FICLONE)
  return ioctl(to, FICLONE, from);
#else
  errno = ENOSYS;
  return -1;
#endif
}
