import MPaaSTerminal
import ServingKit

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension Context {
  /// The context of this process.
  static func live(_ wishes: OutputWishes) -> Context {
    let environment = ProcessInfo.processInfo.environment
    let terminal = Terminal(
      catalogue: .current, settings: wishes.settings(environment: environment), environment: environment)
    return Context(terminal: terminal, environment: environment)
  }
}
