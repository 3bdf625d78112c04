/// The files that are mapped into a process: executable, libraries, vDSO.
#ifndef MP_IMAGE_H
#define MP_IMAGE_H

#include "mp_memory.h"

#ifdef __cplusplus
extern "C" {
#endif

#define MP_BUILD_ID_MAX 32

typedef struct mp_image {
  /// The lowest mapped address, and one past the highest segment.
  uint64_t base, end;
  /// The number to subtract from an address to get the address that the file uses: 0 for a fixed executable.
  uint64_t bias;
  /// The executable mappings, from the first to the end of the last; both 0 where there are none.
  uint64_t text_start, text_end;
  /// Address of PT_GNU_EH_FRAME in memory; 0 where there is none.
  uint64_t eh_frame_hdr;
  uint64_t eh_frame_hdr_size;
  /// The sorted table within it: its address and how many pairs; 0 where there is none that can be searched.
  uint64_t table, table_count;
  /// A second table of this kind, for what the first leaves out, made of `.debug_frame`: its address, its pairs, and
  /// the address that stands for `base` in it. All 0 where there is none.
  uint64_t debug_table, debug_table_count, debug_base;
  /// Device and inode of the file, as /proc/PID/maps has them; 0 for the vDSO and anonymous code.
  uint64_t device, inode;
  uint16_t machine;
  uint8_t build_id[MP_BUILD_ID_MAX];
  uint8_t build_id_length;
  bool is_vdso;
  /// The file was removed or replaced after it was mapped; the path has no ` (deleted)`.
  bool is_deleted;
  /// Executable memory without a file: made by a just-in-time compiler. No path, nothing else known.
  bool is_anonymous;
  /// The main program: the image that /proc/PID/maps lists first is only a hint, so callers set this.
  bool is_main;
  /// NUL-terminated, in the table's `paths`; never NULL.
  const char *path;
} mp_image;

/// Images with the memory that their paths live in.
typedef struct mp_images {
  mp_image *images;
  size_t capacity, count;
  char *paths;
  size_t paths_capacity, paths_used;
  /// More images or path bytes than fit: the rest is missing.
  bool is_truncated;
} mp_images;

/// Lists the images of a process from its `maps` file, in order of their addresses.
///
/// Reads `maps` with `open` and `read` only, and ELF headers through `memory`; async-signal-safe, nothing is allocated.
/// Right for libraries whose text starts at a file offset other than 0, static executables, deleted files, paths with
/// spaces, and the vDSO; ELF files that are mapped as data only are left out.
/// - maps_path: `/proc/self/maps` or `/proc/PID/maps`.
/// - Returns: 0, or the errno of `open`/`read`.
int mp_images_from_maps(const char *maps_path, const mp_memory *memory, mp_images *out);

/// Fills bias, end, .eh_frame_hdr and build id of an image from the ELF header at `image->base`.
///
/// For images that come from elsewhere than `maps` (a core's NT_FILE). Returns false where no ELF64 header is there.
bool mp_image_read_header(mp_image *image, const mp_memory *memory);

/// Tells whether the ELF header at `image->base` asks for the file's part at `offset` to be mapped at `address`.
///
/// Both are the beginnings of pages. Small files are mapped from offset 0 more than once: for the header, and again for
/// code that lies in the same page of the file.
bool mp_image_maps(const mp_image *image, const mp_memory *memory, uint64_t address, uint64_t offset);

/// The index of the image that holds `address`, or -1.
int mp_image_index(const mp_images *images, uint64_t address);

#ifdef __cplusplus
}
#endif
#endif
