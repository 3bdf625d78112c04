package import MPaaSSupport
import MPaaSTerminal

/// Work that serves or proxies, as a command wants it done: all that its call said, read and checked as far as that needs
/// no file.
///
/// Only the second program does it, which has the libraries for that; there its type conforms to `PerformedWork` too. So
/// `mpaas` reads the words of all calls and holds nothing of what serving needs, and the other reads no words.
package protocol ServedWork: Codable, Sendable {
  /// The name of the kind, which both programs know.
  static var name: String { get }
}

extension Context {
  /// Hands work over to the second program, which takes this one's place.
  ///
  /// - Returns: Only where that cannot be done: the reason.
  /// - Throws: `serve-binary-missing`.
  package func handOver(_ work: some ServedWork) throws -> Diagnostic {
    try ServerBinary(environment: environment).become(HandedWork(work, terminal.settings, catalogue.language).json())
  }
}
