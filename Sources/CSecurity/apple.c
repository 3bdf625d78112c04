#if defined(__APPLE__)

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <mach-o/dyld.h>
#include <mach-o/getsect.h>
#include <mach-o/loader.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysctl.h>
#include <unistd.h>

#include "look.h"

/// A Mach-O image that dyld lists.
typedef struct {
  const struct mach_header_64 *header;
  intptr_t slide;
  const char *path;
} image;

static const uint32_t COMMANDS_SIZE_MAX = 1 << 20;

int mp_security_tracer(void) {
  int query[] = {CTL_KERN, KERN_PROC, KERN_PROC_PID, getpid()};
  struct kinfo_proc process;
  size_t size = sizeof process;
  memset(&process, 0, sizeof process);
  if (sysctl(query, 4, &process, &size, NULL, 0) != 0) return -1;
  // The kernel does not tell by whom: the parent is who it mostly is.
  return (process.kp_proc.p_flag & P_TRACED) != 0 ? getppid() : 0;
}

/// The folder of the executable, with the slash; on a Mac the bundle's `Contents` around it.
static size_t app_folder(char folder[1024]) {
  uint32_t size = 1024;
  if (_NSGetExecutablePath(folder, &size) != 0) return 0;
  char *slash = strrchr(folder, '/');
  if (slash == NULL) return 0;
  slash[1] = 0;
  char *inner = strstr(folder, "/Contents/MacOS/");
  if (inner != NULL) inner[10] = 0;
  return strlen(folder);
}

static int owner_of(const char *path) {
  static const char *const folders[] = {"/usr/lib/", "/System/", "/private/preboot/", "/Developer/Library/Xcode/"};
  if (mp_is_allowed(path)) return MP_OWNER_LINKED;
  for (size_t index = 0; index < sizeof folders / sizeof *folders; index++) {
    if (strncmp(path, folders[index], strlen(folders[index])) == 0) return MP_OWNER_LOADED;
  }
  // Simulators have the system in a folder of the Mac.
  if (strstr(path, "/Library/Developer/CoreSimulator/") != NULL || strstr(path, ".simruntime/") != NULL) {
    return MP_OWNER_LOADED;
  }
  char folder[1024];
  size_t length = app_folder(folder);
  const char *plain = strncmp(path, "/private/var/", 13) == 0 ? path + 8 : path;
  const char *own = strncmp(folder, "/private/var/", 13) == 0 ? folder + 8 : folder;
  length -= (size_t)(own - folder);
  return length > 0 && strncmp(plain, own, length) == 0 ? MP_OWNER_LINKED : MP_OWNER_FOREIGN;
}

static bool image_of(const void *address, image *out) {
  Dl_info info;
  if (dladdr(address, &info) == 0 || info.dli_fbase == NULL) return false;
  const struct mach_header_64 *header = info.dli_fbase;
  if (header->magic != MH_MAGIC_64) return false;
  out->header = header;
  out->path = info.dli_fname == NULL ? "" : info.dli_fname;
  out->slide = 0;
  for (uint32_t index = 0; index < _dyld_image_count(); index++) {
    if ((const void *)_dyld_get_image_header(index) == (const void *)header) {
      out->slide = _dyld_get_image_vmaddr_slide(index);
      return true;
    }
  }
  return false;
}

/// The segment that has an address, and whether the image's code is encrypted in its file.
static const struct segment_command_64 *segment_at(const image *of, uint64_t address, bool *is_encrypted) {
  const struct segment_command_64 *found = NULL;
  const uint8_t *at = (const uint8_t *)(of->header + 1);
  uint32_t size = of->header->sizeofcmds;
  if (size > COMMANDS_SIZE_MAX) return NULL;
  const uint8_t *end = at + size;
  *is_encrypted = false;
  for (uint32_t index = 0; index < of->header->ncmds && (size_t)(end - at) >= sizeof(struct load_command); index++) {
    const struct load_command *command = (const void *)at;
    if (command->cmdsize < sizeof *command || command->cmdsize > (size_t)(end - at)) return NULL;
    if (command->cmd == LC_SEGMENT_64 && command->cmdsize >= sizeof(struct segment_command_64)) {
      const struct segment_command_64 *segment = (const void *)at;
      uint64_t start = segment->vmaddr + (uint64_t)of->slide;
      if (address >= start && address - start < segment->vmsize) found = segment;
    } else if (command->cmd == LC_ENCRYPTION_INFO_64 && command->cmdsize >= sizeof(struct encryption_info_command_64)) {
      *is_encrypted = ((const struct encryption_info_command_64 *)at)->cryptid != 0;
    }
    at += command->cmdsize;
  }
  return found;
}

static void find_images(mp_findings *out) {
  const char *variable = getenv("DYLD_INSERT_LIBRARIES");
  if (variable != NULL && *variable != 0 && !mp_is_allowed(variable)) {
    mp_finding *finding = mp_add_finding(out, MP_FOUND_PRELOAD_VARIABLE, MP_CERTAIN);
    if (finding != NULL) {
      mp_set_text(finding->text, sizeof finding->text, variable);
      mp_set_text(finding->name, sizeof finding->name, "DYLD_INSERT_LIBRARIES");
    }
  }
  for (uint32_t index = 0; index < _dyld_image_count(); index++) {
    const char *path = _dyld_get_image_name(index);
    if (path == NULL || owner_of(path) != MP_OWNER_FOREIGN) continue;
    bool is_frida = strstr(path, "frida") != NULL || strstr(path, "Frida") != NULL;
    mp_finding *finding =
      mp_add_finding(out, is_frida ? MP_FOUND_FRIDA : MP_FOUND_FOREIGN_IMAGE, is_frida ? MP_CERTAIN : MP_PROBABLE);
    if (finding == NULL) return;
    finding->address = (uint64_t)(uintptr_t)_dyld_get_image_header(index);
    mp_set_text(finding->text, sizeof finding->text, path);
  }
}

