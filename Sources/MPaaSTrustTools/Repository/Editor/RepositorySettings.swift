import MPaaSSupport
package import MPaaSTrust

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The decisions of the makers of a repository; kept in `registry.json` beside what is published, with nothing secret.
package struct RepositorySettings: Sendable, Equatable {
  /// Days that new metadata of a role is valid.
  package var days: [String: Int] = [:]
  /// Names of the keys that commands use without being told: those of the online roles.
  package var onlineKeys: [String] = []
  /// Roles that `refresh` renews besides snapshot and timestamp.
  package var onlineRoles: [String] = []

  package init() {}

  /// A year for root, a quarter for targets and those that it delegates to, a week for online roles, a day for
  /// timestamp.
  package func days(of role: String) -> Int {
    if let days = days[role] { return days }
    switch role {
    case "root": return 365
    case "timestamp": return 1
    case "snapshot", RepositoryEditor.director: return 7
    default: return onlineRoles.contains(role) ? 7 : 90
    }
  }

  /// The expiry of metadata of `role` that is made at `now`; whole seconds.
  func expiry(of role: String, from now: Date) -> Date {
    Date(timeIntervalSince1970: (now.timeIntervalSince1970 + Double(days(of: role)) * 86_400).rounded(.down))
  }

  init(reading bytes: Bytes, path: String) throws(TrustError) {
    guard let object = (try? JSONValue(reading: bytes.buffer))?.object else {
      throw TrustError(.repositorySettings, ["path": path])
    }
    for (role, value) in object["expires_days"]?.object ?? [:] {
      guard let count = value.integer(Int.self), (1...36_500).contains(count) else {
        throw TrustError(.repositorySettings, ["path": path])
      }
      days[role] = count
    }
    onlineKeys = object["online_keys"]?.array?.compactMap(\.string) ?? []
    onlineRoles = object["online_roles"]?.array?.compactMap(\.string) ?? []
  }

  var encoded: [UInt8] {
    let value: JSONValue = [
      "expires_days": .object(days.mapValues { JSONValue($0) }),
      "online_keys": .array(onlineKeys.map { .string($0) }), "online_roles": .array(onlineRoles.map { .string($0) }),
    ]
    return Array((value.line + "\n").utf8)
  }
}

extension TrustError.Code {
  package static let repositorySettings = TrustError.Code("repository-settings", exit: .badConfiguration)
}
