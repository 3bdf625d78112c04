#include "mp_archive.h"

#include "library.h"

#include <dlfcn.h>
#include <locale.h>
#include <pthread.h>
#if defined(__APPLE__)
#include <xlocale.h>
#endif

// The library's types and numbers (archive.h, archive_entry.h); they are part of its binary interface.
struct archive;
struct archive_entry;
enum { archive_end = 1, archive_ok = 0, archive_warning = -20, archive_retry = -10 };
enum { kind_mask = 0170000, regular_file = 0100000, folder = 0040000, symbolic_link = 0120000 };

/// The functions of libarchive that are called; filled in when it is loaded.
static struct {
  const char *(*version)(void);
  struct archive *(*read_new)(void);
  int (*read_free)(struct archive *);
  int (*filters[6])(struct archive *);
  int (*formats[4])(struct archive *);
  int (*open_memory)(struct archive *, const void *, size_t);
  int (*next_header)(struct archive *, struct archive_entry **);
  ptrdiff_t (*read_data)(struct archive *, void *, size_t);
  const char *(*error_string)(struct archive *);
  const char *(*pathname)(struct archive_entry *);
  const char *(*pathname_utf8)(struct archive_entry *);
  int64_t (*size)(struct archive_entry *);
  int (*size_is_set)(struct archive_entry *);
  long (*mtime)(struct archive_entry *);
  unsigned (*filetype)(struct archive_entry *);
  unsigned (*mode)(struct archive_entry *);
  const char *(*symlink)(struct archive_entry *);
  const char *(*hardlink)(struct archive_entry *);
  int (*is_encrypted)(struct archive_entry *);
  int (*set_option)(struct archive *, const char *, const char *, const char *);
  int (*filter_count)(struct archive *);
} library;

/// Names are converted to the locale's characters, and lost where it has none for them: reading is done in this one.
static locale_t utf8;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static bool is_loaded;
static const char *failure;

void *mp_archive_library(void) {
#if defined(__APPLE__)
  static const char *const names[] = {
      "libarchive.13.dylib", "/opt/homebrew/opt/libarchive/lib/libarchive.13.dylib",
      "/usr/local/opt/libarchive/lib/libarchive.13.dylib", "/usr/lib/libarchive.2.dylib"};
#else
  static const char *const names[] = {"libarchive.so.13"};
#endif
  for (size_t index = 0; index < sizeof names / sizeof *names; index++) {
    void *found = dlopen(names[index], RTLD_NOW | RTLD_LOCAL);
    if (found != NULL) return found;
  }
  failure = names[0];
  return NULL;
}

static void *function(void *handle, const char *name) {
  void *found = dlsym(handle, name);
  if (found == NULL && failure == NULL) failure = name;
  return found;
}

static void load(void) {
  static const char *const locales[] = {"C.UTF-8", "en_US.UTF-8", "UTF-8"};
  for (size_t index = 0; index < sizeof locales / sizeof *locales && utf8 == (locale_t)0; index++) {
    utf8 = newlocale(LC_CTYPE_MASK, locales[index], (locale_t)0);
  }
  void *handle = mp_archive_library();
  if (handle == NULL) return;
  library.version = function(handle, "archive_version_string");
  library.read_new = function(handle, "archive_read_new");
  library.read_free = function(handle, "archive_read_free");
  // Not "all": some filters run programs.
  static const char *const filters[] = {
      "archive_read_support_filter_gzip", "archive_read_support_filter_bzip2", "archive_read_support_filter_xz",
      "archive_read_support_filter_lzma", "archive_read_support_filter_zstd", "archive_read_support_filter_lz4"};
  for (size_t index = 0; index < sizeof filters / sizeof *filters; index++) {
    library.filters[index] = function(handle, filters[index]);
  }
  library.formats[0] = function(handle, "archive_read_support_format_zip");
  library.formats[1] = function(handle, "archive_read_support_format_tar");
  library.formats[2] = function(handle, "archive_read_support_format_7zip");
  // One compressed file without an archive around it.
  library.formats[3] = function(handle, "archive_read_support_format_raw");
  library.open_memory = function(handle, "archive_read_open_memory");
  library.next_header = function(handle, "archive_read_next_header");
  library.read_data = function(handle, "archive_read_data");
  library.error_string = function(handle, "archive_error_string");
  library.pathname = function(handle, "archive_entry_pathname");
  library.pathname_utf8 = function(handle, "archive_entry_pathname_utf8");
  library.size = function(handle, "archive_entry_size");
  library.size_is_set = function(handle, "archive_entry_size_is_set");
  library.mtime = function(handle, "archive_entry_mtime");
  library.filetype = function(handle, "archive_entry_filetype");
  library.mode = function(handle, "archive_entry_mode");
  library.symlink = function(handle, "archive_entry_symlink");
  library.hardlink = function(handle, "archive_entry_hardlink");
  library.is_encrypted = function(handle, "archive_entry_is_encrypted");
  library.set_option = function(handle, "archive_read_set_option");
  library.filter_count = function(handle, "archive_filter_count");
  is_loaded = failure == NULL;
}

