import MPaaSSupport
import MPaaSSymbols

extension ScannedImage {
  /// A protection with its place among the values that it can have.
  struct Protection {
    let fact: String
    let value: String
    let rank: Int

    init(_ fact: String, _ value: Bool) {
      (self.fact, self.value, rank) = (fact, String(value), value ? 1 : 0)
    }

    init(_ fact: String, _ value: String, _ rank: Int) {
      (self.fact, self.value, self.rank) = (fact, value, rank)
    }
  }

  /// The facts that make an image harder to attack.
  var protections: [Protection] {
    switch facts {
    case .machO(let facts):
      [
        Protection("pie", facts.pie), Protection("canary", facts.canary), Protection("arc", facts.arc),
        Protection("restrict", facts.restrict), Protection("pointerAuthentication", facts.isPointerAuthenticated),
        Protection("stackNotExecutable", !facts.allowStackExecution),
        Protection("noWritableCode", facts.writableAndExecutable.isEmpty), Protection("stripped", !facts.debugMap),
      ]
    case .elf(let facts):
      [
        Protection("pie", facts.pie != .no), Protection("canary", facts.canary), Protection("nx", facts.nx),
        Protection("relro", facts.relro.rawValue, facts.relro == .full ? 2 : facts.relro == .partial ? 1 : 0),
        Protection("fortify", facts.fortify == .yes), Protection("noWritableCode", facts.writableAndExecutable.isEmpty),
        Protection("branchProtection", facts.branchProtection == .yes),
        Protection("returnProtection", facts.returnProtection == .yes), Protection("stripped", !facts.symbols),
        Protection("noTextRelocations", !facts.textRelocations),
      ]
    }
  }

  var segmentSizes: [(String, UInt64)] {
    switch facts {
    case .machO(let facts): facts.segments.map { ($0.name, $0.fileSize) }
    case .elf: []
    }
  }

  var sectionSizes: [(String, UInt64)] {
    switch facts {
    case .machO(let facts): facts.sections.map { ("\($0.segment),\($0.name)", $0.size) }
    case .elf(let facts): facts.sections.filter { !$0.name.isEmpty }.map { ($0.name, $0.size) }
    }
  }
}

extension ScanReport {
  /// The name of an image that the next version's has, too; that of a file by itself is its processor's alone.
  func name(of image: ScannedImage) -> String {
    let path = inner(image.path)
    return path.isEmpty ? image.architecture : "\(path) (\(image.architecture))"
  }

  /// The bundle or the file that an image is of.
  func module(of image: ScannedImage, _ index: BundleIndex) -> String {
    if let home = index.bundles(around: image.path).first {
      return home.identifier ?? inner(home.path)
    }
    let path = inner(image.path)
    return path.isEmpty ? image.architecture : path
  }

  var permissions: Set<String> {
    Set(bundles.flatMap { Array($0.usages.keys) } + androidManifests.flatMap(\.permissions))
  }

  var schemes: Set<String> { Set(bundles.flatMap(\.schemes) + androidManifests.flatMap(\.schemes)) }

  var entitlements: Set<String> {
    Set(
      images.flatMap { image -> [String] in
        if case .machO(let facts) = image.facts { facts.entitlements } else { [] }
      })
  }

  var namedParts: Set<String> { Set(components.map { "\($0.name) \($0.version ?? "-")" }) }

  var findingNames: Set<String> {
    Set(findings.map { "\($0.id.name) \(inner($0.place.path)): \($0.evidence)" })
  }
}
