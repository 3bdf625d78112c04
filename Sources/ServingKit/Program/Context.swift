package import MPaaSSupport
package import MPaaSTerminal

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// The things that a command may touch: handed in, so that a test hands in something else.
package struct Context: Sendable {
  package var terminal: Terminal
  package var environment: [String: String]
  package var directories: Directories
  package var now: @Sendable () -> Date

  package init(
    terminal: Terminal, environment: [String: String], now: @escaping @Sendable () -> Date = { Date() }
  ) {
    self.terminal = terminal
    self.environment = environment
    self.now = now
    directories = Directories(environment: environment)
  }

  package var catalogue: Catalogue { terminal.catalogue }

  /// Does `work`, and tells with `--verbose` what it was and how long it took.
  package func timed<Value>(_ what: String, _ work: () async throws -> Value) async rethrows -> Value {
    let start = ContinuousClock.now
    let value = try await work()
    let elapsed = ContinuousClock.now - start
    terminal.detail(StyledText("\(what): \(elapsed.formattedMilliseconds)", .faint))
    return value
  }
}

extension Duration {
  package var formattedMilliseconds: String {
    let microseconds = components.seconds * 1_000_000 + components.attoseconds / 1_000_000_000_000
    let tenths = (microseconds + 50) / 100
    return "\(tenths / 10).\(tenths % 10) ms"
  }
}
