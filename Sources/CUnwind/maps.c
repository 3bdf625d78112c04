#include "mp_image.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

/// One line of /proc/PID/maps (proc(5)).
typedef struct {
  uint64_t start, end, offset, device, inode;
  bool executable, readable;
  const char *path;
  size_t path_length;
} mapping;

static const char *hex(const char *at, const char *end, uint64_t *value) {
  uint64_t result = 0;
  for (; at < end; at++) {
    char c = *at;
    if (c >= '0' && c <= '9') result = result << 4 | (uint64_t)(c - '0');
    else if (c >= 'a' && c <= 'f') result = result << 4 | (uint64_t)(c - 'a' + 10);
    else break;
  }
  *value = result;
  return at;
}

static const char *past(const char *at, const char *end, char separator) {
  return at < end && *at == separator ? at + 1 : NULL;
}

static bool parse_line(const char *at, const char *end, mapping *out) {
  uint64_t major, minor;
  at = hex(at, end, &out->start);
  if ((at = past(at, end, '-')) == NULL) return false;
  at = hex(at, end, &out->end);
  if ((at = past(at, end, ' ')) == NULL || end - at < 5) return false;
  out->readable = at[0] == 'r';
  out->executable = at[2] == 'x';
  at = hex(at + 5, end, &out->offset);
  if ((at = past(at, end, ' ')) == NULL) return false;
  at = hex(at, end, &major);
  if ((at = past(at, end, ':')) == NULL) return false;
  at = hex(at, end, &minor);
  if ((at = past(at, end, ' ')) == NULL) return false;
  out->device = major << 20 | minor;
  out->inode = 0;
  for (; at < end && *at >= '0' && *at <= '9'; at++) out->inode = out->inode * 10 + (uint64_t)(*at - '0');
  while (at < end && *at == ' ') at++;
  out->path = at;
  out->path_length = (size_t)(end - at);
  return true;
}

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

static bool is_path(const mapping *map, const char *name) {
  return map->path_length == strlen(name) && memcmp(map->path, name, map->path_length) == 0;
}

static mp_image *append(mp_images *out, const mapping *map) {
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

static void extend_text(mp_image *image, const mapping *map) {
  if (image->text_start == 0) image->text_start = map->start;
  image->text_end = map->end;
  if (map->end > image->end) image->end = map->end;
}

/// Starts an image where an ELF header is mapped.
static void begin_image(mp_images *out, const mapping *map, const mp_memory *memory) {
  mp_image *image = append(out, map);
  if (image == NULL || !mp_image_read_header(image, memory)) return;
  static const char deleted[] = " (deleted)";
  size_t length = map->path_length, suffix = sizeof deleted - 1;
  if (length > suffix && memcmp(map->path + length - suffix, deleted, suffix) == 0) {
    image->is_deleted = true;
    length -= suffix;
  }
  image->device = map->device;
  image->inode = map->inode;
  image->is_vdso = is_path(map, "[vdso]");
  image->path = keep_path(out, map->path, length);
  out->count++;
}

/// Takes away the newest image where none of its mappings turned out to be executable: a file mapped as data.
static void settle(mp_images *out) {
  if (out->count != 0 && out->images[out->count - 1].text_start == 0) out->count--;
}

static void take(mp_images *out, const mapping *map, const mp_memory *memory) {
  bool is_file = map->inode != 0, is_vdso = is_path(map, "[vdso]");
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

int mp_images_from_maps(const char *maps_path, const mp_memory *memory, mp_images *out) {
  out->count = 0;
  out->paths_used = 0;
  out->is_truncated = false;
  int file = open(maps_path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return errno;
  // A line is at most a path (4096) and its columns (below 80).
  char buffer[4096 + 512];
  size_t held = 0;
  int failure = 0;
  for (;;) {
    ssize_t count = read(file, buffer + held, sizeof buffer - held);
    if (count < 0) {
      if (errno == EINTR) continue;
      failure = errno;
      break;
    }
    if (count == 0) break;
    held += (size_t)count;
    size_t at = 0;
    for (;;) {
      char *end = memchr(buffer + at, '\n', held - at);
      if (end == NULL) break;
      mapping map;
      if (parse_line(buffer + at, end, &map)) take(out, &map, memory);
      at = (size_t)(end - buffer) + 1;
    }
    // A line longer than the buffer cannot be; dropping it keeps the loop going all the same.
    if (at == 0 && held == sizeof buffer) at = held;
    memmove(buffer, buffer + at, held - at);
    held -= at;
  }
  settle(out);
  close(file);
  return failure;
}
