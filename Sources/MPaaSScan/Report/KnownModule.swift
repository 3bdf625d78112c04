package import MPaaSSupport
import MPaaSSymbols

/// A module of an SDK that a project uses, with what its code is known by inside a finished app.
package struct KnownModule: Sendable, Hashable {
  package let name: String
  package let version: String
  /// The file that says the project uses it, such as `mpaas.lock`.
  package let list: String
  /// UUIDs of Mach-O images and build IDs of ELF files, in hexadecimal digits: neither signing nor stripping changes them.
  package private(set) var identities: Set<String> = []

  package init(name: String, version: String, list: String) {
    (self.name, self.version, self.list) = (name, version, list)
  }

  /// Takes a file of the module; one without images says nothing.
  package mutating func add(_ file: Bytes) {
    guard ObjectFile.matches(file), let images = try? ObjectFile.images(file) else { return }
    identities.formUnion(images.compactMap { $0.buildID?.bytes.hexadecimal })
  }
}

extension ScanReport {
  /// The parts that are code of modules, by their paths, and the modules of which no code was seen.
  func moduleParts(_ index: BundleIndex) -> (seen: [String: ScanComponent], unseen: [ScanComponent]) {
    let pairs = modules.flatMap { module in module.identities.map { ($0, module) } }
    let known = Dictionary(pairs) { first, _ in first }
    var seen: [String: ScanComponent] = [:]
    var met: Set<KnownModule> = []
    for image in images {
      guard let identity = image.identity, let module = known[identity] else { continue }
      let home = index.bundles(around: image.path).first { $0.ending == "framework" }
      let path = home?.path ?? image.path
      seen[path] = ScanComponent(
        kind: home == nil ? .library : .framework, name: module.name, version: module.version, path: path,
        source: "module")
      met.insert(module)
    }
    let unseen = Set(modules).subtracting(met).map { module in
      ScanComponent(
        kind: .library, name: module.name, version: module.version, path: module.list,
        source: FileSystem.name(of: module.list))
    }
    return (seen, unseen.sorted { ($0.name, $0.version ?? "") < ($1.name, $1.version ?? "") })
  }
}

extension ScannedImage {
  /// The UUID or the build ID, in hexadecimal digits.
  fileprivate var identity: String? {
    switch facts {
    case .machO(let facts): facts.uuid
    case .elf(let facts): facts.buildID
    }
  }
}
