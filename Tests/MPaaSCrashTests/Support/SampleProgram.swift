import Foundation
import MPaaSTestSupport
import Synchronization
import Testing

/// A small program that a test makes for itself, built once in a test run.
struct SampleProgram {
  let path: String

  private static let folder = try? TemporaryFolder()
  private static let built = Mutex<[String: SampleProgram]>([:])

  /// Builds source text with a compiler of this machine.
  ///
  /// - Parameter name: Ends in `.c`, `.cpp` or `.swift`.
  static func build(_ name: String, _ source: String, _ flags: [String] = ["-O1", "-g"]) throws -> SampleProgram {
    let key = ([name] + flags).joined(separator: " ")
    return try built.withLock { built in
      if let known = built[key] { return known }
      let folder = try #require(folder).url.appending(path: "\(built.count)")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      let file = folder.appending(path: name)
      try Data(source.utf8).write(to: file)
      let program = folder.appending(path: String(name.split(separator: ".")[0])).path
      let compiler = name.hasSuffix(".swift") ? "swiftc" : name.hasSuffix(".cpp") ? "g++" : "gcc"
      let libraries = name.hasSuffix(".swift") ? [] : ["-fstack-protector-strong", "-w", "-pthread", "-lm"]
      let outcome = try Command.run(compiler, flags + [file.path, "-o", program] + libraries)
      try #require(outcome.status == 0, "\(name) does not build: \(outcome.errors)")
      let result = SampleProgram(path: program)
      built[key] = result
      return result
    }
  }

  /// The crash cases in C; the first argument chooses one.
  static func crashes(_ flags: [String] = ["-O1", "-g"]) throws -> SampleProgram {
    try build("crashes.c", crashSource, flags)
  }
}
