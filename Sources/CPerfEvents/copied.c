#include "mp_copied.h"

#include <string.h>

static bool holds(const mp_span *span, uint64_t address) {
  return address >= span->start && address < span->end;
}

/// The span of an address, or NULL.
static const mp_span *find(mp_copied_memory *memory, uint64_t address) {
  if (memory->last < memory->span_count && holds(&memory->spans[memory->last], address)) {
    return &memory->spans[memory->last];
  }
  size_t low = 0, high = memory->span_count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (memory->spans[middle].end <= address) low = middle + 1;
    else high = middle;
  }
  if (low == memory->span_count || !holds(&memory->spans[low], address)) return NULL;
  memory->last = low;
  return &memory->spans[low];
}

static size_t read_copied(void *context, uint64_t address, void *to, size_t size) {
  mp_copied_memory *memory = context;
  uint64_t offset = address - memory->stack_start;
  if (offset < memory->stack_size) {
    size_t count = memory->stack_size - (size_t)offset;
    if (count > size) count = size;
    memcpy(to, memory->stack + offset, count);
    return count;
  }
  size_t done = 0;
  while (done < size) {
    const mp_span *span = find(memory, address + done);
    if (span == NULL) break;
    uint64_t within = address + done - span->start;
    uint64_t count = span->end - span->start - within;
    if (count > size - done) count = size - done;
    memcpy((uint8_t *)to + done, span->bytes + within, (size_t)count);
    done += (size_t)count;
  }
  return done;
}

mp_memory mp_copied_memory_reader(mp_copied_memory *memory) {
  return (mp_memory){read_copied, memory};
}
