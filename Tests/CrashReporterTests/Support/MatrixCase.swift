import Foundation
import MPaaSTestSupport

/// A way to crash: a case of the program CrashMatrix.
struct MatrixCase: Sendable, CustomStringConvertible {
  let name: String
  let signal: Int32
  /// Threads at the crash, the crashed one included; nil where the runtime decides.
  var threads: Int? = 3
  /// The words that some last word must contain, as built and optimised.
  var says: String?
  /// Tells whether Swift's runtime says it in optimised programs too.
  var saysOptimised = true

  var description: String { name }

  static let all: [MatrixCase] = [
    .init(name: "swift-fatal-error", signal: trap, says: "Fatal error: the order book is closed"),
    .init(name: "precondition", signal: trap, says: "an order needs a size", saysOptimised: false),
    .init(name: "array-index", signal: trap, says: "Index out of range", saysOptimised: false),
    .init(name: "force-unwrap", signal: trap, says: "found nil", saysOptimised: false),
    .init(name: "integer-overflow", signal: trap),
    .init(name: "failed-cast", signal: SIGABRT, says: "Could not cast value"),
    .init(name: "cxx-exception", signal: SIGABRT, says: "std::runtime_error: the exchange is closed"),
    .init(name: "abort", signal: SIGABRT),
    .init(name: "assert", signal: SIGABRT, says: "orders == 4"),
    .init(name: "null-read", signal: SIGSEGV),
    .init(name: "null-write", signal: SIGSEGV),
    .init(name: "wild-jump", signal: SIGSEGV),
    .init(name: "stack-overflow", signal: SIGSEGV),
    .init(name: "stack-overflow-thread", signal: SIGSEGV, threads: 4),
    .init(name: "stack-smash", signal: SIGABRT, says: "stack smashing detected"),
    .init(name: "division-by-zero", signal: SIGFPE),
    .init(name: "bus-error", signal: SIGBUS),
    .init(name: "illegal-instruction", signal: SIGILL),
    .init(name: "raise-from-thread", signal: SIGSEGV, threads: 4),
    .init(name: "crash-in-handler", signal: SIGSEGV),
    .init(name: "malloc-lock", signal: SIGSEGV, threads: 5),
    .init(name: "loader-lock", signal: SIGSEGV, threads: 4),
    .init(name: "async-task", signal: trap, threads: nil, says: "Index out of range", saysOptimised: false),
    .init(name: "many-threads", signal: SIGSEGV, threads: 201),
    .init(name: "double-crash", signal: SIGSEGV, threads: 4),
    .init(name: "corrupted-stack", signal: SIGSEGV),
  ]

  /// The signal that Swift's checks raise.
  #if arch(x86_64)
    static let trap = SIGILL
  #else
    static let trap = SIGTRAP
  #endif

  /// `many-threads` crashes in the function of `null-write`.
  private var marker: String { "// crash: " + (name == "many-threads" ? "null-write" : name) }

  /// The file's name and the numbers of the lines that are marked with the case.
  func markedPlace() throws -> (file: String, lines: Set<Int>) {
    let folder = Fixture.package.appending(path: "Tests/CrashMatrix")
    for path in try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted() {
      guard let text = try? String(contentsOf: folder.appending(path: path), encoding: .utf8) else { continue }
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
        .filter { $0.element.hasSuffix(marker) }.map { $0.offset + 1 }
      if !lines.isEmpty { return (URL(filePath: path).lastPathComponent, Set(lines)) }
    }
    throw CocoaError(.fileNoSuchFile)
  }
}

/// The two ways that the program is built.
enum MatrixBuild: String, CaseIterable, Sendable {
  case asBuilt = "CrashMatrix"
  case optimised = "CrashMatrixOptimized"
}