locale_t mp_archive_locale(void) {
  return utf8;
}

bool mp_archive_load(void) {
  pthread_once(&once, load);
  return is_loaded;
}

const char *mp_archive_missing(void) {
  return failure;
}

const char *mp_archive_version(void) {
  return mp_archive_load() ? library.version() : NULL;
}

static struct archive *inner(mp_archive *archive) {
  return (struct archive *)archive;
}

/// The bytes after the end and the parts that Apple adds are parts of an archive that may be one of two forms only.
static void read_strictly(struct archive *archive) {
  // Bytes after the end mark of a tar are looked at too, and are an error unless they are zeros.
  (void)library.set_option(archive, "tar", "read_concatenated_archives", "1");
  // Apple's additional files are files, on every system.
  (void)library.set_option(archive, NULL, "mac-ext", NULL);
}

mp_archive *mp_archive_open(const void *bytes, size_t size, mp_archive_form form) {
  if (!mp_archive_load()) return NULL;
  struct archive *archive = library.read_new();
  if (archive == NULL) return NULL;
  for (size_t index = 0; form != MP_ARCHIVE_ZIP && index < sizeof library.filters / sizeof *library.filters; index++) {
    library.filters[index](archive);
  }
  for (size_t index = 0; form == MP_ARCHIVE_ANY && index < sizeof library.formats / sizeof *library.formats; index++) {
    library.formats[index](archive);
  }
  if (form != MP_ARCHIVE_ANY) {
    library.formats[form == MP_ARCHIVE_ZIP ? 0 : 1](archive);
    read_strictly(archive);
  }
  // A failure shows at the first header.
  (void)library.open_memory(archive, bytes, size);
  return (mp_archive *)archive;
}

static mp_archive_kind kind(struct archive_entry *entry) {
  if (library.hardlink(entry) != NULL) return MP_ARCHIVE_HARD_LINK;
  switch (library.filetype(entry) & kind_mask) {
  case 0:
  case regular_file: return MP_ARCHIVE_FILE;
  case folder: return MP_ARCHIVE_FOLDER;
  case symbolic_link: return MP_ARCHIVE_LINK;
  default: return MP_ARCHIVE_OTHER;
  }
}

static mp_archive_step next(mp_archive *archive, mp_archive_member *member) {
  struct archive_entry *entry = NULL;
  int outcome = library.next_header(inner(archive), &entry);
  if (outcome == archive_end) return MP_ARCHIVE_END;
  if (outcome == archive_retry) return MP_ARCHIVE_RETRY;
  if (outcome != archive_ok && outcome != archive_warning) return MP_ARCHIVE_DAMAGED;
  // The bytes as they are: who reads them says whether they are characters.
  const char *path = library.pathname(entry);
  member->characters = library.pathname_utf8(entry);
  member->path = path != NULL ? path : member->characters;
  member->kind = kind(entry);
  member->target = member->kind == MP_ARCHIVE_LINK ? library.symlink(entry) : NULL;
  member->size = library.size_is_set(entry) ? library.size(entry) : -1;
  member->modified = library.mtime(entry);
  member->is_executable = (library.mode(entry) & 0111) != 0;
  member->is_encrypted = library.is_encrypted(entry) > 0;
  member->is_doubtful = outcome == archive_warning;
  // The last one counted is "no compression".
  member->compressions = library.filter_count(inner(archive)) - 1;
  return MP_ARCHIVE_ENTRY;
}

mp_archive_step mp_archive_next(mp_archive *archive, mp_archive_member *member) {
  locale_t before = utf8 != (locale_t)0 ? uselocale(utf8) : (locale_t)0;
  mp_archive_step step = next(archive, member);
  if (before != (locale_t)0) uselocale(before);
  return step;
}

ptrdiff_t mp_archive_read(mp_archive *archive, void *target, size_t size) {
  for (;;) {
    ptrdiff_t count = library.read_data(inner(archive), target, size);
    if (count != archive_retry) return count;
  }
}

const char *mp_archive_error(mp_archive *archive) {
  return library.error_string(inner(archive));
}

void mp_archive_close(mp_archive *archive) {
  library.read_free(inner(archive));
}
