import MPaaSAppPackage
import MPaaSSupport

/// The facts of an Android app's manifest.
package struct AndroidManifest: Sendable {
  /// The path of the file, as findings have it.
  package let path: String
  package let package: String?
  package let versionName: String?
  package let versionCode: String?
  package let minimumLevel: Int?
  package let targetLevel: Int?
  package let permissions: [String]
  /// Schemes that links into the app may have.
  package let schemes: [String]
  private let application: [String: String]
  private let components: [Component]

  private struct Component: Sendable {
    let name: String
    /// True where other apps may use it; nil where it does not say.
    let isExported: Bool?
    let hasFilter: Bool
    let isGuarded: Bool
    /// Tells whether it is what the home screen starts, which must be open.
    let isLauncher: Bool
  }

  private static let kinds = ["activity", "activity-alias", "service", "receiver", "provider"]

  /// - Throws: `AndroidXMLError`.
  init(_ bytes: Bytes, path: String) throws(AndroidXMLError) {
    let root = BinaryXML.matches(bytes) ? try BinaryXML.root(bytes) : try ProtoXML.root(bytes)
    guard root.name == "manifest" else { throw AndroidXMLError(reason: "<\(root.name)>", offset: 0) }
    self.path = path
    package = root.attributes["package"]
    versionName = root.attributes["versionName"]
    versionCode = root.attributes["versionCode"]
    let system = root.all("uses-sdk").first?.attributes ?? [:]
    minimumLevel = system["minSdkVersion"].flatMap { Int($0) }
    targetLevel = system["targetSdkVersion"].flatMap { Int($0) }
    let named = root.children.filter { $0.name.hasPrefix("uses-permission") }
    permissions = Set(named.compactMap { $0.attributes["name"] }).sorted()
    let application = root.all("application").first
    self.application = application?.attributes ?? [:]
    let parts = (application?.children ?? []).filter { Self.kinds.contains($0.name) }
    components = parts.map(Self.component)
    let data = parts.flatMap { $0.all("intent-filter") }.flatMap { $0.all("data") }
    schemes = Set(data.compactMap { $0.attributes["scheme"] }).sorted()
  }

  private static func component(_ element: AndroidElement) -> Component {
    let filters = element.all("intent-filter")
    return Component(
      name: "\(element.name) \(element.attributes["name"] ?? "")",
      isExported: element.attributes["exported"].flatMap { ["true": true, "false": false][$0] },
      hasFilter: !filters.isEmpty,
      isGuarded: ["permission", "readPermission"].contains { element.attributes[$0] != nil },
      isLauncher: filters.contains { filter in
        filter.all("category").contains { $0.attributes["name"] == "android.intent.category.LAUNCHER" }
      })
  }

  var findings: [ScanFinding] {
    let place = ScanPlace(path)
    var found: [ScanFinding] = []
    func isTrue(_ key: String) -> Bool { application[key] == "true" }
    if isTrue("debuggable") { found.append(ScanFinding(.debuggable, place, "android:debuggable")) }
    if isTrue("testOnly") { found.append(ScanFinding(.testOnly, place, "android:testOnly")) }
    // Said nothing, a copy of the app's data may be made.
    if application["allowBackup"] != "false" {
      found.append(ScanFinding(.backup, place, "android:allowBackup=\(application["allowBackup"] ?? "true")"))
    }
    // A configuration of the network, where there is one, decides instead.
    if application["networkSecurityConfig"] == nil {
      if isTrue("usesCleartextTraffic") {
        found.append(ScanFinding(.cleartext, place, "android:usesCleartextTraffic"))
      } else if application["usesCleartextTraffic"] == nil, let targetLevel, targetLevel < 28 {
        found.append(ScanFinding(.cleartext, place, "targetSdkVersion=\(targetLevel)"))
      }
    }
    if let minimumLevel, minimumLevel < 24 {
      found.append(ScanFinding(.oldSystem, place, "minSdkVersion=\(minimumLevel)"))
    }
    for component in components where !component.isLauncher {
      if component.isExported == true, !component.isGuarded {
        found.append(ScanFinding(.exported, place, component.name))
      } else if component.isExported == nil, component.hasFilter {
        found.append(ScanFinding(.exportUnsaid, place, component.name))
      }
    }
    return found
  }
}
