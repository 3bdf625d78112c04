/// The changes from one version of an app to the next.
package struct ScanDifference: Sendable {
  /// A size that changed: of an image, a segment, a section, or a part of the app.
  package struct SizeChange: Sendable, Equatable {
    package let name: String
    /// Bytes; 0 for what was not there.
    package let old: UInt64
    package let new: UInt64

    package var change: Int64 { Int64(clamping: new) - Int64(clamping: old) }
  }

  /// Names that came and names that went.
  package struct NameChange: Sendable, Equatable {
    package let added: [String]
    package let removed: [String]

    init(_ old: Set<String>, _ new: Set<String>) {
      added = new.subtracting(old).sorted()
      removed = old.subtracting(new).sorted()
    }

    package var isEmpty: Bool { added.isEmpty && removed.isEmpty }
  }

  /// A protection that an image had and has no more.
  package struct Loss: Sendable, Equatable {
    package let image: String
    package let fact: String
    package let old: String
    package let new: String
  }

  /// Bytes of all images.
  package let total: SizeChange
  /// The largest changes first; what stayed is left out.
  package let images: [SizeChange]
  package let segments: [SizeChange]
  package let sections: [SizeChange]
  package let modules: [SizeChange]
  package let permissions: NameChange
  package let entitlements: NameChange
  package let schemes: NameChange
  /// Parts as `name version`.
  package let parts: NameChange
  package let losses: [Loss]
  package let findings: NameChange

  package init(from old: ScanReport, to new: ScanReport) {
    let sizes = (SizeTable(old), SizeTable(new))
    total = SizeChange(name: "", old: sizes.0.total, new: sizes.1.total)
    images = SizeTable.changes(sizes.0.images, sizes.1.images)
    segments = SizeTable.changes(sizes.0.segments, sizes.1.segments)
    sections = SizeTable.changes(sizes.0.sections, sizes.1.sections)
    modules = SizeTable.changes(sizes.0.modules, sizes.1.modules)
    permissions = NameChange(old.permissions, new.permissions)
    entitlements = NameChange(old.entitlements, new.entitlements)
    schemes = NameChange(old.schemes, new.schemes)
    parts = NameChange(old.namedParts, new.namedParts)
    losses = Self.losses(old, new)
    findings = NameChange(old.findingNames, new.findingNames)
  }

  package var isEmpty: Bool {
    images.isEmpty && segments.isEmpty && sections.isEmpty && losses.isEmpty
      && [permissions, entitlements, schemes, parts, findings].allSatisfy(\.isEmpty)
  }

  /// Protections of images that both versions have.
  private static func losses(_ old: ScanReport, _ new: ScanReport) -> [Loss] {
    let before = Dictionary(old.images.map { (old.name(of: $0), $0.protections) }) { first, _ in first }
    return new.images.flatMap { image -> [Loss] in
      let name = new.name(of: image)
      guard let had = before[name] else { return [] }
      let has = Dictionary(image.protections.map { ($0.fact, $0) }) { first, _ in first }
      return had.compactMap { fact in
        guard let now = has[fact.fact], now.rank < fact.rank else { return nil }
        return Loss(image: name, fact: fact.fact, old: fact.value, new: now.value)
      }
    }
  }
}

/// The sizes of a version, by names that the next one has, too.
private struct SizeTable {
  var total: UInt64 = 0
  var images: [String: UInt64] = [:]
  var segments: [String: UInt64] = [:]
  var sections: [String: UInt64] = [:]
  var modules: [String: UInt64] = [:]

  init(_ report: ScanReport) {
    let index = BundleIndex(report.bundles)
    for image in report.images {
      add(image.size, to: "", \.total)
      add(image.size, report.name(of: image), \.images)
      add(image.size, report.module(of: image, index), \.modules)
      for (name, size) in image.segmentSizes { add(size, name, \.segments) }
      for (name, size) in image.sectionSizes { add(size, name, \.sections) }
    }
  }

  private mutating func add(_ size: UInt64, _ name: String, _ table: WritableKeyPath<Self, [String: UInt64]>) {
    let (sum, overflow) = self[keyPath: table][name, default: 0].addingReportingOverflow(size)
    self[keyPath: table][name] = overflow ? .max : sum
  }

  private mutating func add(_ size: UInt64, to name: String, _ value: WritableKeyPath<Self, UInt64>) {
    let (sum, overflow) = self[keyPath: value].addingReportingOverflow(size)
    self[keyPath: value] = overflow ? .max : sum
  }

  static func changes(_ old: [String: UInt64], _ new: [String: UInt64]) -> [ScanDifference.SizeChange] {
    Set(old.keys).union(new.keys).compactMap { name in
      let change = ScanDifference.SizeChange(name: name, old: old[name] ?? 0, new: new[name] ?? 0)
      return change.old == change.new ? nil : change
    }.sorted {
      $0.change.magnitude == $1.change.magnitude ? $0.name < $1.name : $0.change.magnitude > $1.change.magnitude
    }
  }
}
