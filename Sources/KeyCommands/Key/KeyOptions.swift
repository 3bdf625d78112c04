package import ArgumentParser
package import CommandKit
import MPaaSSupport
import MPaaSTerminal
package import MPaaSTrust
import MPaaSTrustTools

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

extension KeyRole: ExpressibleByArgument {
  package init?(argument: String) { self.init(rawValue: argument) }
  package static var allValueStrings: [String] { known.map(\.rawValue) }
}

extension KeyKind: ExpressibleByArgument {}

extension CompletionKind {
  /// The names of the own keys.
  package static var keyNames: CompletionKind {
    .custom { _, _, _ in
      let folder = Directories(environment: ProcessInfo.processInfo.environment).configuration + "/keys"
      return (try? KeyStore(folder: folder).names()) ?? []
    }
  }
}

/// What a new key may do, and until when.
package struct KeyUseOptions: ParsableArguments {
  @Option(name: .customLong("role"), help: .text("command.key.role", valueName: "role"))
  package var roles: [KeyRole] = []

  @Option(help: .text("command.key.expires", valueName: "time"))
  package var expires: String?

  package init() {}

  /// The time that `--expires` names; nil without it.
  package func expiry(in context: Context) throws -> Date? { try expires.map { try context.expiry($0) } }
}

extension Context {
  /// A time to come as users name it: `365d` or `52w` from now, a day or a time in UTC.
  package func expiry(_ text: String) throws -> Date {
    if let time = Date(text, after: now()) { return time }
    guard let time = Date(utc: text) else {
      throw Diagnostic("key-expiry-malformed", ["value": text], exit: .usage)
    }
    guard time > now() else { throw Diagnostic("key-expiry-past", ["value": text], exit: .usage) }
    return time
  }
}
