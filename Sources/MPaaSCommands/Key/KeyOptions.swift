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
    let scales: [Character: Double] = ["h": 3600, "d": 86_400, "w": 604_800]
    if let unit = text.last, let scale = scales[unit], let count = Int(text.dropLast()), (0...100_000).contains(count) {
      // Records hold whole seconds.
      return Date(timeIntervalSince1970: (now().timeIntervalSince1970 + Double(count) * scale).rounded(.down))
    }
    guard let time = MetadataTime.date(text.utf8.count == 10 ? text + "T00:00:00Z" : text) else {
      throw Diagnostic("key-expiry-malformed", ["value": text], exit: .usage)
    }
    guard time > now() else { throw Diagnostic("key-expiry-past", ["value": text], exit: .usage) }
    return time
  }
}
