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

/// Reads from a copy; returns 0 where the address is not in it.
static size_t read_copy(const mp_stack_copy *copy, uint64_t address, void *to, size_t size) {
  uint64_t offset = address - copy->start;
  if (offset >= copy->size) return 0;
  size_t count = copy->size - (size_t)offset;
  if (count > size) count = size;
  memcpy(to, copy->bytes + offset, count);
  return count;
}

static size_t read_copied(void *context, uint64_t address, void *to, size_t size) {
  mp_copied_memory *memory = context;
  for (size_t index = 0; index < sizeof memory->stacks / sizeof *memory->stacks; index++) {
    size_t count = read_copy(&memory->stacks[index], address, to, size);
    if (count != 0) return count;
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
