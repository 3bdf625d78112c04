/// The raw crash record: what the handler writes while the process dies, and what is read at the next start.
///
/// A file is the 16 bytes of `mp_record_header`, then sections one after another:
///
///     u32 kind, u32 length, length bytes of payload, u32 CRC-32 (IEEE 802.3) of kind, length and payload
///
/// Numbers are little-endian and not aligned; `string` is u32 length and that many bytes, UTF-8 by intention.
/// Sections come in the order in which they matter, so that a record that was cut off is still of use.
#ifndef MP_RECORD_H
#define MP_RECORD_H

#include <stdint.h>

#define MP_RECORD_MAGIC "MPCRASH\n"
#define MP_RECORD_VERSION 1u

typedef struct mp_record_header {
  uint8_t magic[8];
  uint32_t version;
  /// ELF's number of the machine: 62 for x86_64, 183 for AArch64.
  uint32_t machine;
} mp_record_header;

typedef enum mp_record_kind {
  /// u32 pid, ppid, uid; i64 s, u32 ns of the start; string process name, path, application name, identifier, version,
  /// build, app key, user hash, system name, system version, system build, kernel, model.
  MP_RECORD_PROCESS = 1,
  /// i32 signal, code, errno; u32 flags (1 address, 2 sender); u64 address; i32 sender pid; u32 sender uid; u64 thread;
  /// i64 s, u32 ns of the crash; u64 ns since the process started; u64 ns since the machine started.
  MP_RECORD_CRASH = 2,
  /// u64 id; u32 flags (mp_record_thread_flag); u32 stop (mp_stop); string name; u32 count and u64 registers in
  /// libunwind's order; u64 rflags or pstate; u32 count and frames {u64 pc, u32 kind (mp_frame_kind)}. The crashed one
  /// comes first.
  MP_RECORD_THREAD = 3,
  /// u64 base, end, bias; u32 flags (mp_record_image_flag); u32 machine; string build id (bytes); string path.
  MP_RECORD_IMAGE = 4,
  /// u64 free, total, resident bytes.
  MP_RECORD_MEMORY = 5,
  /// string the image that said it; string text.
  MP_RECORD_LAST_WORDS = 6,
  /// u32 count and {i64 s, u32 ns, string name}, oldest first.
  MP_RECORD_BREADCRUMBS = 7,
  /// string: what could not be done, in English.
  MP_RECORD_NOTE = 8,
  /// u32 flags (1: partial); u64 ns since the signal arrived.
  MP_RECORD_END = 9,
  /// u32 count and {string patch, string file, u32 line, string function}: the Lua functions that were under way on the
  /// crashed thread, innermost first.
  MP_RECORD_LUA = 10,
  /// u64 thread, address; u32 count and bytes: memory of the crashed thread's stack, from a little below its stack pointer
  /// on, in pieces that follow one another. Only where its frames were cut or guessed: a reader that has the files of the
  /// images unwinds it again. It is not passed on in reports.
  MP_RECORD_STACK = 11,
  /// Instead of MP_RECORD_CRASH: string the name of the queue or thread; u64 thread; i64 s, u32 ns of the beginning; u64
  /// ns since the process started; u64 ns since the machine started; u64 ns of the limits micro, hang, severe and fatal;
  /// u64 ns of the hang after which its times were watched.
  MP_RECORD_HANG = 12,
  /// A look at the thread that hangs: u64 ns since the beginning; u64 thread; u32 the kernel's letter of its state; i32
  /// system call, -1 for none; u64 its first argument; u64 thread that holds the lock, 0 where that is not known; u64 ns
  /// on the processor and u64 ns waiting for one, both of the watched time; u32 stop (mp_stop); u32 count and frames {u64
  /// pc, u32 kind (mp_frame_kind), u32 bytes from the start of the function, 0 where that is not known}.
  MP_RECORD_SAMPLE = 13,
  /// u64 ns of its duration; u32 flags (mp_hang_flag). Without it the process ended while it hung.
  MP_RECORD_HANG_END = 14,
} mp_record_kind;

enum mp_record_thread_flag {
  MP_RECORD_THREAD_CRASHED = 1,
  /// It did not stop in time: registers are as the kernel showed them, or absent.
  MP_RECORD_THREAD_SILENT = 2,
  MP_RECORD_THREAD_HAS_REGISTERS = 4,
  /// It crashed while the crash of another thread was being written.
  MP_RECORD_THREAD_ALSO_CRASHED = 8,
};

enum mp_record_image_flag {
  MP_RECORD_IMAGE_VDSO = 1,
  MP_RECORD_IMAGE_DELETED = 2,
  MP_RECORD_IMAGE_ANONYMOUS = 4,
  MP_RECORD_IMAGE_MAIN = 8,
};

#endif
