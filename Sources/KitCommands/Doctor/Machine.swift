import MPaaSSupport
import MPaaSToolSupport

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The facts that the examination reads of the machine.
struct Machine: Sendable {
  let processes: ProcessRunner

  /// The first line that a program prints; nil where it cannot be run.
  func firstLine(_ program: String, _ arguments: String...) -> String? {
    guard let outcome = try? processes.run(.init(program, arguments, capturesOutput: true)), outcome.status == 0 else {
      return nil
    }
    return outcome.output.split(separator: "\n").first.map(String.init)
  }

  /// Tells whether a program is on `PATH`.
  func has(_ program: String) -> Bool { ProgramPath.current.has(program) }

  /// A small file's text without the line feed at its end.
  func text(_ path: String) -> String? {
    guard let bytes = try? Bytes.reading(path, limit: 4096) else { return nil }
    return String(decoding: bytes.array.reversed().drop { $0 == 10 || $0 == 0 }.reversed(), as: UTF8.self)
  }

  /// The soft limit of a core file in bytes; nil for unlimited.
  var coreLimit: UInt64? {
    var limit = rlimit()
    #if canImport(Glibc)
      getrlimit(__rlimit_resource_t(4), &limit)
    #else
      getrlimit(RLIMIT_CORE, &limit)
    #endif
    return limit.rlim_cur == rlim_t.max || limit.rlim_cur == rlim_t.max >> 1 ? nil : UInt64(limit.rlim_cur)
  }

  /// The reason why a folder is unfit for keys.
  func folderProblem(_ folder: String) -> Diagnostic? {
    do throws(FolderError) { try OwnFolder.check(folder) } catch { return error.diagnostic }
    return nil
  }

  /// Tries to make and remove a file in a directory, which is made where it is missing.
  func writeProblem(in directory: String) -> Diagnostic? {
    do throws(FileError) {
      try Directories.create(directory)
      let path = directory + "/.doctor"
      try Bytes([0x0a]).write(to: path)
      unlink(path)
      return nil
    } catch {
      return error.diagnostic
    }
  }

  /// Free bytes on the disk that holds a directory.
  func freeSpace(_ directory: String) -> UInt64? {
    var status = statvfs()
    guard statvfs(directory, &status) == 0 else { return nil }
    return UInt64(status.f_bavail).multipliedReportingOverflow(by: UInt64(status.f_frsize)).partialValue
  }
}
