#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The contents of `GatewayConfig.plist`: for each environment the addresses and ids that the app talks to.
///
/// The file is a dictionary of sections (`Debug`, `Sit`, `Pre-release`, `Release`; others are kept), each a dictionary
/// of strings. Keys are those that mPaaS documents, in the spelling of either generation (`mPaasRpcGateway`,
/// `MPaaSRpcGateway`); others are kept under their names.
public struct GatewayConfiguration: Sendable, Hashable {
  /// By the sections' names.
  public let sections: [String: GatewaySettings]
  /// The section that `mpaas gateway env use` chose, under the key `Selected`; nil where no choice was made.
  public let selected: String?
  /// The file's name in errors.
  public let file: String

  /// Reads an XML or binary property list.
  ///
  /// - Throws: `gateway-unreadable` for what is no property list, `gateway-malformed` for a value of another type and
  ///   `gateway-address-malformed` for an address that is none; they name the file and the key.
  public init(_ bytes: [UInt8], file: String = "GatewayConfig.plist") throws(FrameworkError) {
    let root: GatewayRoot
    do {
      root = try PropertyListDecoder().decode(GatewayRoot.self, from: Data(bytes))
    } catch {
      throw Self.error(error, file)
    }
    var settings: [String: GatewaySettings] = [:]
    for (name, section) in root.sections.sorted(by: { $0.key < $1.key }) {
      for key in section.values.keys.sorted() where GatewaySettings.addresses.contains(key) {
        guard let value = section.values[key], !value.isEmpty, !Self.isAddress(value) else { continue }
        throw FrameworkError(
          .gatewayAddressMalformed, .parameter("\(name).\(key)"), values: ["file": file, "value": value])
      }
      settings[name] = GatewaySettings(values: section.values)
    }
    self.sections = settings
    selected = root.selected
    self.file = file
  }

  /// The servers that an environment talks to.
  ///
  /// - Throws: `gateway-section-missing`.
  public func settings(for environment: AppEnvironment) throws(FrameworkError) -> GatewaySettings {
    for section in environment.sections {
      if let settings = sections[section] { return settings }
    }
    throw missing(environment.sections[0])
  }

  /// The servers of a section, or of the environment that has this name.
  ///
  /// - Throws: `gateway-section-missing`.
  public func settings(named name: String) throws(FrameworkError) -> GatewaySettings {
    if let settings = sections[name] { return settings }
    guard let environment = AppEnvironment(named: name) else { throw missing(name) }
    return try settings(for: environment)
  }

  private func missing(_ section: String) -> FrameworkError {
    FrameworkError(
      .gatewaySectionMissing, .parameter(section),
      values: ["file": file, "sections": sections.keys.sorted().joined(separator: ", ")])
  }

  /// The servers of the section that was chosen; nil where none was, or there is no such section.
  public var selectedSettings: GatewaySettings? { selected.flatMap { sections[$0] } }

  private static func error(_ error: any Error, _ file: String) -> FrameworkError {
    guard let error = error as? DecodingError else {
      return FrameworkError(.gatewayUnreadable, .parameter(file), underlying: error)
    }
    switch error {
    case .typeMismatch(_, let context), .valueNotFound(_, let context), .keyNotFound(_, let context):
      let path = context.codingPath.map(\.stringValue)
      let expected = path.count < 2 && path != [GatewayRoot.selectedKey] ? "a dictionary" : "a string"
      return FrameworkError(
        .gatewayMalformed, .parameter(path.isEmpty ? "plist" : path.joined(separator: ".")),
        values: ["file": file, "expected": expected], underlying: error)
    case .dataCorrupted(let context):
      return FrameworkError(
        .gatewayUnreadable, .parameter(file), underlying: context.underlyingError ?? error)
    @unknown default:
      return FrameworkError(.gatewayUnreadable, .parameter(file), underlying: error)
    }
  }

  static func isAddress(_ text: String) -> Bool {
    guard let url = URL(string: text), let scheme = url.scheme?.lowercased() else { return false }
    return (scheme == "http" || scheme == "https") && url.host?.isEmpty == false
  }
}

/// The servers that an app talks to in one environment.
public struct GatewaySettings: Sendable, Hashable {
  /// All strings of the section, by their keys.
  public let values: [String: String]

  static let addresses: Set<String> = [
    "mPaasRpcGateway", "MPaaSRpcGateway", "mPaasRpcETagURL", "mPaasLogServerGateway", "MPaaSLogGateway",
    "mPaasPushServerGateway",
  ]

  /// The address that calls go to.
  public var rpcGateway: String? { first("mPaasRpcGateway", "MPaaSRpcGateway") }
  /// The address in `mPaasRpcETagURL`; nil where the key is missing or empty.
  public var rpcETagURL: String? { first("mPaasRpcETagURL") }
  /// The product's ID for calls, in `MPaaSRpcProductId`; nil where the key is missing or empty.
  public var rpcProductID: String? { first("MPaaSRpcProductId") }
  /// The address that logs and reports go to.
  public var logGateway: String? { first("mPaasLogServerGateway", "MPaaSLogGateway") }
  /// The product's ID for logs, in `mPaasLogProductId` or `MPaaSLogProductId`; nil where both are missing or empty.
  public var logProductID: String? { first("mPaasLogProductId", "MPaaSLogProductId") }
  /// The address of the server that sends notifications.
  public var pushServer: String? { first("mPaasPushServerGateway") }
  /// The app's ID for remote notifications, in `mPaasPushAppId`; nil where the key is missing or empty.
  public var pushAppID: String? { first("mPaasPushAppId") }

  private func first(_ keys: String...) -> String? {
    keys.lazy.compactMap { values[$0] }.first { !$0.isEmpty }
  }
}

/// The dictionary of sections, with the name of the one that is in use.
private struct GatewayRoot: Decodable {
  let sections: [String: GatewaySection]
  let selected: String?

  static let selectedKey = "Selected"

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: GatewaySection.Key.self)
    var sections: [String: GatewaySection] = [:]
    var selected: String?
    for key in container.allKeys.sorted(by: { $0.stringValue < $1.stringValue }) {
      if key.stringValue == Self.selectedKey {
        selected = try container.decode(String.self, forKey: key)
      } else {
        sections[key.stringValue] = try container.decode(GatewaySection.self, forKey: key)
      }
    }
    (self.sections, self.selected) = (sections, selected)
  }
}

/// A dictionary of strings, whatever its keys are called.
private struct GatewaySection: Decodable {
  let values: [String: String]

  struct Key: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    var values: [String: String] = [:]
    for key in container.allKeys.sorted(by: { $0.stringValue < $1.stringValue }) {
      values[key.stringValue] = try container.decode(String.self, forKey: key)
    }
    self.values = values
  }
}
