#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The world that an app talks to.
public enum AppEnvironment: String, Sendable, Hashable, CaseIterable {
  /// The developer's own: nothing in it counts.
  case development = "dev"
  case test
  /// The environment of a release that is not out yet.
  case staging
  case release

  /// The section of `GatewayConfig.plist` that belongs to it, and other names that projects give it.
  var sections: [String] {
    switch self {
    case .development: ["Debug", "Dev", "Development"]
    case .test: ["Sit", "Test"]
    case .staging: ["Pre-release", "Staging"]
    case .release: ["Release", "Production"]
    }
  }

  /// The environment of that name, as code (`dev`) or `GatewayConfig.plist` (`Debug`) call it, in letters of any case.
  public init?(named name: String) {
    let name = name.lowercased()
    let found = Self.allCases.first { environment in
      environment.rawValue == name || environment.sections.contains { $0.lowercased() == name }
    }
    guard let found else { return nil }
    self = found
  }

  /// The environment that `MPAAS_ENVIRONMENT` names; the release where it is not set.
  ///
  /// - Throws: `environment-unknown`.
  public static func selected() throws(FrameworkError) -> AppEnvironment {
    try selected(by: ProcessInfo.processInfo.environment)
  }

  static func selected(by variables: [String: String]) throws(FrameworkError) -> AppEnvironment {
    guard let name = variables["MPAAS_ENVIRONMENT"], !name.isEmpty else { return .release }
    guard let environment = AppEnvironment(named: name) else {
      throw FrameworkError(.environmentUnknown, .parameter("MPAAS_ENVIRONMENT"), values: ["value": name])
    }
    return environment
  }
}
