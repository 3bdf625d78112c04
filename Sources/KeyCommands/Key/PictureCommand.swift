import ArgumentParser
import CommandKit
import MPaaSSupport
import MPaaSTerminal
import MPaaSTrust
import MPaaSTrustTools

extension KeyCommand {
  /// `mpaas key image …`: the picture that carries app keys.
  struct Image: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
      CommandConfiguration(
        "image", key: "key.image",
        subcommands: [Encode.self, Decode.self, List.self, Verify.self, Add.self, Remove.self])
    }
  }
}

/// The options that open a picture.
struct PictureOptions: ParsableArguments {
  @Option(name: .customLong("bundle-id"), help: .text("command.key.image.bundle-id", valueName: "identifier"))
  var bundleIdentifier: String

  @OptionGroup var passphrase: PassphraseOptions

  /// Opens the picture at `path`; only one that was made with a passphrase asks for it.
  func open(_ path: String, in context: Context) throws -> KeyPictureFile {
    try KeyPictureFile(path, bundleIdentifier: bundleIdentifier) {
      try passphrase.source(in: context).existing(for: path)
    }
  }
}

/// The names in a picture, and how long their values are.
struct PictureNames: Presentable {
  struct Pair: Encodable, Sendable {
    let name: String
    /// Bytes.
    let length: Int
  }

  let path: String
  let bundleIdentifier: String
  let pairs: [Pair]

  private enum CodingKeys: String, CodingKey {
    case path, pairs
    case bundleIdentifier = "bundle_id"
  }

  init(path: String, bundleIdentifier: String, pairs: [Pair]) {
    self.path = path
    self.bundleIdentifier = bundleIdentifier
    self.pairs = pairs
  }

  init(_ file: KeyPictureFile) {
    self.init(
      path: file.path, bundleIdentifier: file.bundleIdentifier,
      pairs: file.picture.names.map { name in
        Pair(name: name, length: file.picture.withValue(of: name) { $0.count } ?? 0)
      })
  }

  init(path: String, bundleIdentifier: String, _ pairs: KeyPairs) {
    self.init(
      path: path, bundleIdentifier: bundleIdentifier,
      pairs: pairs.names.map { Pair(name: $0, length: pairs[$0]?.utf8.count ?? 0) })
  }

  func document(_ catalogue: Catalogue) -> Document {
    let values = ["path": path, "count": String(pairs.count), "bundle": bundleIdentifier]
    var document: Document = [.line(StyledText(catalogue.text("text.key-image-summary", values)))]
    guard !pairs.isEmpty else { return document }
    document.table(
      Table(
        columns: [
          .init(catalogue.text("text.key-image-name")), .init(catalogue.text("text.key-image-length"), isNumeric: true),
        ],
        rows: pairs.map { [StyledText($0.name, .emphasis), StyledText(String($0.length), .number)] }))
    return document
  }
}
