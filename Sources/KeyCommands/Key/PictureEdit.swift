import ArgumentParser
import CommandKit
import MPaaSTerminal
import MPaaSTrust
import MPaaSTrustTools

extension KeyCommand.Image {
  /// `mpaas key image list FILE`: the names, without what they stand for.
  struct List: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("list", key: "key.image.list") }

    @Argument(help: .text("command.key.image.file"), completion: .file(extensions: ["png", "jpg"]))
    var file: String

    @OptionGroup var picture: PictureOptions
    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> PictureNames {
      PictureNames(try picture.open(file, in: context))
    }
  }

  /// `mpaas key image verify FILE`: whether the picture opens for an app.
  struct Verify: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("verify", key: "key.image.verify") }

    @Argument(help: .text("command.key.image.file"), completion: .file(extensions: ["png", "jpg"]))
    var file: String

    @OptionGroup var picture: PictureOptions
    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> PictureVerdict {
      let opened = try picture.open(file, in: context)
      return PictureVerdict(
        path: file, bundleIdentifier: picture.bundleIdentifier, count: opened.picture.names.count,
        isProtected: opened.isProtected)
    }
  }

  /// `mpaas key image add FILE NAME`: one more pair, or another value for a name.
  struct Add: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("add", key: "key.image.add") }

    @Argument(help: .text("command.key.image.file"), completion: .file(extensions: ["png", "jpg"]))
    var file: String

    @Argument(help: .text("command.key.image.add.pairs", valueName: "name[=value]"))
    var pairs: [String]

    @Option(help: .text("command.key.image.value-file", valueName: "file"), completion: .file())
    var valueFile: String?

    @OptionGroup var picture: PictureOptions
    @OptionGroup var common: CommonOptions

    func validate() throws {
      if valueFile != nil, pairs.count != 1 || pairs.first?.contains("=") == true {
        throw ValidationError(Catalogue.current.text("text.key-image-one-value"))
      }
    }

    func run(in context: Context) async throws -> PictureNames {
      let opened = try picture.open(file, in: context)
      let changed = try opened.edit { all in
        for text in pairs {
          if text.contains("=") { try all.add(text[...]) } else { try all.set(text, value(text, context)) }
        }
      }
      return PictureNames(path: file, bundleIdentifier: picture.bundleIdentifier, changed)
    }

    /// The value of `name` from the file, or from a person.
    private func value(_ name: String, _ context: Context) throws -> String {
      guard let valueFile else {
        let question = context.catalogue.text("text.key-image-value-ask", ["name": name])
        return String(decoding: try context.terminal.askSecret(question, option: "--value-file"), as: UTF8.self)
      }
      return try KeyPairs.value(in: valueFile == "-" ? "/dev/stdin" : valueFile)
    }
  }

  /// `mpaas key image remove FILE NAME…`: pairs out of a picture.
  struct Remove: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("remove", key: "key.image.remove") }

    @Argument(help: .text("command.key.image.file"), completion: .file(extensions: ["png", "jpg"]))
    var file: String

    @Argument(help: .text("command.key.image.names", valueName: "name"))
    var names: [String]

    @OptionGroup var picture: PictureOptions
    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> PictureNames {
      let opened = try picture.open(file, in: context)
      let changed = try opened.edit { try $0.remove(names) }
      return PictureNames(path: file, bundleIdentifier: picture.bundleIdentifier, changed)
    }
  }
}

/// That a picture opens.
struct PictureVerdict: Presentable {
  let path: String
  let bundleIdentifier: String
  let count: Int
  /// Tells whether a passphrase is needed too.
  let isProtected: Bool

  private enum CodingKeys: String, CodingKey {
    case valid, path, bundleIdentifier = "bundle_id", count, isProtected = "passphrase"
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(true, forKey: .valid)
    try container.encode(path, forKey: .path)
    try container.encode(bundleIdentifier, forKey: .bundleIdentifier)
    try container.encode(count, forKey: .count)
    try container.encode(isProtected, forKey: .isProtected)
  }

  func document(_ catalogue: Catalogue) -> Document {
    let values = ["path": path, "count": String(count), "bundle": bundleIdentifier]
    return [.line(StyledText(catalogue.text("text.key-image-valid", values), .good))]
  }
}
