import MPaaSSupport
import MPaaSVerification

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The bodies of what the client tells the server.
///
/// - Source: Unleash's client API, `POST /client/register` and `POST /client/metrics`.
struct FlagReport: Sendable {
  /// The version of Unleash's client specification that flags are evaluated by.
  static let specification = "6.1.0"
  /// The name of this library and its version, as servers list clients.
  static let sdk = "mpaaskit:0.2.0"
  /// The strategies that are evaluated.
  static let strategies = [
    "default", "userWithId", "gradualRolloutUserId", "gradualRolloutSessionId", "gradualRolloutRandom",
    "applicationHostname", "remoteAddress", "flexibleRollout",
  ]

  let appName: String
  let instanceID: String
  let connectionID: String
  let environment: String

  private var members: JSONValue.Object {
    [
      "appName": .string(appName), "instanceId": .string(instanceID), "connectionId": .string(connectionID),
      "environment": .string(environment), "sdkVersion": .string(Self.sdk), "platformName": "swift",
      "platformVersion": .string(Self.system), "specVersion": .string(Self.specification),
    ]
  }

  private static var system: String {
    #if os(iOS)
      "ios"
    #elseif os(macOS)
      "macos"
    #elseif os(Android)
      "android"
    #else
      "linux"
    #endif
  }

  func registration(started: Double, interval: Int) -> [UInt8] {
    var members = members
    members["strategies"] = .array(Self.strategies.map { .string($0) })
    members["started"] = .string(Self.time(started))
    members["interval"] = .init(interval)
    return Array(JSONValue.object(members).line.utf8)
  }

  func metrics(_ bucket: FlagBucket?, _ impact: [String: ImpactMetric]?) -> [UInt8] {
    var members = members
    members["bucket"] = bucket.map(Self.value) ?? .null
    if let impact { members["impactMetrics"] = .array(impact.map { $0.value.value($0.key) }) }
    return Array(JSONValue.object(members).line.utf8)
  }

  private static func value(_ bucket: FlagBucket) -> JSONValue {
    let flags = bucket.counts.mapValues { count -> JSONValue in
      [
        "yes": .init(count.yes), "no": .init(count.no), "variants": .object(count.variants.mapValues { .init($0) }),
      ]
    }
    return ["start": .string(time(bucket.start)), "stop": .string(time(bucket.stop)), "toggles": .object(flags)]
  }

  private static func time(_ seconds: Double) -> String { MetadataTime.text(Date(timeIntervalSince1970: seconds)) }
}
