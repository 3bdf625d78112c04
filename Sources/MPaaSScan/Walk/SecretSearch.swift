import MPaaSSecrets
import MPaaSSupport
import MPaaSSymbols

/// The parts of what is scanned that are searched for keys and passwords.
package enum SecretReach: String, Sendable, CaseIterable {
  case none
  /// Data of images, and files of apps that are text or hold it.
  case data
  /// Every byte of images, and those files.
  case all
}

/// The search for secrets in images and files.
struct SecretSearch {
  let rules: SecretRules
  let reach: SecretReach

  /// Large data is gone through in pieces, so that its memory can be given back; secrets are shorter than they overlap.
  private static let piece = 4 << 20
  private static let overlap = 8 << 10

  private static let endings: Set<String> = [
    "json", "plist", "strings", "xml", "js", "jsbundle", "html", "txt", "properties", "yaml", "yml", "toml", "env",
    "config", "cfg", "conf", "ini", "pem", "key", "der", "p8", "p12", "dex", "arsc", "lua", "py", "sh", "md", "csv",
    "xcconfig", "mobileconfig", "entitlements",
  ]

  /// Tells whether a file is searched that is no image, by the ending of its name.
  static func isWanted(_ path: String) -> Bool {
    let name = FileSystem.name(of: path)
    guard let dot = name.lastIndex(of: ".") else { return false }
    return endings.contains(name[name.index(after: dot)...].lowercased())
  }

  /// - Parameter start: The place in the file of the bytes.
  func findings(in bytes: Bytes, at start: UInt64 = 0, _ place: ScanPlace) -> [ScanFinding] {
    let scan = SecretScan(rules, path: place.path)
    var found: [ScanFinding] = []
    var told: Set<Int> = []
    var from = 0
    while from < bytes.count {
      let end = min(from + Self.piece, bytes.count)
      guard let part = bytes.slice(at: UInt64(from), size: UInt64(end - from)) else { break }
      for finding in scan.findings(in: part) where told.insert(from + finding.offset).inserted {
        var place = place
        place.offset = start + UInt64(from + finding.offset)
        found.append(ScanFinding(finding, place))
      }
      part.release(part.count)
      if end == bytes.count { break }
      from = end - Self.overlap
    }
    return found
  }

  /// The ranges of an image that hold data that its author wrote.
  func findings(in image: MachOImage, at start: UInt64, _ place: ScanPlace) -> [ScanFinding] {
    if reach == .all { return findings(in: image.bytes, at: start, place) }
    return findings(in: image.bytes, image.dataRanges, at: start, place)
  }

  func findings(in image: ELFImage, at start: UInt64, _ place: ScanPlace) -> [ScanFinding] {
    if reach == .all { return findings(in: image.bytes, at: start, place) }
    let data = image.sections.filter { section in
      section.flags.contains(.allocated) && !section.flags.contains(.executable) && section.type.rawValue == 1
        && !Self.tables.contains { image.name(of: section).hasPrefix($0) }
    }.compactMap { $0.size > 0 ? image.bytes.range(at: $0.offset, size: $0.size) : nil }
    return findings(in: image.bytes, data, at: start, place)
  }

  /// Searches ranges, each byte once, however many of them have it.
  private func findings(
    in bytes: Bytes, _ ranges: [Range<UInt64>], at start: UInt64, _ place: ScanPlace
  ) -> [ScanFinding] {
    var joined: [Range<UInt64>] = []
    for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if let last = joined.last, range.lowerBound <= last.upperBound {
        joined[joined.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
      } else {
        joined.append(range)
      }
    }
    return joined.flatMap { range -> [ScanFinding] in
      guard let part = bytes[checked: range] else { return [] }
      return findings(in: part, at: start + range.lowerBound, place)
    }
  }

  /// Sections of numbers for loaders and unwinders, and of names that Swift's compiler writes.
  private static let tables = [
    ".eh_frame", ".gcc_except_table", ".got", ".dynamic", ".interp", "swift5_", ".init_array",
  ]
}

extension MachOImage {
  /// The ranges in the image of sections that are no code and have bytes.
  fileprivate var dataRanges: [Range<UInt64>] {
    sections.filter { !$0.isCode }.compactMap { stored(range: $0) }
  }
}

extension Bytes {
  /// The range of a part; nil where it does not lie inside.
  fileprivate func range(at offset: UInt64, size: UInt64) -> Range<UInt64>? {
    let (end, overflow) = offset.addingReportingOverflow(size)
    return overflow || end > UInt64(count) ? nil : offset..<end
  }
}

extension ScanFinding {
  fileprivate init(_ finding: SecretFinding, _ place: ScanPlace) {
    self.init(
      id: .secret, severity: .high, masvs: "MASVS-AUTH-1", place, "\(finding.rule): \(finding.masked)",
      values: ["rule": finding.rule, "masked": finding.masked, "length": "\(finding.length)"])
  }
}

extension DiagnosticID {
  fileprivate static let secret = DiagnosticID("scan-secret")
}
