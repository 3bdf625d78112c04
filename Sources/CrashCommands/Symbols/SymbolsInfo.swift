import ArgumentParser
import CommandKit
import MPaaSSupport
import MPaaSSymbols
import MPaaSTerminal

extension SymbolsCommand {
  /// `mpaas symbols info PATH`: what a file, or a build in the store, offers.
  struct Info: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("info", key: "symbols.info") }

    @Argument(help: .text("command.symbols.info.path"), completion: .file())
    var path: String

    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> SymbolFileInfo {
      let store = context.symbols
      if FileStatus(path) == nil, let stored = try stored(in: store) {
        return try describe(store.path(of: stored), store)
      }
      return try describe(FileContent.objectPath(path), store)
    }

    private func describe(_ file: String, _ store: SymbolStore) throws -> SymbolFileInfo {
      SymbolFileInfo(
        images: try SymbolStore.describe(file).map { description in
          SymbolImageInfo(file, description, stored: description.buildID.map(store.entries) ?? [], store)
        })
    }

    /// The build that the word names, where it can only be one.
    private func stored(in store: SymbolStore) throws -> StoredSymbols? {
      guard path.utf8.count >= 4, !path.contains("/") else { return nil }
      let builds = try store.builds(matching: path)
      guard builds.count <= 1 else { throw StoreError.ambiguousBuild(word: path, builds: builds) }
      return builds.first.flatMap { store.entries(of: $0).first }
    }
  }
}

/// The facts that `mpaas symbols info` tells: of a file with one image that, of a fat file all.
///
/// As JSON it is the first image, with all of them under `images`.
struct SymbolFileInfo: Presentable {
  let images: [SymbolImageInfo]

  private enum CodingKeys: String, CodingKey { case images }

  func encode(to encoder: any Encoder) throws {
    try images.first?.encode(to: encoder)
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(images, forKey: .images)
  }

  func document(_ catalogue: Catalogue) -> Document {
    var document = Document()
    for (index, image) in images.enumerated() {
      if index > 0 { document.line(StyledText("")) }
      for line in image.lines(catalogue) { document.line(line) }
    }
    return document
  }
}

/// The facts that `mpaas symbols info` tells of one image.
struct SymbolImageInfo: Encodable, Sendable {
  struct Link: Encodable, Sendable {
    let name: String
    var checksum: String?
    var buildID: String?

    private enum CodingKeys: String, CodingKey {
      case name, checksum
      case buildID = "build_id"
    }
  }

  let path: String
  let buildID: String?
  let kind: String
  let architecture: String
  let bits: Int
  let byteOrder: String
  let size: UInt64
  let sections: [String]
  let symbols: Int
  let answers: String
  let isEncrypted: Bool
  let debugLink: Link?
  let alternateDebugLink: Link?
  let stored: [StoredSymbolsRow]

  private enum CodingKeys: String, CodingKey {
    case path, kind, architecture, bits, byteOrder, size, sections, symbols, answers, debugLink, alternateDebugLink
    case stored
    case isEncrypted = "encrypted"
    case buildID = "build_id"
  }

  init(_ path: String, _ description: ImageDescription, stored: [StoredSymbols], _ store: SymbolStore) {
    self.path = path
    buildID = description.buildID?.hex
    kind = description.kind.rawValue
    architecture = description.architecture
    bits = description.bits
    byteOrder = description.isBigEndian ? "big" : "little"
    size = description.size
    sections = description.sections
    symbols = description.symbols
    answers = description.answers.rawValue
    isEncrypted = description.isEncrypted
    debugLink = description.debugLink.map { link in
      Link(name: link.name, checksum: "0x" + link.checksum.padded(to: 8, radix: 16))
    }
    alternateDebugLink = description.alternateDebugLink.map { Link(name: $0.path, buildID: $0.buildID?.hex) }
    self.stored = stored.map { StoredSymbolsRow($0, in: store) }
  }

  func lines(_ catalogue: Catalogue) -> [StyledText] {
    let none = StyledText(catalogue.text("text.symbols-none"), .faint)
    func text(_ key: String, _ role: TextRole = .plain) -> StyledText { StyledText(catalogue.text(key), role) }
    var rows: [(String, StyledText)] = [
      ("path", StyledText(path, .path)),
      ("build-id", buildID.map { StyledText($0, .address) } ?? none),
      ("kind", text("text.symbols-kind-\(kind)")),
      (
        "architecture",
        StyledText("\(architecture), \(bits)-bit, \(byteOrder)-endian")
          + StyledText(isEncrypted ? ", " + catalogue.text("text.symbols-encrypted") : "", .warning)
      ),
      ("size", StyledText(ByteCount(size).description, .number)),
      ("sections", sections.isEmpty ? none : StyledText(sections.joined(separator: ", "))),
      ("symbols", StyledText(String(symbols), .number)),
      ("answers", text("text.symbols-answers-\(answers)", answers == "lines" ? .good : .warning)),
    ]
    if let debugLink {
      rows.append(("debug-link", StyledText("\(debugLink.name) (CRC-32 \(debugLink.checksum ?? ""))")))
    }
    if let link = alternateDebugLink {
      rows.append(("alternate-link", StyledText("\(link.name) \(link.buildID.map { "(\($0))" } ?? "")")))
    }
    let roles = stored.map { catalogue.text("text.symbols-role-\($0.role)") }
    rows.append(("stored", roles.isEmpty ? none : StyledText(roles.joined(separator: ", "))))
    let labels = rows.map { catalogue.text("text.symbols-" + $0.0) }
    let width = labels.map(\.displayWidth).max() ?? 0
    return zip(labels, rows).map { label, row in
      StyledText(label, .heading) + StyledText(String(repeating: " ", count: width + 2 - label.displayWidth)) + row.1
    }
  }
}
