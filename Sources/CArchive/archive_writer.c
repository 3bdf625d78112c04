#include "mp_archive_writer.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>

#include "library.h"
#include "mp_archive.h"

// The library's types and numbers (archive.h, archive_entry.h); they are part of its binary interface.
struct archive;
struct archive_entry;
enum { regular_file = 0100000, folder = 0040000, symbolic_link = 0120000 };
typedef ptrdiff_t write_callback(struct archive *, void *, const void *, size_t);

/// The functions of libarchive that are called; filled in when the first archive is written.
static struct {
  struct archive *(*write_new)(void);
  int (*write_free)(struct archive *);
  int (*write_close)(struct archive *);
  int (*format_zip)(struct archive *);
  int (*format_tar)(struct archive *);
  int (*filter_zstd)(struct archive *);
  int (*set_option)(struct archive *, const char *, const char *, const char *);
  int (*bytes_in_last_block)(struct archive *, int);
  int (*open)(struct archive *, void *, void *, write_callback *, void *);
  int (*header)(struct archive *, struct archive_entry *);
  ptrdiff_t (*data)(struct archive *, const void *, size_t);
  int (*finish_entry)(struct archive *);
  const char *(*error_string)(struct archive *);
  struct archive_entry *(*entry_new)(void);
  void (*entry_free)(struct archive_entry *);
  void (*set_pathname)(struct archive_entry *, const char *);
  void (*set_symlink)(struct archive_entry *, const char *);
  void (*set_size)(struct archive_entry *, int64_t);
  void (*set_filetype)(struct archive_entry *, unsigned);
  void (*set_perm)(struct archive_entry *, unsigned);
  void (*set_mtime)(struct archive_entry *, long, long);
} library;

struct mp_archive_writer {
  struct archive *archive;
  mp_archive_sink sink;
  void *context;
  bool is_zip;
};

static pthread_once_t once = PTHREAD_ONCE_INIT;
static bool is_loaded;

static void load(void) {
  void *handle = mp_archive_load() ? mp_archive_library() : NULL;
  if (handle == NULL) return;
  const struct {
    void *slot;
    const char *name;
  } functions[] = {
      {&library.write_new, "archive_write_new"},
      {&library.write_free, "archive_write_free"},
      {&library.write_close, "archive_write_close"},
      {&library.format_zip, "archive_write_set_format_zip"},
      {&library.format_tar, "archive_write_set_format_pax_restricted"},
      {&library.filter_zstd, "archive_write_add_filter_zstd"},
      {&library.set_option, "archive_write_set_option"},
      {&library.bytes_in_last_block, "archive_write_set_bytes_in_last_block"},
      {&library.open, "archive_write_open"},
      {&library.header, "archive_write_header"},
      {&library.data, "archive_write_data"},
      {&library.finish_entry, "archive_write_finish_entry"},
      {&library.error_string, "archive_error_string"},
      {&library.entry_new, "archive_entry_new"},
      {&library.entry_free, "archive_entry_free"},
      {&library.set_pathname, "archive_entry_set_pathname"},
      {&library.set_symlink, "archive_entry_set_symlink"},
      {&library.set_size, "archive_entry_set_size"},
      {&library.set_filetype, "archive_entry_set_filetype"},
      {&library.set_perm, "archive_entry_set_perm"},
      {&library.set_mtime, "archive_entry_set_mtime"},
  };
  is_loaded = true;
  for (size_t index = 0; index < sizeof functions / sizeof *functions; index++) {
    void *found = dlsym(handle, functions[index].name);
    if (found == NULL) is_loaded = false;
    *(void **)functions[index].slot = found;
  }
}

static ptrdiff_t pour(struct archive *archive, void *context, const void *bytes, size_t size) {
  (void)archive;
  mp_archive_writer *writer = context;
  return writer->sink(writer->context, bytes, size) ? (ptrdiff_t)size : -1;
}

static bool begin(mp_archive_writer *writer) {
  struct archive *archive = writer->archive;
  int outcome = 0;
  if (writer->is_zip) {
    outcome |= library.format_zip(archive);
    outcome |= library.set_option(archive, "zip", "compression", "deflate");
    outcome |= library.set_option(archive, "zip", "hdrcharset", "UTF-8");
  } else {
    outcome |= library.format_tar(archive);
    outcome |= library.filter_zstd(archive);
    // Above this, time doubles for a few hundredths of the size.
    outcome |= library.set_option(archive, "zstd", "compression-level", "9");
  }
  // Zeros behind the end would be bytes that are no part of the archive.
  outcome |= library.bytes_in_last_block(archive, 1);
  return outcome == 0 && library.open(archive, writer, NULL, pour, NULL) == 0;
}

mp_archive_writer *mp_archive_write_open(bool is_zip, mp_archive_sink sink, void *context) {
  pthread_once(&once, load);
  if (!is_loaded) return NULL;
  mp_archive_writer *writer = calloc(1, sizeof *writer);
  if (writer == NULL) return NULL;
  *writer = (mp_archive_writer){library.write_new(), sink, context, is_zip};
  // The characters that names are converted from are looked up here, once.
  locale_t utf8 = mp_archive_locale();
  locale_t before = utf8 != (locale_t)0 ? uselocale(utf8) : (locale_t)0;
  bool is_ready = writer->archive != NULL && begin(writer);
  if (before != (locale_t)0) uselocale(before);
  if (is_ready) return writer;
  mp_archive_write_close(writer);
  return NULL;
}

static unsigned file_type(mp_archive_write_kind kind) {
  switch (kind) {
  case MP_ARCHIVE_WRITE_FOLDER: return folder;
  case MP_ARCHIVE_WRITE_LINK: return symbolic_link;
  default: return regular_file;
  }
}

bool mp_archive_write_entry(
    mp_archive_writer *writer, mp_archive_write_kind kind, const char *path, const char *target, int64_t size) {
  struct archive_entry *entry = library.entry_new();
  if (entry == NULL) return false;
  library.set_pathname(entry, path);
  library.set_filetype(entry, file_type(kind));
  library.set_perm(entry, kind == MP_ARCHIVE_WRITE_FILE ? 0644 : 0755);
  library.set_size(entry, size);
  if (target != NULL) library.set_symlink(entry, target);
  // A zip without a time has the first one that it can tell, in every time zone.
  if (!writer->is_zip) library.set_mtime(entry, 0, 0);
  locale_t utf8 = mp_archive_locale();
  locale_t before = utf8 != (locale_t)0 ? uselocale(utf8) : (locale_t)0;
  int outcome = library.header(writer->archive, entry);
  if (before != (locale_t)0) uselocale(before);
  library.entry_free(entry);
  return outcome == 0;
}

bool mp_archive_write_data(mp_archive_writer *writer, const void *bytes, size_t size) {
  while (size > 0) {
    ptrdiff_t count = library.data(writer->archive, bytes, size);
    if (count <= 0 || (size_t)count > size) return false;
    bytes = (const char *)bytes + count;
    size -= (size_t)count;
  }
  return true;
}

bool mp_archive_write_end(mp_archive_writer *writer) {
  return library.finish_entry(writer->archive) == 0 && library.write_close(writer->archive) == 0;
}

const char *mp_archive_write_error(mp_archive_writer *writer) {
  return library.error_string(writer->archive);
}

void mp_archive_write_close(mp_archive_writer *writer) {
  if (writer->archive != NULL) library.write_free(writer->archive);
  free(writer);
}
