package import ArgumentParser
import CommandKit
import MPaaSSupport
import MPaaSTerminal
package import MPaaSTrust
import MPaaSTrustTools

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension KeyRole: ExpressibleByArgument {
  package init?(argument: String) { self.init(rawValue: argument) }
  package static var allValueStrings: [String] { known.map(\.rawValue) }
}

extension KeyKind: ExpressibleByArgument {}

/// The permitted uses of a new key, and their end.
package struct KeyUseOptions: ParsableArguments {
  @Option(name: .customLong("role"), help: .text("command.key.role", valueName: "role"))
  package var roles: [KeyRole] = []

  @Option(help: .text("command.key.expires", valueName: "time"))
  package var expires: String?

  package init() {}

  /// The use of a key that the options name.
  func keyUse(in context: Context) -> KeyUse { context.keyUse(roles, expires: expires) }
}

extension Context {
  /// The use of a key until the time that `--expires` names.
  func keyUse(_ roles: [KeyRole] = [], expires: String?) -> KeyUse {
    let now = now
    return KeyUse(roles: roles) { try expires.map { try Date(expiry: $0, now: now()) } }
  }
}
