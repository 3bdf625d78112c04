import MPaaSPipelines
import MPaaSSupport
import MPaaSSymbols
import MPaaSTerminal

/// The images of a build with the state of their symbols, and the files that were kept and sent.
struct SymbolsOfBuild: Presentable {
  struct Image: Encodable, Sendable {
    let path: String
    /// nil where the linker gave it none.
    let buildID: String?
    let architecture: String
    let symbols: BuildImage.Symbols

    private enum CodingKeys: String, CodingKey {
      case path, architecture, symbols
      case buildID = "build_id"
    }
  }

  struct File: Encodable, Sendable {
    let name: String
    let buildID: String
    let isNew: Bool

    private enum CodingKeys: String, CodingKey {
      case name
      case buildID = "build_id"
      case isNew = "new"
    }
  }

  struct Upload: Encodable, Sendable {
    let url: String
    let isNew: Bool
    /// Bytes.
    let size: UInt64

    private enum CodingKeys: String, CodingKey {
      case url, size
      case isNew = "new"
    }
  }

  let images: [Image]
  let files: [File]
  /// nil where no server was named.
  let uploads: [Upload]?
  /// Files that could not be kept.
  let failed: Int
  private let allowsMissing: Bool

  private enum CodingKeys: String, CodingKey { case images, files, uploads, failed }

  init(
    _ build: BuildSymbols, _ added: BuildSymbols.Added, _ sent: [SymbolUpload.Sent]?, allowsMissing: Bool
  ) {
    images = build.images.map {
      Image(path: $0.path, buildID: $0.buildID?.hex, architecture: $0.architecture, symbols: $0.symbols)
    }
    files = added.files.map { File(name: $0.stored.name, buildID: $0.stored.buildID.hex, isNew: $0.isNew) }
    uploads = sent?.map { Upload(url: $0.url, isNew: $0.isNew, size: $0.size) }
    failed = added.problems.count
    self.allowsMissing = allowsMissing
  }

  private var missing: [Image] { images.filter { [.missing, .unidentified].contains($0.symbols) } }

  var exit: ExitStatus { failed > 0 || (!allowsMissing && !missing.isEmpty) ? .negative : .done }

  func document(_ catalogue: Catalogue) -> Document {
    var document = Document()
    for image in missing {
      let text = catalogue.text("text.ci-symbols-\(image.symbols.rawValue)", ["arch": image.architecture])
      var line = StyledText("\(image.path): ", .path) + StyledText(text, .warning)
      if let id = image.buildID { line += StyledText("  \(id)", .address) }
      document.line(line)
    }
    if !missing.isEmpty { document.line(StyledText(catalogue.text("text.ci-symbols-help"), .faint)) }
    let values = [
      "images": "\(images.count)", "missing": "\(missing.count)", "new": "\(files.count(where: \.isNew))",
      "known": "\(files.count { !$0.isNew })",
    ]
    document.line(
      StyledText(catalogue.text("text.ci-symbols-sum", values), missing.isEmpty && failed == 0 ? .good : .emphasis))
    if let uploads { document.line(StyledText(Self.sum(uploads, catalogue), .good)) }
    return document
  }

  private static func sum(_ uploads: [Upload], _ catalogue: Catalogue) -> String {
    let new = uploads.filter(\.isNew)
    let size = ByteCount(new.reduce(0) { $0 + $1.size }).description
    return catalogue.text(
      "text.ci-symbols-uploaded",
      ["new": "\(new.count)", "known": "\(uploads.count - new.count)", "size": size])
  }
}
