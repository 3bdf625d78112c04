#include "look.h"

#if defined(MP_LOOKS_AT_ELF)

#include <string.h>

static const struct {
  int kind, confidence;
} verdicts[] = {
  [MP_OWNER_PRELOADED] = {MP_FOUND_PRELOADED_IMAGE, MP_CERTAIN},
  [MP_OWNER_FOREIGN] = {MP_FOUND_FOREIGN_IMAGE, MP_PROBABLE},
  [MP_OWNER_HIDDEN] = {MP_FOUND_HIDDEN_IMAGE, MP_PROBABLE},
  [MP_OWNER_DELETED] = {MP_FOUND_DELETED_IMAGE, MP_PROBABLE},
  [MP_OWNER_MEMORY_FILE] = {MP_FOUND_MEMORY_FILE, MP_PROBABLE},
  [MP_OWNER_ANONYMOUS] = {MP_FOUND_ANONYMOUS_CODE, MP_POSSIBLE},
};

static bool is_frida(const char *path) {
  return strstr(path, "frida") != NULL || strstr(path, "/linjector-") != NULL;
}

void mp_find_images(mp_look *look, mp_findings *out) {
  const char *before = NULL;
  int owner_before = -1;
  for (size_t index = 0; index < look->code_count; index++) {
    const mp_code *code = &look->codes[index];
    if (mp_is_own(code->owner)) {
      // What the kernel maps for itself is never writable, and never ours to judge.
      if (!code->is_writable || code->path[0] == '[') continue;
      mp_finding *finding = mp_add_finding(out, MP_FOUND_WRITABLE_CODE, MP_PROBABLE);
      if (finding == NULL) return;
      finding->address = code->start;
      mp_set_text(finding->text, sizeof finding->text, code->path);
      continue;
    }
    // Parts of one file are one finding; memory without a file has a place each.
    bool is_file = code->path[0] != 0;
    if (is_file && owner_before == code->owner && before != NULL && strcmp(before, code->path) == 0) continue;
    before = code->path;
    owner_before = code->owner;
    bool has_name = code->owner != MP_OWNER_ANONYMOUS && is_frida(code->path);
    mp_finding *finding = mp_add_finding(
      out, has_name ? MP_FOUND_FRIDA : verdicts[code->owner].kind,
      has_name ? MP_CERTAIN : verdicts[code->owner].confidence);
    if (finding == NULL) return;
    finding->address = code->start;
    finding->value = code->end - code->start;
    mp_set_text(finding->text, sizeof finding->text, code->path);
  }
}

#endif
