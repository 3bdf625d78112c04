import CPerfEvents
package import MPaaSCrash
import MPaaSSupport

/// Starts a program several times, with its files in memory and without, and says where the time goes.
package struct StartupMeasurement: Sendable {
  private let command: [String]
  private let count: Int
  private let endsAtOutput: Bool

  /// - Parameters:
  ///   - count: How many starts of each kind.
  ///   - endsAtOutput: Whether the program is asked to end (SIGTERM) at its first output.
  package init(_ command: [String], count: Int, endsAtOutput: Bool) {
    self.command = command
    self.count = count
    self.endsAtOutput = endsAtOutput
  }

  package struct Result: Sendable {
    package let command: [String]
    package let warm: [StartupTimes]
    package let cold: [StartupTimes]
    /// The files that could be taken out of memory before the cold starts.
    package let dropped: DroppedFiles
    /// The exit status of the last start, or 128 + its signal.
    package let status: Int32
  }

  /// - Parameter progress: Called after each start.
  /// - Throws: `CaptureError`: not there, not permitted.
  package func run(progress: @escaping () -> Void = {}) throws(CaptureError) -> Result {
    // The first start only says which files there are.
    let first = try once()
    progress()
    var warm: [StartupTimes] = []
    var cold: [StartupTimes] = []
    var dropped = DroppedFiles()
    var status = first.status
    for _ in 0..<count {
      let outcome = try once()
      warm.append(outcome.times)
      status = outcome.status
      progress()
    }
    for _ in 0..<count {
      dropped = DroppedFiles.drop(first.files)
      cold.append(try once().times)
      progress()
    }
    return Result(command: command, warm: warm, cold: cold, dropped: dropped, status: status)
  }

  private func once() throws(CaptureError) -> StartupRun.Outcome {
    try AttachedLook.onThread { () throws(CaptureError) in
      var run = StartupRun(command, endsAtOutput: endsAtOutput)
      return try run.run()
    }
  }
}

/// The part of files that was in memory, and what of it is there still after the wish to drop it.
package struct DroppedFiles: Sendable, Equatable {
  package private(set) var files = 0
  /// Bytes.
  package private(set) var before: UInt64 = 0
  package private(set) var after: UInt64 = 0
  /// Files of which a part stays, as other programs use them, most first.
  package private(set) var kept: [String] = []

  /// Asks the kernel to take files out of memory.
  static func drop(_ paths: Set<String>) -> DroppedFiles {
    var dropped = DroppedFiles()
    var kept: [(path: String, bytes: UInt64)] = []
    for path in paths.sorted() {
      var before: UInt64 = 0
      var after: UInt64 = 0
      guard mp_drop_file(path, &before, &after) == 0 else { continue }
      dropped.files += 1
      dropped.before &+= before
      dropped.after &+= after
      if after > 0 { kept.append((path, after)) }
    }
    dropped.kept = kept.sorted { ($1.bytes, $0.path) < ($0.bytes, $1.path) }.map(\.path)
    return dropped
  }
}
