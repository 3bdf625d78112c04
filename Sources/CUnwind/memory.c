#include "mp_memory.h"

#include <string.h>

bool mp_memory_read(const mp_memory *memory, uint64_t address, void *to, size_t size) {
  return memory->read(memory->context, address, to, size) == size;
}

void mp_process_memory_flush(mp_process_memory *process) {
  // No page has the number of all ones: addresses have 52 bits of page number.
  memset(process->pages, 0xff, sizeof process->pages);
}

void mp_process_memory_open(mp_process_memory *process, int pid) {
  process->pid = pid;
  process->file = -1;
  process->vm_read_refused = false;
  mp_process_memory_flush(process);
}

#if defined(__linux__)

#include <errno.h>
#include <fcntl.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

void mp_process_memory_close(mp_process_memory *process) {
  if (process->file >= 0) close(process->file);
  process->file = -1;
}

/// Writes `/proc/PID/mem` without stdio.
static void memory_path(char path[32], int pid) {
  char digits[12];
  size_t count = 0;
  unsigned int rest = (unsigned int)pid;
  do {
    digits[count++] = (char)('0' + rest % 10);
    rest /= 10;
  } while (rest != 0);
  memcpy(path, "/proc/", 6);
  size_t at = 6;
  while (count != 0) path[at++] = digits[--count];
  memcpy(path + at, "/mem", 5);
}

static size_t read_through_file(mp_process_memory *process, uint64_t address, void *to, size_t size) {
  if (process->file == -1) {
    char path[32];
    memory_path(path, process->pid);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    process->file = file < 0 ? -2 : file;
  }
  if (process->file < 0) return 0;
  ssize_t count = pread(process->file, to, size, (off_t)address);
  return count < 0 ? 0 : (size_t)count;
}

/// Reads within one page.
static size_t read_once(mp_process_memory *process, uint64_t address, void *to, size_t size) {
  if (!process->vm_read_refused) {
    struct iovec local = {to, size};
    struct iovec remote = {(void *)(uintptr_t)address, size};
    long count = syscall(SYS_process_vm_readv, (long)process->pid, &local, 1L, &remote, 1L, 0L);
    if (count >= 0) return (size_t)count;
    // EPERM and ENOSYS: a filter forbids the call, though the file may be allowed.
    if (errno != EPERM && errno != ENOSYS) return 0;
    process->vm_read_refused = true;
  }
  return read_through_file(process, address, to, size);
}

static size_t read_cached(void *context, uint64_t address, void *to, size_t size) {
  mp_process_memory *process = context;
  size_t done = 0;
  int saved = errno;
  while (done < size) {
    uint64_t at = address + done;
    if (at < address) break;
    uint64_t page = at / MP_PAGE_SIZE;
    size_t slot = (size_t)(page % MP_PAGE_SLOTS);
    if (process->pages[slot] != page) {
      process->lengths[slot] =
        (uint16_t)read_once(process, page * MP_PAGE_SIZE, process->bytes[slot], MP_PAGE_SIZE);
      process->pages[slot] = page;
    }
    size_t offset = (size_t)(at % MP_PAGE_SIZE);
    if (offset >= process->lengths[slot]) break;
    size_t count = process->lengths[slot] - offset;
    if (count > size - done) count = size - done;
    memcpy((uint8_t *)to + done, process->bytes[slot] + offset, count);
    done += count;
  }
  errno = saved;
  return done;
}

#else

void mp_process_memory_close(mp_process_memory *process) {
  (void)process;
}

static size_t read_cached(void *context, uint64_t address, void *to, size_t size) {
  (void)context, (void)address, (void)to, (void)size;
  return 0;
}

#endif

mp_memory mp_process_memory_reader(mp_process_memory *process) {
  return (mp_memory){read_cached, process};
}
