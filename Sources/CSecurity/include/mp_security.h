/// Looks at the own process for debuggers, foreign code and hooks; async-signal-safe, nothing is allocated.
///
/// All of it can be passed by who controls the process: it raises cost and proves nothing.
#ifndef MP_SECURITY_H
#define MP_SECURITY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The kinds of findings; each has its bypass in `Finding.Kind`.
typedef enum mp_finding_kind {
  MP_FOUND_DEBUGGER,
  MP_FOUND_PRELOAD_VARIABLE,
  MP_FOUND_PRELOADED_IMAGE,
  MP_FOUND_FOREIGN_IMAGE,
  MP_FOUND_HIDDEN_IMAGE,
  MP_FOUND_DELETED_IMAGE,
  MP_FOUND_MEMORY_FILE,
  MP_FOUND_ANONYMOUS_CODE,
  MP_FOUND_WRITABLE_CODE,
  MP_FOUND_REPLACED_SLOT,
  MP_FOUND_PATCHED_CODE,
  MP_FOUND_FRIDA,
} mp_finding_kind;

typedef enum mp_confidence { MP_POSSIBLE, MP_PROBABLE, MP_CERTAIN } mp_confidence;

#define MP_FINDING_TEXT 256
#define MP_FINDING_NAME 128

/// One thing that was found.
typedef struct mp_finding {
  int kind, confidence;
  /// The place in memory, and a second number: where a slot leads, a process, a port. 0 where there is none.
  uint64_t address, value;
  /// The path or name that it is about, NUL-terminated.
  char text[MP_FINDING_TEXT];
  /// A function, a variable or a thread, NUL-terminated; empty where there is none.
  char name[MP_FINDING_NAME];
} mp_finding;

typedef struct mp_findings {
  mp_finding *items;
  size_t capacity, count;
  /// More was found than fits.
  bool is_truncated;
} mp_findings;

/// The checks, to be combined.
enum {
  MP_CHECK_DEBUGGER = 1,
  MP_CHECK_IMAGES = 2,
  MP_CHECK_SLOTS = 4,
  MP_CHECK_CODE = 8,
  MP_CHECK_FRIDA = 16,
  /// Speaks to the ports that the own process listens on.
  MP_CHECK_PORTS = 32,
};

/// The owner of an address.
typedef enum mp_owner {
  MP_OWNER_NONE,
  /// The executable, the libraries that it is linked with, the kernel's page, and what is allowed.
  MP_OWNER_MAIN,
  MP_OWNER_LINKED,
  /// Loaded later, from a folder of the system or of the app.
  MP_OWNER_LOADED,
  MP_OWNER_PRELOADED,
  MP_OWNER_FOREIGN,
  /// Code of a file that the dynamic linker does not list.
  MP_OWNER_HIDDEN,
  MP_OWNER_DELETED,
  MP_OWNER_MEMORY_FILE,
  MP_OWNER_ANONYMOUS,
} mp_owner;

/// Images that are expected although nothing is linked with them: file names, or paths of folders that end in `/`.
///
/// Kept until the process ends; false where there is no more room (64 names, 8 KiB).
bool mp_security_allow(const char *image);

/// Memory that a look needs; given by callers, so that a signal handler can have it ready.
size_t mp_security_size(void);

/// Does the checks that `checks` names, and adds what they find. `memory` has `mp_security_size()` bytes.
///
/// Returns 0, or the errno that kept the maps from being read: nothing is known then.
int mp_security_check(void *memory, unsigned checks, mp_findings *out);

/// The process that traces this one, 0 for none, -1 where that is not known.
int mp_security_tracer(void);
/// The name of a process, at most 15 bytes and a NUL; false where it is hidden from us.
bool mp_security_process_name(int pid, char name[16]);

/// Tells whether an address belongs to code that does not belong to the app: 1, 0, or -1 where it is not known.
int mp_security_is_foreign(const void *address);

/// Tells whether the function that calls this was called by code that does not belong to the app.
__attribute__((always_inline)) static inline bool mp_called_from_outside(void) {
  return mp_security_is_foreign(__builtin_return_address(0)) == 1;
}

/// The same for the caller of the function that calls this, and for that one's caller, by tables for unwinding: 1, 0, or
/// -1 where it is not known. Not async-signal-safe.
int mp_security_caller_is_foreign(void);

/// The state of a function.
typedef struct mp_function {
  /// It was found at all.
  bool is_known;
  /// The address that calls reach; 0 where none was made yet.
  uint64_t address;
  /// The address that its name has in the library that defines it.
  uint64_t expected;
  /// A slot of an image that leads elsewhere, and that image's path.
  uint64_t slot;
  bool slot_is_replaced, is_patched;
  /// The first bytes could be compared with the file's.
  bool is_compared;
  int owner;
  char owner_path[MP_FINDING_TEXT], slot_path[MP_FINDING_TEXT];
} mp_function;

/// Looks a function up by its symbol: slots that lead to it, its first bytes, and its owner.
///
/// `library` is the file name or path of the library that it should be of; NULL for the first that is linked.
/// Returns 0, or the errno that kept the maps from being read.
int mp_security_function(void *memory, const char *name, const char *library, mp_function *out);
/// The same for an address of code, without slots.
int mp_security_code(void *memory, const void *address, mp_function *out);

/// A place where memory and file differ.
typedef struct mp_difference {
  bool is_different, is_complete;
  uint64_t address, file_offset;
  char path[MP_FINDING_TEXT];
} mp_difference;

/// Hands the code of the executable to `take`, as it is in memory and as its file has it, page by page.
///
/// `memory` has `mp_security_size()` bytes. Returns 0 or an errno.
int mp_security_text(
  void *memory, void *context, void (*take)(void *context, const void *in_memory, const void *in_file, size_t size),
  mp_difference *out);

/// Tells whether a range is memory that one of the app's files was mapped to: constants, not what was allocated.
bool mp_security_is_static(void *memory, const void *address, size_t size);

/// The answers about the surroundings; -1 for what is not known.
typedef struct mp_environment {
  int is_root, ptrace_scope, is_container, is_restricted;
  /// A folder of the system that others than its owner can write, empty where there is none.
  char writable_folder[64];
  /// The evidence for a container.
  char container[64];
} mp_environment;

void mp_security_environment(mp_environment *out);

/// Tells whether a port of this machine speaks Frida's protocol: D-Bus with SASL, bare or within a WebSocket.
bool mp_security_is_frida_port(uint16_t port, int limit_milliseconds);

/// Begins to trace this process by a child, so that no debugger can. Not async-signal-safe.
///
/// Returns 0 or an errno: EBUSY where it is traced already, EALREADY where the child is there.
int mp_security_tracer_start(void);
/// Ends the child; the process goes on untraced. Returns 0 or an errno.
int mp_security_tracer_stop(void);
/// The child, 0 for none.
int mp_security_tracer_child(void);

/// Parsers that tests try on texts of their own.
///
/// The value of `field` in a text as /proc/PID/status, and the entries of an environment that load code.
bool mp_status_number(const char *text, size_t size, const char *field, long *value);
bool mp_environment_loads(const char *entry, size_t size, const char **value);

/// The number of slots and functions of an image in `size` bytes as the kernel would map it; 0 where it is none.
///
/// `memory` has `mp_security_size()` bytes; `function` is looked up by its name, too.
size_t mp_security_probe_image(void *memory, const void *image, size_t size, const char *function);

#ifdef __cplusplus
}
#endif
#endif
