import MPaaSSupport
import MPaaSSymbols

/// A part of an app that has a name and mostly a version: the app, a framework, a library.
package struct ScanComponent: Sendable, Hashable {
  package enum Kind: String, Sendable { case application, framework, library }
  package let kind: Kind
  package let name: String
  package let version: String?
  /// The path of the bundle or the file, as findings have it.
  package let path: String
  /// The evidence for name and version, such as `Info.plist`.
  package let source: String
}

extension ScanReport {
  /// The parts of what was scanned, each once, by path.
  package var components: [ScanComponent] {
    var found: [String: ScanComponent] = [:]
    for bundle in bundles where ["app", "appex", "framework", "xpc"].contains(bundle.ending) {
      found[bundle.path] = ScanComponent(
        kind: bundle.ending == "framework" ? .framework : .application,
        name: bundle.identifier ?? bundle.name ?? FileSystem.name(of: bundle.path),
        version: bundle.version ?? bundle.build, path: bundle.path, source: "Info.plist")
    }
    for manifest in androidManifests {
      found[manifest.path] = ScanComponent(
        kind: .application, name: manifest.package ?? FileSystem.name(of: manifest.path),
        version: manifest.versionName ?? manifest.versionCode, path: manifest.path, source: "AndroidManifest.xml")
    }
    for library in notedLibraries {
      found[library.path] = ScanComponent(
        kind: .library, name: library.name, version: library.version, path: library.path, source: "META-INF")
    }
    let index = BundleIndex(bundles)
    for image in images where found[image.path] == nil && image.kind == .sharedLibrary {
      guard let component = component(image) else { continue }
      let isNamed = index.bundles(around: image.path).contains { $0.ending == "framework" }
      if !isNamed { found[image.path] = component }
    }
    let parts = moduleParts(index)
    found.merge(parts.seen) { $1 }
    return found.values.sorted { ($0.path, $0.name) < ($1.path, $1.name) } + parts.unseen
  }

  private func component(_ image: ScannedImage) -> ScanComponent? {
    switch image.facts {
    case .machO(let facts):
      guard let own = facts.libraries.first(where: { $0.kind == .own }) else { return nil }
      return ScanComponent(
        kind: .library, name: FileSystem.name(of: own.name),
        version: own.current == 0 ? nil : MachOLibrary.text(own.current), path: image.path, source: "LC_ID_DYLIB")
    case .elf(let facts):
      guard let name = facts.soname ?? Optional(FileSystem.name(of: image.path)) else { return nil }
      return ScanComponent(
        kind: .library, name: name, version: Self.version(ofSoname: name), path: image.path, source: "DT_SONAME")
    }
  }

  /// The numbers behind `.so.`, which are the version of an interface.
  private static func version(ofSoname name: String) -> String? {
    guard let place = name.firstRange(of: ".so.") else { return nil }
    let rest = name[place.upperBound...]
    return !rest.isEmpty && rest.allSatisfy { $0.isNumber || $0 == "." } ? String(rest) : nil
  }
}
