#include "mp_image.h"

#include <string.h>

// The few parts of ELF that are needed, so that this builds where <elf.h> is not.
enum { CLASS64 = 2, LITTLE = 1, TYPE_LOAD = 1, TYPE_NOTE = 4, NOTE_BUILD_ID = 3, PROGRAM_HEADERS_MAX = 64 };
#define TYPE_GNU_EH_FRAME 0x6474e550u

typedef struct {
  uint8_t ident[16];
  uint16_t type, machine;
  uint32_t version;
  uint64_t entry, program_headers, section_headers;
  uint32_t flags;
  uint16_t header_size, program_header_size, program_header_count;
  uint16_t section_header_size, section_header_count, section_names;
} elf_header;

typedef struct {
  uint32_t type, flags;
  uint64_t offset, address, physical, file_size, memory_size, align;
} program_header;

typedef struct {
  uint32_t name_size, content_size, type;
} note_header;

static uint64_t padded(uint64_t size) {
  return (size + 3) & ~(uint64_t)3;
}

/// Takes the note at `address` if it is a GNU build id; false where it is none.
static bool take_build_id(mp_image *image, const mp_memory *memory, uint64_t address, const note_header *note) {
  char name[4];
  if (note->type != NOTE_BUILD_ID || note->name_size != sizeof name || note->content_size == 0) return false;
  if (!mp_memory_read(memory, address + sizeof *note, name, sizeof name) || memcmp(name, "GNU", 4) != 0) return false;
  size_t length = note->content_size > MP_BUILD_ID_MAX ? MP_BUILD_ID_MAX : note->content_size;
  if (!mp_memory_read(memory, address + sizeof *note + sizeof name, image->build_id, length)) return false;
  image->build_id_length = (uint8_t)length;
  return true;
}

/// Looks for the GNU build id among the notes at `address`, and right behind them: Go's linker leaves it out of the
/// segment.
static void read_notes(mp_image *image, const mp_memory *memory, uint64_t address, uint64_t size) {
  uint64_t at = 0;
  for (int guard = 0; guard < 64; guard++) {
    bool is_behind = at + sizeof(note_header) > size;
    note_header note;
    if (!mp_memory_read(memory, address + at, &note, sizeof note)) return;
    if (take_build_id(image, memory, address + at, &note) || is_behind) return;
    at += sizeof note + padded(note.name_size) + padded(note.content_size);
  }
}

enum { ENCODING_OMIT = 0xff, ENCODING_UDATA4 = 0x03, ENCODING_TABLE = 0x3b };

/// Finds the sorted table behind the header (LSB 5.0, 10.6.2): only the encodings that linkers write.
static void read_eh_frame_hdr(mp_image *image, const mp_memory *memory) {
  uint8_t header[12];
  if (!mp_memory_read(memory, image->eh_frame_hdr, header, sizeof header)) return;
  if (header[0] != 1 || header[2] != ENCODING_UDATA4 || header[3] != ENCODING_TABLE) return;
  // The pointer to .eh_frame has 4 bytes in every form that is met (pcrel or datarel sdata4).
  if (header[1] == ENCODING_OMIT || (header[1] & 0x0f) != 0x0b) return;
  uint32_t count;
  memcpy(&count, header + 8, 4);
  if ((uint64_t)count * 8 + 12 > image->eh_frame_hdr_size) return;
  image->table = image->eh_frame_hdr + 12;
  image->table_count = count;
}

/// Reads the program headers at `image->base` into room for PROGRAM_HEADERS_MAX; 0 where no ELF64 file is there.
static size_t read_segments(mp_image *image, const mp_memory *memory, program_header *segments) {
  elf_header header;
  if (!mp_memory_read(memory, image->base, &header, sizeof header)) return 0;
  if (memcmp(header.ident, "\177ELF", 4) != 0) return 0;
  image->machine = header.machine;
  if (header.ident[4] != CLASS64 || header.ident[5] != LITTLE) return 0;
  if (header.program_header_size != sizeof(program_header)) return 0;
  size_t count = header.program_header_count;
  if (count > PROGRAM_HEADERS_MAX) count = PROGRAM_HEADERS_MAX;
  if (!mp_memory_read(memory, image->base + header.program_headers, segments, count * sizeof *segments)) return 0;
  return count;
}

bool mp_image_maps(const mp_image *image, const mp_memory *memory, uint64_t address, uint64_t offset) {
  program_header segments[PROGRAM_HEADERS_MAX];
  mp_image copy = *image;
  size_t count = read_segments(&copy, memory, segments);
  for (size_t index = 0; index < count; index++) {
    const program_header *segment = &segments[index];
    if (segment->type != TYPE_LOAD) continue;
    uint64_t within = segment->offset % MP_PAGE_SIZE;
    if (image->bias + segment->address - within == address && segment->offset - within == offset) return true;
  }
  return false;
}

bool mp_image_read_header(mp_image *image, const mp_memory *memory) {
  program_header segments[PROGRAM_HEADERS_MAX];
  size_t count = read_segments(image, memory, segments);
  if (count == 0) return false;
  uint64_t lowest = UINT64_MAX, highest = 0;
  for (size_t index = 0; index < count; index++) {
    if (segments[index].type != TYPE_LOAD) continue;
    uint64_t start = segments[index].address - segments[index].offset % MP_PAGE_SIZE;
    if (start < lowest) lowest = start;
    uint64_t end = segments[index].address + segments[index].memory_size;
    if (end > highest) highest = end;
  }
  if (lowest == UINT64_MAX || highest < lowest) return false;
  image->bias = image->base - lowest;
  image->end = image->base + (highest - lowest);
  for (size_t index = 0; index < count; index++) {
    uint64_t address = image->bias + segments[index].address;
    if (segments[index].type == TYPE_GNU_EH_FRAME) {
      image->eh_frame_hdr = address;
      image->eh_frame_hdr_size = segments[index].memory_size;
    } else if (segments[index].type == TYPE_NOTE && image->build_id_length == 0) {
      read_notes(image, memory, address, segments[index].memory_size);
    }
  }
  if (image->eh_frame_hdr != 0) read_eh_frame_hdr(image, memory);
  return true;
}

int mp_image_index(const mp_images *images, uint64_t address) {
  for (size_t index = 0; index < images->count; index++) {
    if (address >= images->images[index].base && address < images->images[index].end) return (int)index;
  }
  return -1;
}
