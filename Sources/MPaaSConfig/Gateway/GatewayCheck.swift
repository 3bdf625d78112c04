package import MPaaSSupport

/// Finds what is wrong with the addresses and environments of a gateway file, without asking anybody.
package struct GatewayCheck {
  private let file: GatewayFile
  private var findings: [ConfigFinding] = []

  /// An address that can be asked whether somebody is there.
  package struct Target: Sendable {
    package let url: String
    /// The environments and keys that name it.
    package let keys: [String]
    package let place: Place
  }

  private init(_ file: GatewayFile) {
    self.file = file
  }

  package static func findings(in file: GatewayFile) -> [ConfigFinding] {
    var check = GatewayCheck(file)
    check.run()
    return check.findings.inOrderOfPlaces
  }

  /// The addresses that are well-formed, each once.
  package static func targets(in file: GatewayFile, environment: String? = nil) -> [Target] {
    var targets: [Target] = []
    for section in file.environments where environment == nil || section.name == environment {
      for value in section.values where GatewayKeys.isAddress(value.key) && !value.text.isEmpty {
        let key = "\(section.name).\(value.key)"
        guard (try? GatewayAddress(value.text, key: key, at: nil)) != nil else { continue }
        if let index = targets.firstIndex(where: { $0.url == value.text }) {
          targets[index] = Target(url: value.text, keys: targets[index].keys + [key], place: targets[index].place)
        } else {
          targets.append(Target(url: value.text, keys: [key], place: value.place))
        }
      }
    }
    return targets
  }

  private mutating func run() {
    checkNames()
    for environment in file.environments { check(environment) }
    checkShared()
    guard let selected = file.selected else { return }
    if !file.environments.contains(where: { $0.name == selected }) {
      var values = ["name": selected]
      values["suggestion"] = closestMatch(to: selected, among: file.environments.map(\.name))
      add(.error, .gatewaySelectedMissing, values, at: file.selectedPlace)
    }
  }

  private mutating func add(
    _ severity: ConfigFinding.Severity, _ code: ConfigError.Code, _ values: [String: String], at place: Place?
  ) {
    findings.append(ConfigFinding(severity, code, values, at: place))
  }

  private mutating func checkNames() {
    var seen: Set<String> = []
    for environment in file.environments {
      if !seen.insert(environment.name.lowercased()).inserted {
        add(.error, .gatewayTwice, ["key": environment.name], at: environment.place)
      }
      var keys: Set<String> = []
      for value in environment.values where !keys.insert(value.key).inserted {
        add(.error, .gatewayTwice, ["key": "\(environment.name).\(value.key)"], at: value.keyPlace)
      }
    }
    guard !file.environments.contains(where: { ["release", "production"].contains($0.name.lowercased()) }) else {
      return
    }
    var values = ["file": file.document.file]
    values["suggestion"] = closestMatch(to: "Release", among: file.environments.map(\.name))
    add(.warning, .gatewayReleaseMissing, values, at: .file(file.document.file))
  }

  private mutating func check(_ environment: GatewayFile.Environment) {
    for value in environment.values {
      let key = "\(environment.name).\(value.key)"
      checkKey(value, key)
      if GatewayKeys.isAddress(value.key) || value.text.has("://") {
        checkAddress(value, key, environment)
      } else if Self.isPlaceholder(value.text) {
        add(.warning, .gatewayPlaceholder, ["key": key, "value": value.text], at: value.place)
      }
    }
    // Values that other environments have are needed here, too.
    guard !environment.values.isEmpty else {
      return add(.warning, .gatewayEmpty, ["name": environment.name], at: environment.place)
    }
    for keys in [GatewayKeys.rpc, GatewayKeys.log] where environment.values.allSatisfy({ !keys.contains($0.key) }) {
      guard let other = file.environments.first(where: { $0.first(keys) != nil }) else { continue }
      let values = ["name": environment.name, "key": keys[0], "other": other.name]
      add(.warning, .gatewayKeyMissing, values, at: environment.place)
    }
  }

  /// A key that differs from a documented one in letters that are invisible.
  private mutating func checkKey(_ value: GatewayFile.Value, _ key: String) {
    guard !GatewayKeys.known.contains(value.key) else { return }
    let known = GatewayKeys.known.first { $0.lowercased() == value.key.lowercased() }
    guard let near = known ?? closestMatch(to: value.key, among: GatewayKeys.known), near != value.key else { return }
    add(.warning, .gatewayKeyUnknown, ["key": key, "suggestion": near], at: value.keyPlace)
  }

  private mutating func checkAddress(
    _ value: GatewayFile.Value, _ key: String, _ environment: GatewayFile.Environment
  ) {
    // The push gateway's key is documented as not used.
    guard !value.text.isEmpty else {
      if value.key != "mPaasPushServerGateway" { add(.warning, .gatewayValueEmpty, ["key": key], at: value.place) }
      return
    }
    let address: GatewayAddress
    do throws(ConfigError) {
      address = try GatewayAddress(value.text, key: key, at: value.place)
    } catch {
      findings.append(ConfigFinding(.error, error))
      return
    }
    let isRelease = ["release", "production"].contains(environment.name.lowercased())
    let values = ["key": key, "value": value.text, "host": address.host]
    if address.isPlaceholder {
      add(isRelease ? .error : .warning, .gatewayPlaceholder, values, at: value.place)
    } else if isRelease, address.isPrivate {
      add(.error, .gatewayPrivate, values, at: value.place)
    }
    if isRelease, address.scheme == "http" { add(.warning, .gatewayInsecure, values, at: value.place) }
  }

  /// An address of the release that another environment has too.
  private mutating func checkShared() {
    guard let release = file.environments.first(where: { $0.name.lowercased() == "release" }) else { return }
    for environment in file.environments where environment.name != release.name {
      for keys in [GatewayKeys.rpc, GatewayKeys.log] {
        guard let value = environment.values.first(where: { keys.contains($0.key) && !$0.text.isEmpty }),
          release.first(keys) == value.text
        else { continue }
        let values = ["key": "\(environment.name).\(value.key)", "value": value.text, "other": release.name]
        add(.warning, .gatewayShared, values, at: value.place)
      }
    }
  }

  private static func isPlaceholder(_ text: String) -> Bool {
    let word = text.lowercased()
    return ["todo", "xxx", "changeme", "placeholder"].contains(word) || (word.hasPrefix("<") && word.hasSuffix(">"))
      || (word.hasPrefix("your") && word.has("id")) || (word.has("${") && word.has("}"))
  }
}

extension ConfigError.Code {
  /// An environment or a key that stands there twice.
  static var gatewayTwice: Self { malformed("gateway-twice") }
  static var gatewayReleaseMissing: Self { malformed("gateway-release-missing") }
  static var gatewaySelectedMissing: Self { malformed("gateway-selected-missing") }
  static var gatewayPlaceholder: Self { malformed("gateway-placeholder") }
  static var gatewayPrivate: Self { malformed("gateway-private") }
  static var gatewayInsecure: Self { malformed("gateway-insecure") }
  static var gatewayShared: Self { malformed("gateway-shared") }
  static var gatewayEmpty: Self { malformed("gateway-empty") }
  static var gatewayValueEmpty: Self { malformed("gateway-value-empty") }
  static var gatewayKeyMissing: Self { malformed("gateway-key-missing") }
  static var gatewayKeyUnknown: Self { malformed("gateway-key-unknown") }
  /// An address without an answer.
  package static var gatewayUnreachable: Self { malformed("gateway-unreachable") }
}
