#include "rings.h"

#include <stdlib.h>
#include <string.h>

void mp_ring_learn_wait(mp_perf *perf, uint64_t id) {
  if (perf->wait_count == perf->wait_room) {
    size_t room = perf->wait_room == 0 ? 64 : perf->wait_room * 2;
    uint64_t *waits = realloc(perf->waits, room * sizeof *waits);
    if (waits == NULL) return;
    perf->waits = waits;
    perf->wait_room = room;
  }
  perf->waits[perf->wait_count++] = id;
}

#if defined(__linux__)

#include <linux/perf_event.h>

/// A record's bytes, read from the front.
typedef struct {
  const uint8_t *bytes;
  size_t size, at;
  bool failed;
} cursor;

static const uint8_t *take(cursor *from, size_t size) {
  if (from->failed || size > from->size - from->at) {
    from->failed = true;
    return NULL;
  }
  const uint8_t *bytes = from->bytes + from->at;
  from->at += size;
  return bytes;
}

static uint64_t take64(cursor *from) {
  uint64_t value = 0;
  const uint8_t *bytes = take(from, sizeof value);
  if (bytes != NULL) memcpy(&value, bytes, sizeof value);
  return value;
}

static uint32_t take32(cursor *from) {
  uint32_t value = 0;
  const uint8_t *bytes = take(from, sizeof value);
  if (bytes != NULL) memcpy(&value, bytes, sizeof value);
  return value;
}

/// The kernel's part of a call chain without the marks between its parts.
static void take_chain(cursor *from, mp_perf *perf, mp_perf_record *out) {
  uint64_t count = take64(from);
  for (uint64_t index = 0; index < count && !from->failed; index++) {
    uint64_t address = take64(from);
    if (address >= (uint64_t)PERF_CONTEXT_MAX || out->kernel_count == MP_KERNEL_LIMIT) continue;
    perf->kernel[out->kernel_count++] = address;
  }
  out->kernel = perf->kernel;
}

static void take_registers(cursor *from, mp_perf_record *out) {
  out->has_registers = take64(from) == PERF_SAMPLE_REGS_ABI_64;
  if (!out->has_registers) return;
#if defined(__aarch64__)
  for (int index = 0; index < MP_REGISTER_COUNT; index++) out->registers.values[index] = take64(from);
#else
  // ax bx cx dx si di bp sp ip r8…r15 as libunwind numbers them.
  static const uint8_t places[] = {0, 3, 2, 1, 4, 5, 6, 7, 16, 8, 9, 10, 11, 12, 13, 14, 15};
  for (size_t index = 0; index < sizeof places; index++) out->registers.values[places[index]] = take64(from);
#endif
}

static bool is_wait(const mp_perf *perf, uint64_t id) {
  for (size_t index = 0; index < perf->wait_count; index++) {
    if (perf->waits[index] == id) return true;
  }
  return false;
}

static bool read_sample(cursor *from, mp_perf *perf, mp_perf_record *out) {
  out->kind = is_wait(perf, take64(from)) ? MP_PERF_WAITING : MP_PERF_RUNNING;
  out->process = (int)take32(from);
  out->thread = (int)take32(from);
  out->time = take64(from);
  out->count = take64(from);
  if (perf->options.kernel) take_chain(from, perf, out);
  take_registers(from, out);
  uint64_t size = take64(from);
  if (size == 0 || from->failed) return !from->failed;
  if (size > from->size - from->at) return false;
  out->stack = take(from, (size_t)size);
  uint64_t filled = take64(from);
  out->stack_size = filled < size ? (size_t)filled : (size_t)size;
  return !from->failed;
}

static const char *take_text(cursor *from, size_t end) {
  const char *text = (const char *)from->bytes + from->at;
  if (from->at >= end || memchr(text, 0, end - from->at) == NULL) return NULL;
  return text;
}

