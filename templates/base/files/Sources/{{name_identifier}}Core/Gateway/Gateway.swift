import Foundation

/// The servers that the app talks to in one environment: an entry of `GatewayConfig.plist`.
public struct Gateway: Sendable, Hashable, Codable {
  public var appID: String
  public var workspaceID: String
  /// Where calls go.
  public var address: String
  /// Where logs go.
  public var logAddress: String
  public var syncServer: String
  public var syncPort: Int

  enum CodingKeys: String, CodingKey {
    case appID = "appId"
    case workspaceID = "workspaceId"
    case address = "rpcGW"
    case logAddress = "logGW"
    case syncServer = "syncserver"
    case syncPort = "syncport"
  }
}

/// The worlds that the app may talk to.
public enum GatewayEnvironment: String, Sendable, Hashable, CaseIterable {
  case debug = "Debug"
  case preRelease = "Pre-release"
  case release = "Release"

  /// The first of the names that is one: what the user chose, what the build says.
  ///
  /// - Returns: `release` where none is, so that a wrong setting never leads users to a test server.
  public static func chosen(from names: String?...) -> GatewayEnvironment {
    names.lazy.compactMap { $0.flatMap(GatewayEnvironment.init) }.first ?? .release
  }
}

extension Gateway {
  /// Reads the entry of an environment.
  public static func load(_ environment: GatewayEnvironment) throws -> Gateway {
    let all = try AppResource.gatewayConfig.decode([String: Gateway].self)
    guard let gateway = all[environment.rawValue] else {
      throw AppResourceError.entryMissing(file: AppResource.gatewayConfig.file, entry: environment.rawValue)
    }
    return gateway
  }
}
