package import MPaaSModules
import MPaaSSupport
package import MPaaSTerminal
import MPaaSTrust

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A text in both languages, as results have it.
package struct TextPair: Encodable, Sendable, Equatable {
  let en: String?
  let zhHans: String?

  package init(_ text: LocalizedText) {
    en = text.english
    zhHans = text.simplifiedChinese
  }

  /// The text in the language of `catalogue` first, then in the other one.
  package func ordered(_ catalogue: Catalogue) -> [String] {
    (catalogue.language == .english ? [en, zhHans] : [zhHans, en]).compactMap(\.self).filter { !$0.isEmpty }
  }
}

/// One version of a module, as people choose by.
struct ReleaseView: Encodable, Sendable {
  struct Dependency: Encodable, Sendable {
    let name: String
    let requirement: String
    let platforms: [String]
    let optional: Bool
  }

  let version: String
  let released: String
  let notes: TextPair
  let dependencies: [Dependency]
  let platforms: [String: String]
  let size: UInt64
  let unpackedSize: UInt64
  let files: Int
  let sha256: String
  let yanked: String?
  let local: Bool

  init(_ release: ModuleRelease, isLocal: Bool) {
    version = release.version.text
    released = Self.day(release.released)
    notes = TextPair(release.manifest.notes)
    dependencies = release.manifest.dependencies.map {
      Dependency(
        name: $0.name, requirement: $0.requirement.text, platforms: $0.platforms.sorted().map(\.rawValue),
        optional: $0.isOptional)
    }
    platforms = Dictionary(
      release.manifest.platforms.map { ($0.key.rawValue, $0.value.text) }, uniquingKeysWith: { $1 })
    size = release.archive.size
    unpackedSize = release.archive.unpackedSize
    files = release.archive.fileCount
    sha256 = release.archive.sha256
    yanked = release.yanked
    local = isLocal
  }

  /// `2026-03-01`, in UTC.
  static func day(_ seconds: Int64) -> String {
    String(MetadataTime.text(Date(timeIntervalSince1970: Double(seconds))).prefix(10))
  }
}

/// All about one module.
struct ModuleDetails: Presentable {
  let name: String
  let registry: String
  let summary: TextPair
  let local: [String]
  let remote: String?
  let state: ModuleTable.Row.State
  let license: String?
  let homepage: String?
  let versions: [ReleaseView]

  init(_ offered: OfferedModule, _ here: LocalModules, only: ModuleVersion? = nil) {
    let index = offered.index
    let newest = index.newest
    name = index.name
    registry = offered.registry
    summary = TextPair(index.summary)
    local = (here.versions[index.name] ?? []).map(\.text)
    remote = newest?.version.text
    state =
      local.isEmpty ? .missing : newest.map { here.contains(index.name, $0.version) } ?? true ? .current : .outdated
    license = newest?.manifest.license
    homepage = newest?.manifest.homepage
    versions = index.releases.filter { only == nil || $0.version == only }
      .map { ReleaseView($0, isLocal: here.contains(index.name, $0.version)) }
  }

  func document(_ catalogue: Catalogue) -> Document {
    var document = Document()
    document.line(StyledText(name, .heading))
    for text in summary.ordered(catalogue) { document.line("  " + StyledText(text)) }
    func field(_ key: String, _ value: StyledText) {
      let label = catalogue.text(key)
      document.line(StyledText((label + ":").padded(toWidth: 11), .faint) + value)
    }
    let role: TextRole = state == .current ? .plain : .marked
    let here = local.isEmpty ? catalogue.text("text.sdk-missing") : local.joined(separator: ", ")
    field("text.sdk-local", StyledText(here, role))
    let mark = state == .outdated ? "  " + catalogue.text("text.sdk-mark") : ""
    field("text.sdk-remote", StyledText(remote ?? "–", role) + StyledText(mark, .faint))
    field("text.sdk-registry", StyledText(registry))
    if let license { field("text.sdk-license", StyledText(license)) }
    if let homepage { field("text.sdk-homepage", StyledText(homepage, .path)) }
    for version in versions {
      document.line()
      document.blocks += version.lines(catalogue).map(Document.Block.line)
    }
    return document
  }
}

extension ReleaseView {
  func lines(_ catalogue: Catalogue) -> [StyledText] {
    var head = StyledText(version, .emphasis) + StyledText("  \(released)  \(ByteCount(size))", .faint)
    if local { head.append("  " + catalogue.text("text.sdk-here"), .good) }
    var lines = [head]
    if let yanked { lines.append("  " + StyledText(catalogue.text("text.sdk-yanked", ["reason": yanked]), .warning)) }
    for text in notes.ordered(catalogue) {
      lines += text.split(whereSeparator: \.isNewline).map { "  " + StyledText(String($0)) }
    }
    if !platforms.isEmpty {
      let list = platforms.sorted { $0.key < $1.key }.map { system, minimum in
        // `"0"` is how a module says: any.
        minimum == "0" ? system : "\(system) \(minimum)"
      }.joined(separator: ", ")
      lines.append("  " + StyledText(catalogue.text("text.sdk-platforms", ["platforms": list]), .faint))
    }
    if !dependencies.isEmpty {
      let list = dependencies.map { $0.text(catalogue) }.joined(separator: ", ")
      lines.append("  " + StyledText(catalogue.text("text.sdk-needs", ["modules": list]), .faint))
    }
    return lines
  }
}

extension ReleaseView.Dependency {
  fileprivate func text(_ catalogue: Catalogue) -> String {
    var marks = platforms
    if optional { marks.append(catalogue.text("text.sdk-optional")) }
    return "\(name) \(requirement)" + (marks.isEmpty ? "" : " (\(marks.joined(separator: ", ")))")
  }
}
