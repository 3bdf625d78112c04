#if defined(__linux__)
#define _GNU_SOURCE
#endif
#include "rings.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#if defined(__linux__) && (defined(__x86_64__) || defined(__aarch64__))

#include <fcntl.h>
#include <linux/perf_event.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#if defined(__x86_64__)
// ax bx cx dx si di bp sp ip, r8…r15: PERF_REG_X86_*.
#define REGISTER_MASK (0x1ffull | 0xff0000ull)
#else
#define REGISTER_MASK ((1ull << 33) - 1)
#endif

/// The two events of a thread.
typedef enum { CLOCK_EVENT, WAIT_EVENT } event_kind;

static void describe(const mp_perf_options *options, event_kind kind, struct perf_event_attr *attr) {
  memset(attr, 0, sizeof *attr);
  attr->size = sizeof *attr;
  attr->type = PERF_TYPE_SOFTWARE;
  attr->sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_PERIOD |
    PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER;
  attr->sample_regs_user = REGISTER_MASK;
  attr->sample_stack_user = options->stack_size;
  if (options->kernel) {
    attr->sample_type |= PERF_SAMPLE_CALLCHAIN;
    attr->exclude_callchain_user = 1;
  }
  attr->exclude_kernel = !options->kernel;
  attr->exclude_hv = 1;
  attr->sample_id_all = 1;
  attr->use_clockid = 1;
  attr->clockid = CLOCK_MONOTONIC;
  attr->disabled = 1;
  attr->enable_on_exec = options->on_exec;
  attr->inherit = options->follow;
  attr->watermark = 1;
  attr->wakeup_watermark = 1 << 18;
  if (kind == CLOCK_EVENT) {
    attr->config = PERF_COUNT_SW_CPU_CLOCK;
    attr->sample_period = 1000000000ull / options->rate;
    attr->mmap = attr->mmap2 = attr->comm = attr->comm_exec = attr->task = attr->context_switch = 1;
  } else {
    attr->config = PERF_COUNT_SW_CONTEXT_SWITCHES;
    attr->freq = 1;
    attr->sample_freq = options->rate;
  }
}

static int open_event(struct perf_event_attr *attr, int thread, int processor) {
  int file = (int)syscall(SYS_perf_event_open, attr, thread, processor, -1, PERF_FLAG_FD_CLOEXEC);
  return file < 0 ? -errno : file;
}

static bool may_open(bool kernel) {
  mp_perf_options options = {.rate = 100, .stack_size = 1024, .kernel = kernel, .follow = true};
  struct perf_event_attr attr;
  describe(&options, CLOCK_EVENT, &attr);
  int file = open_event(&attr, 0, -1);
  if (file < 0) return false;
  close(file);
  return true;
}

int mp_perf_permission(void) {
  if (may_open(true)) return 2;
  return may_open(false) ? 1 : 0;
}

/// The processors that there are: their numbers may have gaps, where opening fails.
static int processor_count(void) {
  long count = sysconf(_SC_NPROCESSORS_CONF);
  return count < 1 ? 1 : count > MP_RING_LIMIT ? MP_RING_LIMIT : (int)count;
}

int mp_perf_open(const mp_perf_options *options, mp_perf **out) {
  mp_perf *perf = calloc(1, sizeof *perf);
  if (perf == NULL) return -ENOMEM;
  perf->options = *options;
  perf->processors = processor_count();
  perf->scratch = malloc(MP_RECORD_LIMIT);
  if (perf->scratch == NULL) {
    free(perf);
    return -ENOMEM;
  }
  *out = perf;
  return 0;
}

static int keep(mp_perf *perf, int file) {
  if (perf->file_count == perf->file_room) {
    size_t room = perf->file_room == 0 ? 64 : perf->file_room * 2;
    int *files = realloc(perf->files, room * sizeof *files);
    if (files == NULL) {
      close(file);
      return -ENOMEM;
    }
    perf->files = files;
    perf->file_room = room;
  }
  perf->files[perf->file_count++] = file;
  return 0;
}

