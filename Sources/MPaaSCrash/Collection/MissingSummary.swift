/// The images that reports lack symbols for, each once.
package struct MissingSummary: Sendable {
  package struct Entry: Sendable, Equatable {
    /// As the first report has it, with the frames of all.
    package fileprivate(set) var missing: MissingSymbols
    package fileprivate(set) var reports: Int
  }

  private struct Key: Hashable {
    let uuid: String
    let name: String
  }

  private var byImage: [Key: Entry] = [:]
  package private(set) var reports = 0

  package init() {}

  /// Adds what one report lacks.
  package mutating func add(_ missing: [MissingSymbols]) {
    reports += 1
    for image in missing {
      let key = Key(uuid: image.uuid, name: image.name)
      guard var known = byImage[key] else {
        byImage[key] = Entry(missing: image, reports: 1)
        continue
      }
      known.reports += 1
      known.missing.frames += image.frames
      known.missing.searched += image.searched.filter { !known.missing.searched.contains($0) }
      known.missing.nearMisses += image.nearMisses.filter { !known.missing.nearMisses.contains($0) }
      byImage[key] = known
    }
  }

  /// Those that most reports lack first.
  package var entries: [Entry] {
    byImage.values.sorted {
      ($1.reports, $1.missing.frames, $0.missing.name, $0.missing.uuid)
        < ($0.reports, $0.missing.frames, $1.missing.name, $1.missing.uuid)
    }
  }
}
