import Foundation
import MPaaSTestSupport

/// The program that tests attack: it answers words with lines.
final class Subject {
  let process = Process()
  private let input = Pipe()
  private let output = Pipe()
  private var rest: [UInt8] = []

  static var path: String { Command.products.appending(path: "SecuritySubject").path }

  var pid: Int32 { process.processIdentifier }

  /// - Parameter wrapper: A program and its words that starts the subject.
  init(environment: [String: String] = [:], under wrapper: [String] = []) throws {
    let words = wrapper + [Self.path]
    process.executableURL = URL(filePath: Command.find(words[0]) ?? words[0])
    process.arguments = Array(words.dropFirst())
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    process.standardInput = input
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try withNoSignalsBlocked { try process.run() }
    _ = line()
  }

  deinit {
    if process.isRunning { process.terminate() }
  }

  private func line() -> String? {
    while true {
      if let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
        defer { rest.removeFirst(end + 1) }
        return String(decoding: rest[..<end], as: UTF8.self)
      }
      let more = output.fileHandleForReading.availableData
      guard !more.isEmpty else { return nil }
      rest += more
    }
  }

  /// The lines of the answer.
  func ask(_ words: String) -> [String] {
    input.fileHandleForWriting.write(Data((words + "\n").utf8))
    var lines: [String] = []
    while let next = line(), next != "done" { lines.append(next) }
    return lines
  }

  /// The kinds of the findings of a check.
  func kinds() -> Set<String> { Set(ask("check").map(Self.kind)) }

  static func kind(_ line: String) -> String { String(line.prefix { $0 != "\t" }) }
}

/// Libraries that attack, compiled by a test.
enum Attack {
  static let folder = Result { try TemporaryFolder() }

  /// Compiles C to a library, in a folder that is neither the app's nor the system's; nil where there is no compiler.
  static func library(_ name: String, _ source: String) throws -> String? {
    guard Command.find("cc") != nil else { return nil }
    let base = try folder.get().url.appending(path: name)
    let library = base.path + ".so"
    if FileManager.default.fileExists(atPath: library) { return library }
    // Other tests make the same at the same time, and see none that is half written.
    let own = base.path + "-" + UUID().uuidString
    try Data(source.utf8).write(to: URL(filePath: own + ".c"))
    let made = try Command.run("cc", ["-shared", "-fPIC", "-O1", "-o", own + ".so", own + ".c"])
    guard made.status == 0, rename(own + ".so", library) == 0 else { return nil }
    return library
  }

  /// Only lies there, and calls what it is handed.
  static let plain = """
    int call_it(int (*function)(void)) { return function() + 0; }
    unsigned la_version(unsigned version) { return version; }
    """

  /// Leads the executable's calls of `clock_gettime` to a function of its own.
  static let slot = """
    #define _GNU_SOURCE
    #include <link.h>
    #include <stdint.h>
    #include <string.h>
    #include <sys/mman.h>
    #include <time.h>
    static int fake(int clock, struct timespec *time) { (void)clock; time->tv_sec = 1; time->tv_nsec = 0; return 0; }
    static int visit(struct dl_phdr_info *info, size_t size, void *context) {
      const Elf64_Sym *symbols = 0; const char *strings = 0;
      const Elf64_Rela *tables[2] = {0}; uint64_t sizes[2] = {0};
      if (info->dlpi_name[0] != 0) return 1;
      for (int i = 0; i < info->dlpi_phnum; i++) {
        if (info->dlpi_phdr[i].p_type != PT_DYNAMIC) continue;
        for (const Elf64_Dyn *d = (void *)(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr); d->d_tag; d++) {
          if (d->d_tag == DT_SYMTAB) symbols = (void *)d->d_un.d_ptr;
          if (d->d_tag == DT_STRTAB) strings = (void *)d->d_un.d_ptr;
          if (d->d_tag == DT_JMPREL) tables[0] = (void *)d->d_un.d_ptr;
          if (d->d_tag == DT_PLTRELSZ) sizes[0] = d->d_un.d_val;
          if (d->d_tag == DT_RELA) tables[1] = (void *)d->d_un.d_ptr;
          if (d->d_tag == DT_RELASZ) sizes[1] = d->d_un.d_val;
        }
      }
      for (int t = 0; t < 2; t++) {
        for (uint64_t i = 0; i < sizes[t] / sizeof(Elf64_Rela); i++) {
          if (strcmp(strings + symbols[ELF64_R_SYM(tables[t][i].r_info)].st_name, "clock_gettime") != 0) continue;
          uintptr_t slot = info->dlpi_addr + tables[t][i].r_offset;
          mprotect((void *)(slot & ~4095ul), 4096, PROT_READ | PROT_WRITE);
          *(uintptr_t *)slot = (uintptr_t)fake;
        }
      }
      (void)size, (void)context;
      return 1;
    }
    __attribute__((constructor)) static void attack(void) { dl_iterate_phdr(visit, 0); }
    """

  /// Writes a jump over the first bytes of `getppid`.
  static let jump = """
    #define _GNU_SOURCE
    #include <dlfcn.h>
    #include <stdint.h>
    #include <string.h>
    #include <sys/mman.h>
    static int fake(void) { return 7; }
    __attribute__((constructor)) static void attack(void) {
      uint8_t *at = dlsym(RTLD_DEFAULT, "getppid");
      uintptr_t page = (uintptr_t)at & ~4095ul;
      mprotect((void *)page, 8192, PROT_READ | PROT_WRITE | PROT_EXEC);
    #if defined(__aarch64__)
      uint32_t jump[4] = {0x58000050, 0xd61f0200}; void *to = fake; memcpy(jump + 2, &to, 8);
    #else
      uint8_t jump[14] = {0xff, 0x25}; void *to = fake; memcpy(jump + 6, &to, 8);
    #endif
      memcpy(at, jump, sizeof jump);
      mprotect((void *)page, 8192, PROT_READ | PROT_EXEC);
      __builtin___clear_cache((char *)at, (char *)at + 16);
    }
    """

  /// Brings code without a file, code of a file in memory alone, and code that can be written.
  static let memory = """
    #define _GNU_SOURCE
    #include <string.h>
    #include <sys/mman.h>
    #include <unistd.h>
    __attribute__((constructor)) static void attack(void) {
      mmap(0, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
      int file = memfd_create("payload", 0);
      if (ftruncate(file, 4096) == 0) mmap(0, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, file, 0);
    }
    """
}
