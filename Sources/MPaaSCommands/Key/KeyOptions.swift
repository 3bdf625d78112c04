import ArgumentParser
import MPaaSSupport
import MPaaSTerminal
import MPaaSTrust

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

extension CompletionKind {
  /// The names of the own keys.
  static var keyNames: CompletionKind {
    .custom { _, _, _ in
      let folder = Directories(environment: ProcessInfo.processInfo.environment).configuration + "/keys"
      return (try? KeyStore(folder: folder).names()) ?? []
    }
  }
}

/// What a new key may do, and until when.
struct KeyUseOptions: ParsableArguments {
  @Option(name: .customLong("role"), help: .text("command.key.role", valueName: "role"))
  var roles: [KeyRole] = []

  @Option(help: .text("command.key.expires", valueName: "time"))
  var expires: String?

  /// The time that `--expires` names; nil without it.
  func expiry(in context: Context) throws -> Date? { try expires.map { try context.expiry($0) } }
}

extension Context {
  /// A time to come as users name it: `365d` or `52w` from now, a day or a time in UTC.
  func expiry(_ text: String) throws -> Date {
    if let time = Date(text, after: now()) { return time }
    guard let time = Date(utc: text) else {
      throw Diagnostic("key-expiry-malformed", ["value": text], exit: .usage)
    }
    guard time > now() else { throw Diagnostic("key-expiry-past", ["value": text], exit: .usage) }
    return time
  }
}
