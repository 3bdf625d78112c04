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

  /// The time that `--expires` names: `365d` or `52w` from now, a day or a time in UTC.
  func expiry(in context: Context) throws -> Date? {
    guard let expires else { return nil }
    let scales: [Character: Double] = ["h": 3600, "d": 86_400, "w": 604_800]
    if let unit = expires.last, let scale = scales[unit], let count = Int(expires.dropLast()),
      (0...100_000).contains(count)
    {
      return context.now().addingTimeInterval(Double(count) * scale)
    }
    let whole = expires.utf8.count == 10 ? expires + "T00:00:00Z" : expires
    guard let time = MetadataTime.date(whole) else {
      throw Diagnostic("key-expiry-malformed", ["value": expires], exit: .usage)
    }
    return time
  }
}
