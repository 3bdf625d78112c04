#include "async.h"

#include <string.h>

// Swift's AsyncContext (swift/ABI/Task.h): the caller's context, then the function that continues the caller.
typedef struct {
  uint64_t parent, resume;
} async_context;

enum { CHAIN_MAX = 256, MARK_BIT = 60 };

static bool is_code(const mp_images *images, uint64_t address) {
  int index = mp_image_index(images, address);
  if (index < 0) return false;
  const mp_image *image = &images->images[index];
  return address >= image->text_start && address < image->text_end;
}

static bool read_context(const mp_memory *memory, const mp_images *images, uint64_t at, async_context *out) {
  return at != 0 && at % 8 == 0 && mp_memory_read(memory, at, out, sizeof *out) && is_code(images, out->resume);
}

/// Tells whether a function begins as the compiler begins async functions that need a frame: no other code does so.
static bool has_async_prologue(const mp_memory *memory, uint64_t function) {
#if defined(__x86_64__)
  // push %rbp; push %r14; lea 8(%rsp),%rbp
  static const uint8_t prologue[] = {0x55, 0x41, 0x56, 0x48, 0x8d, 0x6c, 0x24, 0x08};
  // bts $60,%rbp stands before it where frames are marked.
  static const uint8_t mark[] = {0x48, 0x0f, 0xba, 0xed, 0x3c};
  uint8_t code[sizeof mark + sizeof prologue];
  if (!mp_memory_read(memory, function, code, sizeof code)) return false;
  const uint8_t *start = memcmp(code, mark, sizeof mark) == 0 ? code + sizeof mark : code;
  return memcmp(start, prologue, sizeof prologue) == 0;
#else
  (void)memory, (void)function;
  return false;
#endif
}

/// Tells whether `context` begins a chain that only async contexts make: all of it code, ended by no parent, and at
/// least one continuation that begins as async functions do.
static bool is_chain(const mp_memory *memory, const mp_images *images, uint64_t context) {
  bool certain = false;
  async_context link;
  for (int guard = 0; guard < CHAIN_MAX; guard++) {
    if (!read_context(memory, images, context, &link)) return false;
    certain = certain || has_async_prologue(memory, link.resume);
    if (link.parent == 0) return certain;
    context = link.parent;
  }
  return false;
}

uint64_t mp_async_frame_context(
  const mp_memory *memory, const mp_images *images, const mp_registers *registers, uint64_t function,
  uint64_t caller_sp) {
  uint64_t frame = registers->values[MP_REGISTER_FP], words[2];
  // The context lies below the saved frame pointer; both must be this frame's own.
  if (frame + 16 != caller_sp || !mp_memory_read(memory, frame - 8, words, sizeof words)) return 0;
  bool is_marked = words[1] >> MARK_BIT == 1;
  if (!is_marked && (function == 0 || !has_async_prologue(memory, function))) return 0;
  async_context link;
  return read_context(memory, images, words[0], &link) ? words[0] : 0;
}

uint64_t mp_async_register_context(const mp_memory *memory, const mp_images *images, const mp_registers *registers) {
#if defined(__aarch64__)
  uint64_t kept = registers->values[22];
#else
  uint64_t kept = registers->values[14];
#endif
  return is_chain(memory, images, kept) ? kept : 0;
}

size_t mp_async_chain(
  const mp_memory *memory, const mp_images *images, uint64_t context, mp_frame *out, size_t capacity) {
  size_t count = 0;
  while (count < capacity && count < CHAIN_MAX) {
    async_context link;
    if (!read_context(memory, images, context, &link)) break;
    out[count] = (mp_frame){
      .pc = link.resume, .fp = link.parent, .kind = MP_FRAME_ASYNC, .image = mp_image_index(images, link.resume),
    };
    count++;
    if (link.parent == context) break;
    context = link.parent;
  }
  return count;
}