/// Fills in what stands in front of the thread, the time and the identifier that end every record but samples.
static bool read_light(cursor *from, size_t end, const struct perf_event_header *header, mp_perf_record *out) {
  switch (header->type) {
  case PERF_RECORD_SWITCH: {
    bool is_out = header->misc & PERF_RECORD_MISC_SWITCH_OUT;
    out->kind = is_out ? MP_PERF_SWITCH_OUT : MP_PERF_SWITCH_IN;
    out->is_preempted = header->misc & PERF_RECORD_MISC_SWITCH_OUT_PREEMPT;
    return true;
  }
  case PERF_RECORD_MMAP2:
    out->kind = MP_PERF_MAP;
    take(from, 8);
    out->address = take64(from);
    out->length = take64(from);
    out->offset = take64(from);
    take(from, 32);
    return !from->failed && (out->text = take_text(from, end)) != NULL;
  case PERF_RECORD_COMM:
    out->kind = MP_PERF_NAME;
    out->is_exec = header->misc & PERF_RECORD_MISC_COMM_EXEC;
    take(from, 8);
    return !from->failed && (out->text = take_text(from, end)) != NULL;
  case PERF_RECORD_FORK:
  case PERF_RECORD_EXIT:
    out->kind = header->type == PERF_RECORD_FORK ? MP_PERF_START : MP_PERF_END;
    out->process = (int)take32(from);
    out->parent = (int)take32(from);
    out->thread = (int)take32(from);
    out->parent_thread = (int)take32(from);
    return !from->failed;
  case PERF_RECORD_LOST:
    out->kind = MP_PERF_LOST;
    take64(from);
    out->count = take64(from);
    return !from->failed;
  case PERF_RECORD_THROTTLE: out->kind = MP_PERF_THROTTLED; return true;
  default: return false;
  }
}

static bool read_record(
  mp_perf *perf, const struct perf_event_header *header, const uint8_t *bytes, mp_perf_record *out) {
  memset(out, 0, offsetof(mp_perf_record, registers));
  out->stack = NULL;
  out->stack_size = 0;
  out->text = NULL;
  cursor from = {.bytes = bytes, .size = header->size - sizeof *header};
  if (header->type == PERF_RECORD_SAMPLE) return read_sample(&from, perf, out);
  enum { TAIL = 24 };
  if (from.size < TAIL) return false;
  if (!read_light(&from, from.size - TAIL, header, out)) return false;
  cursor tail = {.bytes = bytes, .size = from.size, .at = from.size - TAIL};
  int process = (int)take32(&tail), thread = (int)take32(&tail);
  out->time = take64(&tail);
  if (out->kind == MP_PERF_START || out->kind == MP_PERF_END) return true;
  out->process = process;
  out->thread = thread;
  return true;
}

/// The bytes of a ring from a place on, in one piece.
static const uint8_t *piece(mp_perf *perf, const mp_ring *ring, uint64_t place, size_t size) {
  size_t at = (size_t)(place & (ring->size - 1));
  if (at + size <= ring->size) return ring->bytes + at;
  size_t first = ring->size - at;
  memcpy(perf->scratch, ring->bytes + at, first);
  memcpy(perf->scratch + first, ring->bytes, size - first);
  return perf->scratch;
}

static void each_of(
  mp_perf *perf, mp_ring *ring, bool light, void (*visit)(void *, const mp_perf_record *), void *context) {
  struct perf_event_mmap_page *control = ring->control;
  uint64_t head = __atomic_load_n(&control->data_head, __ATOMIC_ACQUIRE);
  // What came after the light records were read waits for the next round.
  if (light) ring->end = head;
  else head = ring->end;
  uint64_t tail = control->data_tail;
  static __thread mp_perf_record record;
  while (tail < head) {
    struct perf_event_header header;
    memcpy(&header, piece(perf, ring, tail, sizeof header), sizeof header);
    if (header.size < sizeof header || header.size > head - tail) break;
    if ((header.type == PERF_RECORD_SAMPLE) != light) {
      const uint8_t *bytes = piece(perf, ring, tail, header.size) + sizeof header;
      if (read_record(perf, &header, bytes, &record)) visit(context, &record);
    }
    tail += header.size;
    if (!light) __atomic_store_n(&control->data_tail, tail, __ATOMIC_RELEASE);
  }
  if (!light) __atomic_store_n(&control->data_tail, head, __ATOMIC_RELEASE);
}

void mp_perf_each(mp_perf *perf, bool light, void (*visit)(void *, const mp_perf_record *), void *context) {
  for (int index = 0; index < perf->processors; index++) {
    if (perf->rings[index].control != NULL) each_of(perf, &perf->rings[index], light, visit, context);
  }
}

#else

void mp_perf_each(mp_perf *perf, bool light, void (*visit)(void *, const mp_perf_record *), void *context) {
  (void)perf, (void)light, (void)visit, (void)context;
}

#endif
