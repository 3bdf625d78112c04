package import MPaaSSupport

/// A `GatewayConfig.plist`: for each environment the addresses and ids that an app talks to.
///
/// | key | what stands there |
/// | --- | --- |
/// | `Debug`, `Sit`, `Pre-release`, `Release`, others | a dictionary of strings: an environment |
/// | `Selected` (ours) | the name of the environment that is in use |
package struct GatewayFile: Sendable {
  /// An environment, in the order of the file.
  package struct Environment: Sendable {
    package let name: String
    package let values: [Value]
    package let place: Place

    package subscript(key: String) -> String? { values.last { $0.key == key }?.text }

    /// The first of several spellings of a key that has a value.
    package func first(_ keys: [String]) -> String? { keys.lazy.compactMap { self[$0] }.first { !$0.isEmpty } }
  }

  package struct Value: Sendable {
    package let key: String
    package let text: String
    /// The place of the key, and that of its value.
    package let keyPlace: Place
    package let place: Place
  }

  package let document: PropertyListDocument
  package let environments: [Environment]
  /// The value of `Selected`.
  package let selected: String?
  package let selectedPlace: Place?

  package static let selectedKey = "Selected"
  package static let fileName = "GatewayConfig.plist"

  /// - Throws: Those of `PropertyListDocument`; `gateway-type` for a value of another type, with its place.
  package init(_ bytes: [UInt8], file: String) throws(ConfigError) {
    try self.init(PropertyListDocument(bytes, file: file))
  }

  package init(_ document: PropertyListDocument) throws(ConfigError) {
    guard let members = document.root.members else {
      throw Self.typeError(document.root, "plist", expected: "dict", document)
    }
    var environments: [Environment] = []
    for member in members where member.key != Self.selectedKey {
      guard let values = member.value.members else {
        throw Self.typeError(member.value, member.key, expected: "dict", document)
      }
      environments.append(
        Environment(
          name: member.key,
          values: try values.map { value throws(ConfigError) in
            guard let text = value.value.string else {
              throw Self.typeError(value.value, member.key + "." + value.key, expected: "string", document)
            }
            return Value(
              key: value.key, text: text, keyPlace: document.place(of: value),
              place: document.placeInside(value.value))
          }, place: document.place(of: member)))
    }
    if let value = document.root[Self.selectedKey], value.string == nil {
      throw Self.typeError(value, Self.selectedKey, expected: "string", document)
    }
    self.document = document
    self.environments = environments
    selected = document.root[Self.selectedKey]?.string
    selectedPlace = document.root[Self.selectedKey].map { document.placeInside($0) }
  }

  private static func typeError(
    _ value: PropertyListValue, _ key: String, expected: String, _ document: PropertyListDocument
  ) -> ConfigError {
    ConfigError(
      .gatewayType, ["file": document.file, "key": key, "found": value.element, "expected": expected],
      at: document.place(of: value))
  }
}

extension GatewayFile {
  /// The environment of a name, in letters of any case where none has it exactly.
  ///
  /// - Throws: `gateway-environment-missing`, with the one that was probably meant.
  package func environment(_ name: String) throws(ConfigError) -> Environment {
    if let found = environments.first(where: { $0.name == name }) { return found }
    if let found = environments.first(where: { $0.name.lowercased() == name.lowercased() }) { return found }
    let names = environments.map(\.name)
    var values = ["file": document.file, "name": name, "names": names.joined(separator: ", ")]
    values["suggestion"] = closestMatch(to: name, among: names)
    throw ConfigError(.gatewayEnvironmentMissing, values, at: .file(document.file))
  }

  /// The file with another environment in use; the same where it is already.
  package func selecting(_ name: String) throws(ConfigError) -> GatewayFile {
    let found = try environment(name)
    return try GatewayFile(document.setting(.string(found.name), at: [.key(Self.selectedKey)]))
  }

  /// The file with a value of an environment set.
  ///
  /// - Parameter creates: Whether an environment that is not there is made.
  /// - Throws: `gateway-environment-missing`; those of `GatewayAddress` for a key that holds an address.
  package func setting(
    _ key: String, to text: String, in name: String, creates: Bool = false
  ) throws(ConfigError) -> GatewayFile {
    if GatewayKeys.isAddress(key), !text.isEmpty { _ = try GatewayAddress(text, key: "\(name).\(key)", at: nil) }
    if creates, !environments.contains(where: { $0.name == name }) {
      return try GatewayFile(document.setting(.dictionary([(key, .string(text))]), at: [.key(name)]))
    }
    let found = try environment(name)
    return try GatewayFile(document.setting(.string(text), at: [.key(found.name), .key(key)]))
  }

  /// The file without a value of an environment; the same where it has none.
  package func removing(_ key: String, in name: String) throws(ConfigError) -> GatewayFile {
    let found = try environment(name)
    guard found[key] != nil else { return self }
    return try GatewayFile(document.removing(at: [.key(found.name), .key(key)]))
  }
}

/// The keys that the kits document, in the spelling of either generation.
package enum GatewayKeys {
  package static let rpc = ["mPaasRpcGateway", "MPaaSRpcGateway"]
  package static let log = ["mPaasLogServerGateway", "MPaaSLogGateway"]
  static let addresses = rpc + log + ["mPaasRpcETagURL", "mPaasPushServerGateway"]
  static let known =
    addresses + ["mPaasLogProductId", "MPaaSLogProductId", "MPaaSRpcProductId", "mPaasPushAppId"]

  /// Tells whether a key holds an address: one of the documented ones, or one that is named for it.
  static func isAddress(_ key: String) -> Bool {
    addresses.contains(key) || ["Gateway", "URL", "Url"].contains { key.hasSuffix($0) }
  }
}

extension ConfigError.Code {
  package static var gatewayType: Self { malformed("gateway-type") }
  /// No environment has the name.
  package static var gatewayEnvironmentMissing: Self {
    ConfigError.Code("gateway-environment-missing", exit: .inputMissing)
  }
}
