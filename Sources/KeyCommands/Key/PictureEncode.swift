import ArgumentParser
import CommandKit
import MPaaSSupport
import MPaaSTerminal
import MPaaSTrust

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
      if let pairs { try PairText.read(pairs, into: &all) }
      for text in single { try PairText.add(text[...], to: &all) }
      guard !all.names.isEmpty else { throw Diagnostic("key-pairs-none", exit: .usage) }
      let bytes = try carrier.map { try KeyPicture.read($0) }
      let isNew = picture.passphrase.isGiven || withPassphrase
      let secret = isNew ? try picture.passphrase.fresh(for: output, in: context) : nil
      try picture.write(all, into: bytes, at: output, secret)
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

/// Pairs as people write them: an object of JSON, or a line `name=value` each.
enum PairText {
  /// Reads a file, or standard input where `path` is `-`.
  ///
  /// - Throws: `key-pairs-malformed` with the line, and what `KeyPairs.set` throws.
  static func read(_ path: String, into pairs: inout KeyPairs) throws {
    let bytes = try Bytes.reading(path == "-" ? "/dev/stdin" : path, limit: KeyPicture.largestPicture)
    let text = bytes.array
    if text.first(where: { !" \t\r\n".utf8.contains($0) }) == UInt8(ascii: "{") {
      guard let members = try? JSONValue(reading: bytes.buffer).object else { throw malformed(path, 1) }
      for (name, value) in members {
        guard let value = value.string else { throw malformed(path, 1) }
        try pairs.set(name, value)
      }
      return
    }
    let lines = String(decoding: text, as: UTF8.self).split(
      omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    for (index, line) in lines.enumerated() where !line.isEmpty && !line.hasPrefix("#") {
      guard line.contains("=") else { throw malformed(path, index + 1) }
      try add(line, to: &pairs)
    }
  }

  /// Takes `name=value`; the value may have further equals signs.
  static func add(_ text: Substring, to pairs: inout KeyPairs) throws {
    guard let equals = text.firstIndex(of: "=") else { throw malformed(String(text), 1) }
    try pairs.set(String(text[..<equals]), String(text[text.index(after: equals)...]))
  }

  private static func malformed(_ path: String, _ line: Int) -> Diagnostic {
    Diagnostic("key-pairs-malformed", ["path": path, "line": String(line)], exit: .malformedInput)
  }
}
