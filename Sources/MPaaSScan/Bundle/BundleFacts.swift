import MPaaSConfig

/// A folder of an app, a framework or an extension: what its `Info.plist` and its privacy manifests say.
package struct BundleFacts: Sendable {
  /// The path of the folder, as findings have it.
  package let path: String
  package let identifier: String?
  package let name: String?
  package let version: String?
  package let build: String?
  package let minimumSystem: String?
  package let executable: String?
  package let schemes: [String]
  /// The texts that tell users of a permission, by their keys.
  package let usages: [String: String]
  package let sharesFiles: Bool
  let transport: TransportSecurity
  /// The place of the property list.
  let list: String

  /// Creates the facts of a property list; nil where it is of no bundle.
  init?(_ root: PropertyListValue, folder: String, list: String) {
    guard root["CFBundleIdentifier"] != nil || root["CFBundleExecutable"] != nil else { return nil }
    path = folder
    self.list = list
    identifier = root["CFBundleIdentifier"]?.string
    name = root["CFBundleDisplayName"]?.string ?? root["CFBundleName"]?.string
    version = root["CFBundleShortVersionString"]?.string
    build = root["CFBundleVersion"]?.string
    minimumSystem = root["MinimumOSVersion"]?.string ?? root["LSMinimumSystemVersion"]?.string
    executable = root["CFBundleExecutable"]?.string
    schemes = (root["CFBundleURLTypes"]?.values ?? []).flatMap { type in
      (type["CFBundleURLSchemes"]?.values ?? []).compactMap(\.string)
    }
    var usages: [String: String] = [:]
    for member in root.members ?? [] where member.key.hasSuffix("UsageDescription") {
      usages[member.key] = member.value.string ?? ""
    }
    self.usages = usages
    sharesFiles = root["UIFileSharingEnabled"]?.truth == true
    transport = TransportSecurity(root["NSAppTransportSecurity"])
  }

  /// The kind of bundle by its folder's ending: `app`, `framework`, `appex`; empty where it has none.
  package var ending: String {
    guard let dot = path.lastIndex(of: "."), !path[dot...].contains("/") else { return "" }
    return path[path.index(after: dot)...].lowercased()
  }
}

/// The connections that an app may make in spite of App Transport Security.
struct TransportSecurity: Sendable {
  let allowsArbitraryLoads: Bool
  /// Keys that open one kind of connection.
  let kinds: [String]
  /// Each domain with what it is excepted from.
  let exceptions: [String]

  init(_ value: PropertyListValue?) {
    allowsArbitraryLoads = value?["NSAllowsArbitraryLoads"]?.truth == true
    let keys = ["NSAllowsArbitraryLoadsForMedia", "NSAllowsArbitraryLoadsInWebContent"]
    kinds = keys.filter { value?[$0]?.truth == true }
    exceptions = (value?["NSExceptionDomains"]?.members ?? []).compactMap { domain in
      let doubts = Self.doubts(domain.value)
      return doubts.isEmpty ? nil : "\(domain.key): \(doubts.joined(separator: ", "))"
    }
  }

  private static func doubts(_ domain: PropertyListValue) -> [String] {
    var found: [String] = []
    for member in domain.members ?? [] {
      // The words of old systems, which their heirs still know.
      let key = member.key.hasPrefix("NSTemporary") ? "NS" + member.key.dropFirst("NSTemporary".count) : member.key
      switch key {
      case "NSExceptionAllowsInsecureHTTPLoads", "NSThirdPartyExceptionAllowsInsecureHTTPLoads":
        if member.value.truth == true { found.append(member.key) }
      case "NSExceptionRequiresForwardSecrecy", "NSThirdPartyExceptionRequiresForwardSecrecy":
        if member.value.truth == false { found.append(member.key) }
      case "NSExceptionMinimumTLSVersion", "NSThirdPartyExceptionMinimumTLSVersion":
        if let version = member.value.string, ["TLSv1.0", "TLSv1.1"].contains(version) {
          found.append("\(member.key) \(version)")
        }
      default: break
      }
    }
    return found
  }
}

/// The reasons that a privacy manifest gives for functions that need one.
package struct PrivacyManifest: Sendable {
  /// The path of the file, as findings have it.
  package let path: String
  /// Categories without `NSPrivacyAccessedAPICategory`.
  package let categories: Set<String>

  init(_ root: PropertyListValue, path: String) {
    self.path = path
    categories = Set(
      (root["NSPrivacyAccessedAPITypes"]?.values ?? []).compactMap { entry in
        guard let type = entry["NSPrivacyAccessedAPIType"]?.string,
          entry["NSPrivacyAccessedAPITypeReasons"]?.values?.isEmpty == false
        else { return nil }
        let prefix = "NSPrivacyAccessedAPICategory"
        return type.hasPrefix(prefix) ? String(type.dropFirst(prefix.count)) : type
      })
  }
}

extension PropertyListValue {
  /// A boolean, which some write in words.
  var truth: Bool? { boolean ?? string.map { ["yes", "true", "1"].contains($0.lowercased()) } }
}
