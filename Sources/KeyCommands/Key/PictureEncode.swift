import ArgumentParser
import CommandKit
import MPaaSSupport
import MPaaSTerminal
import MPaaSTrust
import MPaaSTrustTools

extension KeyCommand.Image {
  /// `mpaas key image encode --output FILE`: pairs into a picture.
  struct Encode: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("encode", key: "key.image.encode") }

    @Option(name: .shortAndLong, help: .text("command.key.image.output", valueName: "file"), completion: .file())
    var output: String

    @Option(
      help: .text("command.key.image.carrier", valueName: "picture"), completion: .file(extensions: ["png", "jpg"]))
    var carrier: String?

    @Option(help: .text("command.key.image.pairs", valueName: "file"), completion: .file())
    var pairs: String?

    @Option(name: .customLong("pair"), help: .text("command.key.image.pair", valueName: "name=value"))
    var single: [String] = []

    @Flag(help: .text("command.key.image.with-passphrase"))
    var withPassphrase = false

    @OptionGroup var picture: PictureOptions
    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> PictureNames {
      var all = KeyPairs()
      if let pairs {
        let path = pairs == "-" ? "/dev/stdin" : pairs
        try all.add(try Bytes.reading(path, limit: KeyPicture.largestPicture), name: pairs)
      }
      for text in single { try all.add(text[...]) }
      guard !all.names.isEmpty else { throw Diagnostic("key-pairs-none", exit: .usage) }
      let isNew = picture.passphrase.isGiven || withPassphrase
      try KeyPictureFile.make(all, carrier: carrier, at: output, bundleIdentifier: picture.bundleIdentifier) {
        isNew ? try picture.passphrase.source(in: context).fresh(for: output) : nil
      }
      return PictureNames(path: output, bundleIdentifier: picture.bundleIdentifier, all)
    }
  }

  /// `mpaas key image decode FILE`: the pairs of a picture.
  struct Decode: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("decode", key: "key.image.decode") }

    @Argument(help: .text("command.key.image.file"), completion: .file(extensions: ["png", "jpg"]))
    var file: String

    @OptionGroup var picture: PictureOptions
    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> PicturePairs {
      let opened = try picture.open(file, in: context)
      return PicturePairs(
        path: file, bundleIdentifier: picture.bundleIdentifier, pairs: try opened.picture.editable.values)
    }
  }
}

/// The pairs of a picture with their values.
struct PicturePairs: Presentable {
  let path: String
  let bundleIdentifier: String
  let pairs: [String: String]

  private enum CodingKeys: String, CodingKey {
    case path
    case bundleIdentifier = "bundle_id"
    case pairs
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(path, forKey: .path)
    try container.encode(bundleIdentifier, forKey: .bundleIdentifier)
    // A JSONValue keeps the names as they are.
    try container.encode(JSONValue.object(pairs.mapValues { .string($0) }), forKey: .pairs)
  }

  func document(_ catalogue: Catalogue) -> Document {
    let names = pairs.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    return Document(lines: names.map { StyledText("\($0)=\(pairs[$0] ?? "")") })
  }
}
