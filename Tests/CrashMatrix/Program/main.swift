import CCrashHandler
import CrashReporter

#if OPTIMIZED
  import FaultsOptimized
#else
  import Faults
#endif

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

// CrashMatrix CASE [--report-to DIRECTORY] [--own-handlers] [--service] [--fault SECTION] [--hang SECTION] [--threads N] [--fill FILE]
var arguments = Array(CommandLine.arguments.dropFirst())

@MainActor func option(_ name: String) -> String? {
  guard let index = arguments.firstIndex(of: name), index + 1 < arguments.count else { return nil }
  defer { arguments.removeSubrange(index...index + 1) }
  return arguments[index + 1]
}

// Some parents start their children with signals blocked.
var none = sigset_t()
sigemptyset(&none)
sigprocmask(SIG_SETMASK, &none, nil)

let threads = option("--threads").flatMap { Int32($0) }
let fault = option("--fault").flatMap { UInt32($0) }
let hang = option("--hang").flatMap { UInt32($0) }
let directory = option("--report-to")
let filler = option("--fill")
if let index = arguments.firstIndex(of: "--own-handlers") {
  arguments.remove(at: index)
  fault_install_own_handlers()
}

// One thread is there before the reporter is installed, one comes after it.
fault_start_idle_threads(1)
if arguments.contains("--service") {
  arguments.removeAll { $0 == "--service" }
  guard enable_crash_reporter_service() == 0 else { exit(73) }
} else if let directory, fault != nil || hang != nil {
  let status = directory.withCString { path in
    var configuration = mp_crash_configuration()
    configuration.directory = path
    configuration.fault_in_section = fault ?? 0
    configuration.hang_in_section = hang ?? 0
    configuration.time_limit_ms = 300
    return mp_crash_install(&configuration).status
  }
  guard status == MP_CRASH_INSTALLED else { exit(73) }
} else if let directory {
  do {
    try CrashReporter.install(
      .init(directory: directory, applicationName: "Crash Matrix", version: "1.0", build: "7", appKey: "matrix"))
  } catch {
    print(error)
    exit(73)
  }
  CrashReporter.setUser(id: "ada")
  for number in 1...130 { CrashReporter.leaveBreadcrumb("step \(number)") }
}

/// Writes until the disk is full.
func fill(_ path: String) {
  let file = open(path, O_WRONLY | O_CREAT, 0o600)
  let block = [UInt8](repeating: 1, count: 4096)
  while write(file, block, block.count) > 0 {}
  close(file)
}

let cases: [String: () -> Void] = [
  "swift-fatal-error": SwiftFaults.fatal,
  "precondition": SwiftFaults.failPrecondition,
  "array-index": { _ = SwiftFaults.indexArray() },
  "force-unwrap": { _ = SwiftFaults.unwrap() },
  "integer-overflow": { _ = SwiftFaults.overflow() },
  "failed-cast": { _ = SwiftFaults.cast() },
  "cxx-exception": fault_cxx_exception,
  "abort": fault_abort,
  "null-read": fault_null_read,
  "null-write": fault_null_write,
  "wild-jump": fault_wild_jump,
  "stack-overflow": fault_stack_overflow,
  "stack-overflow-thread": fault_stack_overflow_thread,
  "stack-smash": fault_stack_smash,
  "division-by-zero": fault_division_by_zero,
  "bus-error": fault_bus_error,
  "illegal-instruction": fault_illegal_instruction,
  "raise-from-thread": fault_raise_from_thread,
  "crash-in-handler": fault_in_handler,
  "malloc-lock": fault_with_malloc_lock,
  "loader-lock": fault_with_loader_lock,
  "async-task": {
    Task.detached { print(await AsyncFault.outer(7)) }
    while true { sleep(1) }
  },
  "many-threads": {
    fault_start_idle_threads(198)
    fault_null_write()
  },
  "double-crash": fault_twice,
  "corrupted-stack": fault_corrupted_stack,
  "assert": fault_assert,
  "fork": fault_in_child,
  "deaf-thread": fault_with_deaf_thread,
  "none": {},
]

guard let name = arguments.first, let crash = cases[name] else {
  print("usage: CrashMatrix CASE [--report-to DIRECTORY]\n" + cases.keys.sorted().joined(separator: " "))
  exit(64)
}
fault_start_idle_threads(threads ?? 1)
if let filler { fill(filler) }
crash()