int mp_security_check(void *memory, unsigned checks, mp_findings *out) {
  (void)memory;
  int tracer = checks & MP_CHECK_DEBUGGER ? mp_security_tracer() : 0;
  if (tracer > 0) {
    mp_finding *finding = mp_add_finding(out, MP_FOUND_DEBUGGER, MP_CERTAIN);
    if (finding != NULL) finding->value = (uint64_t)tracer;
  }
  if (checks & MP_CHECK_IMAGES) find_images(out);
  return 0;
}

int mp_security_is_foreign(const void *address) {
  image found;
  if (!image_of(address, &found)) return 1;
  return owner_of(found.path) == MP_OWNER_FOREIGN;
}

int mp_security_code(void *memory, const void *address, mp_function *out) {
  (void)memory;
  memset(out, 0, sizeof *out);
  out->is_known = true;
  out->address = out->expected = (uint64_t)(uintptr_t)address;
  image found;
  if (!image_of(address, &found)) {
    out->owner = MP_OWNER_ANONYMOUS;
    return 0;
  }
  out->owner = owner_of(found.path);
  mp_set_text(out->owner_path, sizeof out->owner_path, found.path);
  bool is_encrypted;
  const struct segment_command_64 *segment = segment_at(&found, out->address, &is_encrypted);
  // What lies in the shared cache has no file of its own, and the store's encryption hides a file's code.
  if (segment == NULL || is_encrypted) return 0;
  int file = open(found.path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  uint8_t first[4], bytes[16];
  uint64_t offset = segment->fileoff + (out->address - segment->vmaddr - (uint64_t)found.slide);
  // A fat file has other offsets.
  bool is_thin = pread(file, first, 4, 0) == 4 && memcmp(first, &found.header->magic, 4) == 0;
  if (is_thin && pread(file, bytes, sizeof bytes, (off_t)offset) == (ssize_t)sizeof bytes) {
    out->is_compared = true;
    out->is_patched = memcmp(bytes, address, sizeof bytes) != 0;
  }
  close(file);
  return 0;
}

int mp_security_text(
  void *memory, void *context, void (*take)(void *context, const void *in_memory, const void *in_file, size_t size),
  mp_difference *out) {
  (void)memory;
  memset(out, 0, sizeof *out);
  image found;
  if (!image_of(_dyld_get_image_header(0), &found)) return ENOEXEC;
  mp_set_text(out->path, sizeof out->path, found.path);
  unsigned long size = 0;
  const uint8_t *text = getsectiondata(found.header, "__TEXT", "__text", &size);
  if (text == NULL) return ENOEXEC;
  bool is_encrypted;
  const struct segment_command_64 *segment = segment_at(&found, (uint64_t)(uintptr_t)text, &is_encrypted);
  int file = segment == NULL || is_encrypted ? -1 : open(found.path, O_RDONLY | O_CLOEXEC);
  uint64_t offset =
    segment == NULL ? 0 : segment->fileoff + ((uint64_t)(uintptr_t)text - segment->vmaddr - (uint64_t)found.slide);
  uint8_t bytes[4096];
  out->is_complete = file >= 0 && pread(file, bytes, 4, 0) == 4 && memcmp(bytes, &found.header->magic, 4) == 0;
  for (unsigned long done = 0; done < size;) {
    size_t part = size - done < sizeof bytes ? size - done : sizeof bytes;
    if (!out->is_complete || pread(file, bytes, part, (off_t)(offset + done)) != (ssize_t)part) {
      out->is_complete = false;
      memcpy(bytes, text + done, part);
    }
    if (!out->is_different && memcmp(bytes, text + done, part) != 0) {
      size_t first = 0;
      while (bytes[first] == text[done + first]) first++;
      out->is_different = true;
      out->address = (uint64_t)(uintptr_t)(text + done + first);
      out->file_offset = offset + done + first;
    }
    take(context, text + done, bytes, part);
    done += part;
  }
  if (file >= 0) close(file);
  return 0;
}

bool mp_security_is_static(void *memory, const void *address, size_t size) {
  (void)memory;
  image found;
  if (!image_of(address, &found) || owner_of(found.path) != MP_OWNER_LINKED) return false;
  bool is_encrypted;
  const struct segment_command_64 *segment = segment_at(&found, (uint64_t)(uintptr_t)address, &is_encrypted);
  if (segment == NULL) return false;
  uint64_t rest = segment->vmaddr + (uint64_t)found.slide + segment->vmsize - (uint64_t)(uintptr_t)address;
  return size <= rest;
}

void mp_security_environment(mp_environment *out) {
  memset(out, 0, sizeof *out);
  out->is_root = geteuid() == 0;
  out->ptrace_scope = out->is_container = -1;
  unsigned long size = 0;
  const struct mach_header_64 *header = (const void *)_dyld_get_image_header(0);
  out->is_restricted = header != NULL && getsectiondata(header, "__RESTRICT", "__restrict", &size) != NULL;
}

#endif
