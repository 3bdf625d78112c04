public import Foundation

/// A program that a test runs as a user would.
public struct Command {
  /// The end of a program, and the text that it wrote.
  public struct Outcome: Sendable {
    /// The exit status, or 128 + the signal that ended it.
    public let status: Int32
    /// The signal that ended it, 0 where it exited.
    public let signal: Int32
    /// The text of standard output.
    public let output: String
    /// The text of standard error.
    public let errors: String
  }

  /// The folder of the executables that this test run was built with.
  public static let products: URL = {
    // Tests run from the xctest bundle, which lies beside the executables.
    var folder = Bundle.main.bundleURL
    for argument in CommandLine.arguments where argument.hasSuffix(".xctest") {
      folder = URL(filePath: argument).deletingLastPathComponent()
    }
    return folder
  }()

  /// The command, and the program that serves: those of the folder `MPAAS_PROGRAMS`, such as a release build's, which
  /// start and work faster; else those that this test run was built with.
  public static let mpaas = programs.appending(path: "mpaas"), server = programs.appending(path: "mpaas-server")

  private static let programs =
    ProcessInfo.processInfo.environment["MPAAS_PROGRAMS"].map { URL(filePath: $0) } ?? products

  /// The path of the executable of ours with this name, nil where none has it.
  static func own(_ name: String) -> String? {
    [programs, products].map { $0.appending(path: name).path }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
  }

  /// The full path of a program on `PATH`.
  public static func find(_ name: String) -> String? {
    (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
      .map { "\($0)/\(name)" }.first { FileManager.default.isExecutableFile(atPath: $0) }
  }

  /// Runs a program to its end with pipes for all three streams.
  ///
  /// - Parameter program: A path, a name on `PATH`, or the name of one of our own executables.
  public static func run(
    _ program: String, _ arguments: [String] = [], input: String? = nil, environment: [String: String] = [:],
    directory: URL? = nil
  ) throws -> Outcome {
    let process = Process()
    let path = program.contains("/") ? program : own(program) ?? find(program) ?? program
    process.executableURL = URL(filePath: path)
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    process.currentDirectoryURL = directory
    // Files rather than pipes: no reader thread, no deadlock on large output.
    let folder = try TemporaryFolder()
    let outputFile = folder.url.appending(path: "out"), errorFile = folder.url.appending(path: "err")
    let inputFile = folder.url.appending(path: "in")
    for file in [outputFile, errorFile] { try Data().write(to: file) }
    try Data((input ?? "").utf8).write(to: inputFile)
    process.standardInput = try FileHandle(forReadingFrom: inputFile)
    process.standardOutput = try FileHandle(forWritingTo: outputFile)
    process.standardError = try FileHandle(forWritingTo: errorFile)
    try withNoSignalsBlocked { try process.run() }
    process.waitUntilExit()
    let signalled = process.terminationReason == .uncaughtSignal
    return Outcome(
      status: signalled ? 128 + process.terminationStatus : process.terminationStatus,
      signal: signalled ? process.terminationStatus : 0,
      output: String(decoding: try Data(contentsOf: outputFile), as: UTF8.self),
      errors: String(decoding: try Data(contentsOf: errorFile), as: UTF8.self))
  }
}

/// Tests run in libdispatch's threads, which block nearly all signals; children would inherit that, and gdb hangs of
/// it.
public func withNoSignalsBlocked<Result>(_ body: () throws -> Result) rethrows -> Result {
  var none = sigset_t()
  var before = sigset_t()
  sigemptyset(&none)
  pthread_sigmask(SIG_SETMASK, &none, &before)
  defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
  return try body()
}

/// A folder that goes away with its owner.
public final class TemporaryFolder: Sendable {
  /// The folder as a URL.
  public let url: URL

  /// Makes an empty folder in the system's folder for temporary files.
  public init() throws {
    url = FileManager.default.temporaryDirectory.appending(path: "mpaas-test-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  /// The path of the folder.
  public var path: String { url.path }

  deinit {
    try? FileManager.default.removeItem(at: url)
  }
}
