#include "signals.h"

#include <string.h>

typedef struct {
  size_t size;
  /// The bytes of the first instruction, behind which the system call stands.
  size_t first;
  uint8_t bytes[9];
} signal_code;

#if defined(__aarch64__)
static const signal_code codes[] = {
  // mov x8, #139; svc #0
  {8, 4, {0x68, 0x11, 0x80, 0xd2, 0x01, 0x00, 0x00, 0xd4}},
};
#else
static const signal_code codes[] = {
  // mov $15,%rax; syscall, and with the shorter mov $15,%eax
  {9, 7, {0x48, 0xc7, 0xc0, 0x0f, 0x00, 0x00, 0x00, 0x0f, 0x05}},
  {7, 5, {0xb8, 0x0f, 0x00, 0x00, 0x00, 0x0f, 0x05}},
};
#endif

static bool holds(const mp_memory *memory, uint64_t address, const uint8_t *bytes, size_t size) {
  uint8_t found[16];
  return size <= sizeof found && mp_memory_read(memory, address, found, size) && memcmp(found, bytes, size) == 0;
}

uint64_t mp_signal_return(const mp_memory *memory, uint64_t pc, bool innermost) {
  for (size_t index = 0; index < sizeof codes / sizeof *codes; index++) {
    const signal_code *code = &codes[index];
    // A handler returns to the first instruction; the thread itself may be at the second, or in the system call.
    const size_t places[] = {0, code->first, code->size};
    for (size_t place = 0; place < (innermost ? 3 : 1); place++) {
      if (pc >= places[place] && holds(memory, pc - places[place], code->bytes, code->size)) return pc - places[place];
    }
  }
  return 0;
}

// MARK: - The description

/// The address of the frame description of `address` in the table of an image; 0 where there is none.
static uint64_t find_description(const mp_memory *memory, const mp_image *image, uint64_t address) {
  uint64_t low = 0, high = image->table_count;
  int32_t pair[2] = {0, 0};
  while (low < high) {
    uint64_t middle = low + (high - low) / 2;
    if (!mp_memory_read(memory, image->table + middle * 8, pair, sizeof pair)) return 0;
    if (image->eh_frame_hdr + (uint64_t)(int64_t)pair[0] <= address) low = middle + 1;
    else high = middle;
  }
  if (low == 0 || !mp_memory_read(memory, image->table + (low - 1) * 8, pair, sizeof pair)) return 0;
  return image->eh_frame_hdr + (uint64_t)(int64_t)pair[1];
}

bool mp_is_described_as_signal(const mp_memory *memory, const mp_images *images, uint64_t lookup) {
  int index = mp_image_index(images, lookup);
  if (index < 0 || images->images[index].table_count == 0) return false;
  uint64_t description = find_description(memory, &images->images[index], lookup);
  uint32_t head[2];
  // A length of all ones announces 64 bits, which no .eh_frame has.
  if (description == 0 || !mp_memory_read(memory, description, head, sizeof head)) return false;
  if (head[0] == UINT32_MAX || head[1] == 0) return false;
  // Length, 0, version, and the augmentation.
  char common[16];
  uint64_t at = description + 4 - head[1];
  if (!mp_memory_read(memory, at, common, sizeof common)) return false;
  for (size_t place = 9; place < sizeof common && common[place] != 0; place++) {
    if (common[place] == 'S') return true;
  }
  return false;
}

// MARK: - Without a description

#if defined(__aarch64__)

bool mp_follow_signal(mp_session *session) {
  // struct rt_sigframe: 128 bytes of siginfo_t, 176 of ucontext_t before its mcontext, which begins with an address.
  uint64_t found[33];
  uint64_t at = session->registers.values[MP_REGISTER_SP] + 128 + 176 + 8;
  if (!mp_memory_read(session->memory, at, found, sizeof found)) return false;
  memcpy(session->registers.values, found, sizeof found);
  return true;
}

bool mp_follow_entry(mp_session *session) {
  uint64_t *values = session->registers.values;
  uint32_t code[2];
  if (!mp_memory_read(session->memory, values[MP_REGISTER_PC], code, sizeof code)) return false;
  // bti c and paciasp stand before the first instruction of a function.
  uint32_t first = code[0] == 0xd503245f || code[0] == 0xd503233f ? code[1] : code[0];
  bool stores_link = (first & 0xffc07fff) == 0xa9807bfd;
  if (!stores_link && first != 0xd65f03c0) return false;
  int caller = mp_image_index(session->images, values[30]);
  if (caller < 0 || values[30] == values[MP_REGISTER_PC]) return false;
  values[MP_REGISTER_PC] = values[30];
  return true;
}

#else

bool mp_follow_signal(mp_session *session) {
  // The handler has taken its return address off: what is left begins with a ucontext_t, whose registers stand 40 bytes in.
  static const uint8_t order[] = {8, 9, 10, 11, 12, 13, 14, 15, 5, 4, 6, 3, 1, 0, 2, 7, 16};
  uint64_t found[sizeof order];
  uint64_t *values = session->registers.values;
  if (!mp_memory_read(session->memory, values[MP_REGISTER_SP] + 40, found, sizeof found)) return false;
  for (size_t index = 0; index < sizeof order; index++) values[order[index]] = found[index];
  return true;
}

/// Tells whether a function returns to an address: a call stands before it, or it is where a handler returns to.
static bool is_returned_to(const mp_session *session, uint64_t address) {
  uint8_t code[7];
  int index = mp_image_index(session->images, address);
  if (index < 0 || address < session->images->images[index].text_start + sizeof code) return false;
  if (address > session->images->images[index].text_end) return false;
  if (mp_signal_return(session->memory, address, false) != 0) return true;
  if (!mp_memory_read(session->memory, address - sizeof code, code, sizeof code)) return false;
  if (code[2] == 0xe8) return true;
  // call through a register or through memory: FF /2, of 2 to 7 bytes.
  for (size_t place = 0; place + 1 < sizeof code; place++) {
    if (code[place] == 0xff && (code[place + 1] & 0x38) == 0x10) return true;
  }
  return false;
}

bool mp_follow_entry(mp_session *session) {
  static const uint8_t mark[] = {0xf3, 0x0f, 0x1e, 0xfa}, move[] = {0x48, 0x89, 0xe5}, load[] = {0x48, 0x8b, 0xec};
  uint64_t *values = session->registers.values;
  uint64_t pc = values[MP_REGISTER_PC];
  const mp_memory *memory = session->memory;
  uint8_t code = 0;
  // endbr64 stands before the first instruction of a function.
  uint64_t first = holds(memory, pc, mark, sizeof mark) ? pc + sizeof mark : pc;
  if (!mp_memory_read(memory, first, &code, 1)) return false;
  uint64_t stack[2] = {0, 0};
  bool has_pushed = false;
  if (code == 0x55 || code == 0xc3) {
    if (!mp_memory_read(memory, values[MP_REGISTER_SP], stack, 8)) return false;
  } else if (
    mp_memory_read(memory, pc - 1, &code, 1) && code == 0x55 &&
    (holds(memory, pc, move, sizeof move) || holds(memory, pc, load, sizeof load))) {
    has_pushed = true;
    if (!mp_memory_read(memory, values[MP_REGISTER_SP], stack, sizeof stack)) return false;
  } else {
    return false;
  }
  if (!is_returned_to(session, stack[has_pushed])) return false;
  if (has_pushed) values[MP_REGISTER_FP] = stack[0];
  values[MP_REGISTER_PC] = stack[has_pushed];
  values[MP_REGISTER_SP] += has_pushed ? 16 : 8;
  return true;
}

#endif