/// Maps the ring of a processor, smaller where the system's limit asks for it.
static int map_ring(mp_ring *ring, int file) {
  size_t page = (size_t)sysconf(_SC_PAGESIZE);
  int error = 0;
  for (size_t size = 1 << 24; size >= 1 << 17; size /= 2) {
    void *memory = mmap(NULL, size + page, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (memory != MAP_FAILED) {
      ring->control = memory;
      ring->bytes = (uint8_t *)memory + page;
      ring->size = size;
      ring->file = file;
      return 0;
    }
    error = -errno;
  }
  return error;
}

static int add_on(mp_perf *perf, int thread, int processor) {
  mp_ring *ring = &perf->rings[processor];
  for (event_kind kind = CLOCK_EVENT; kind <= WAIT_EVENT; kind++) {
    // Without the kernel's work the place of a wait is not told.
    if (kind == WAIT_EVENT && !perf->options.kernel) break;
    struct perf_event_attr attr;
    describe(&perf->options, kind, &attr);
    int file = open_event(&attr, thread, processor);
    if (file < 0) return file;
    int error = keep(perf, file);
    if (error != 0) return error;
    if (ring->control == NULL) {
      error = map_ring(ring, file);
    } else if (ioctl(file, PERF_EVENT_IOC_SET_OUTPUT, ring->file) < 0) {
      error = -errno;
    }
    if (error != 0) return error;
    uint64_t id = 0;
    if (kind == WAIT_EVENT && ioctl(file, PERF_EVENT_IOC_ID, &id) == 0) mp_ring_learn_wait(perf, id);
  }
  return 0;
}

int mp_perf_add(mp_perf *perf, int thread) {
  int opened = 0, error = -ENODEV;
  for (int processor = 0; processor < perf->processors; processor++) {
    int result = add_on(perf, thread, processor);
    if (result == 0) opened++;
    // A processor that is switched off is no failure.
    else if (result != -ENODEV && result != -EINVAL) return result;
    else error = result;
  }
  return opened > 0 ? 0 : error;
}

static void tell_all(mp_perf *perf, unsigned long request) {
  for (size_t index = 0; index < perf->file_count; index++) ioctl(perf->files[index], request, 0);
}

void mp_perf_start(mp_perf *perf) {
  if (!perf->options.on_exec) tell_all(perf, PERF_EVENT_IOC_ENABLE);
}

void mp_perf_stop(mp_perf *perf) { tell_all(perf, PERF_EVENT_IOC_DISABLE); }

void mp_perf_close(mp_perf *perf) {
  size_t page = (size_t)sysconf(_SC_PAGESIZE);
  for (int index = 0; index < perf->processors; index++) {
    if (perf->rings[index].control != NULL) munmap(perf->rings[index].control, perf->rings[index].size + page);
  }
  for (size_t index = 0; index < perf->file_count; index++) close(perf->files[index]);
  free(perf->files);
  free(perf->waits);
  free(perf->scratch);
  free(perf);
}

void mp_perf_wait(mp_perf *perf, int milliseconds) {
  struct pollfd files[MP_RING_LIMIT];
  nfds_t count = 0;
  for (int index = 0; index < perf->processors; index++) {
    if (perf->rings[index].control == NULL) continue;
    files[count++] = (struct pollfd){.fd = perf->rings[index].file, .events = POLLIN};
  }
  int result = poll(files, count, milliseconds);
  if (result <= 0) return;
  // A ring whose threads have ended is ready for ever; it must not keep a processor busy.
  for (nfds_t index = 0; index < count; index++) {
    if (files[index].revents & POLLIN) return;
  }
  struct timespec pause = {.tv_nsec = (long)(milliseconds < 1000 ? milliseconds : 999) * 1000000};
  nanosleep(&pause, NULL);
}

/// Nanoseconds of this thread for a fixed piece of work.
static uint64_t time_of_work(void) {
  struct timespec start, end;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &start);
  for (volatile uint32_t count = 0; count < 2000000; count++) {}
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &end);
  return (uint64_t)(end.tv_sec - start.tv_sec) * 1000000000u + (uint64_t)end.tv_nsec - (uint64_t)start.tv_nsec;
}

static void count_record(void *context, const mp_perf_record *record) {
  if (record->kind == MP_PERF_RUNNING) ++*(uint64_t *)context;
}

uint64_t mp_perf_sample_cost(const mp_perf_options *options) {
  mp_perf_options often = *options;
  often.rate = 20000;
  often.on_exec = often.follow = false;
  mp_perf *perf;
  if (mp_perf_open(&often, &perf) < 0) return 0;
  uint64_t cost = 0;
  if (mp_perf_add(perf, (int)syscall(SYS_gettid)) == 0) {
    uint64_t without = UINT64_MAX, with = UINT64_MAX, samples = 0;
    for (int turn = 0; turn < 5; turn++) {
      uint64_t plain = time_of_work();
      if (plain < without) without = plain;
      mp_perf_start(perf);
      uint64_t sampled = time_of_work(), count = 0;
      mp_perf_stop(perf);
      mp_perf_each(perf, true, count_record, &count);
      mp_perf_each(perf, false, count_record, &count);
      if (sampled < with && count != 0) {
        with = sampled;
        samples = count;
      }
    }
    if (samples != 0 && with > without) cost = (with - without) / samples;
  }
  mp_perf_close(perf);
  return cost;
}

#else

uint64_t mp_perf_sample_cost(const mp_perf_options *options) {
  (void)options;
  return 0;
}

int mp_perf_permission(void) { return 0; }

int mp_perf_open(const mp_perf_options *options, mp_perf **out) {
  (void)options, (void)out;
  return -ENOTSUP;
}

int mp_perf_add(mp_perf *perf, int thread) {
  (void)perf, (void)thread;
  return -ENOTSUP;
}

void mp_perf_start(mp_perf *perf) { (void)perf; }
void mp_perf_stop(mp_perf *perf) { (void)perf; }
void mp_perf_close(mp_perf *perf) { (void)perf; }

void mp_perf_wait(mp_perf *perf, int milliseconds) { (void)perf, (void)milliseconds; }

#endif
