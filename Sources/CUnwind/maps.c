#include "mp_image.h"

#include <string.h>

#include "mp_maps.h"

static const char *keep_path(mp_images *out, const char *path, size_t length) {
  if (out->paths_capacity - out->paths_used <= length) {
    out->is_truncated = true;
    return "";
  }
  char *kept = out->paths + out->paths_used;
  memcpy(kept, path, length);
  kept[length] = 0;
  out->paths_used += length + 1;
  return kept;
}

static mp_image *append(mp_images *out, const mp_mapping *map) {
  if (out->count == out->capacity) {
    out->is_truncated = true;
    return NULL;
  }
  mp_image *image = &out->images[out->count];
  memset(image, 0, sizeof *image);
  image->base = map->start;
  image->end = map->end;
  image->path = "";
  return image;
}

static void extend_text(mp_image *image, const mp_mapping *map) {
  if (image->text_start == 0) image->text_start = map->start;
  image->text_end = map->end;
  if (map->end > image->end) image->end = map->end;
}

/// Starts an image where an ELF header is mapped.
static void begin_image(mp_images *out, const mp_mapping *map, const mp_memory *memory) {
  mp_image *image = append(out, map);
  if (image == NULL || !mp_image_read_header(image, memory)) return;
  size_t length;
  image->is_deleted = mp_mapping_is_deleted(map, &length);
  image->device = map->device;
  image->inode = map->inode;
  image->is_vdso = mp_mapping_is(map, "[vdso]");
  image->path = keep_path(out, map->path, length);
  out->count++;
}

/// Takes away the newest image where none of its mappings turned out to be executable: a file mapped as data.
static void settle(mp_images *out) {
  if (out->count != 0 && out->images[out->count - 1].text_start == 0) out->count--;
}

static void take(mp_images *out, const mp_mapping *map, const mp_memory *memory) {
  bool is_file = map->inode != 0, is_vdso = mp_mapping_is(map, "[vdso]");
  mp_image *newest = out->count == 0 ? NULL : &out->images[out->count - 1];
  bool continues = newest != NULL && is_file && newest->inode == map->inode && newest->device == map->device &&
    map->start < newest->end && (map->offset != 0 || mp_image_maps(newest, memory, map->start, 0));
  if (is_vdso || (is_file && map->offset == 0 && map->readable && !continues)) {
    settle(out);
    begin_image(out, map, memory);
    newest = out->count == 0 ? NULL : &out->images[out->count - 1];
    continues = newest != NULL && newest->base == map->start;
  }
  if (!map->executable) return;
  if (continues) {
    extend_text(newest, map);
  } else if (!is_file && map->path_length == 0) {
    settle(out);
    mp_image *code = append(out, map);
    if (code == NULL) return;
    code->is_anonymous = true;
    extend_text(code, map);
    out->count++;
  }
}

typedef struct {
  mp_images *images;
  const mp_memory *memory;
} taking;

static bool take_next(void *context, const mp_mapping *map) {
  const taking *target = context;
  take(target->images, map, target->memory);
  return true;
}

int mp_images_from_maps(const char *maps_path, const mp_memory *memory, mp_images *out) {
  out->count = 0;
  out->paths_used = 0;
  out->is_truncated = false;
  taking target = {out, memory};
  int failure = mp_maps_each(maps_path, take_next, &target);
  settle(out);
  return failure;
}
