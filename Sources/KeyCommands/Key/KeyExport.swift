import ArgumentParser
import CommandKit
import MPaaSTerminal
import MPaaSToolSupport
import MPaaSTrustTools

extension KeyFormat: ExpressibleByArgument {}

extension KeyCommand {
  /// `mpaas key export --name N`: a key for other programs.
  struct Export: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("export", key: "key.export") }

    @Option(help: .text("command.key.name", valueName: "name"), completion: .keyNames)
    var name: String

    @Flag(name: .customLong("public"), help: .text("command.key.export.public"))
    var isPublic = false

    @Flag(name: .customLong("private"), help: .text("command.key.export.private"))
    var isPrivate = false

    @Option(help: .text("command.key.export.format"))
    var format: KeyFormat?

    @Option(name: .shortAndLong, help: .text("command.key.export.output", valueName: "file"), completion: .file())
    var output: String?

    @Flag(help: .text("command.key.trusted"))
    var trusted = false

    @Flag(help: .text("command.key.unencrypted"))
    var unencrypted = false

    @OptionGroup var passphrase: PassphraseOptions
    @OptionGroup var common: CommonOptions

    func validate() throws {
      if isPublic, isPrivate { throw ValidationError(Catalogue.current.text("text.key-public-or-private")) }
    }

    func run(in context: Context) async throws -> ExportedKey {
      let place = ResultPlace(output)
      let (format, text) = try context.keys.export(
        name, isTrusted: trusted, as: KeyExport(format: format, isPrivate: isPrivate, isOpen: unencrypted), to: place,
        passphrases: passphrase.source(in: context))
      return ExportedKey(name: name, format: format.rawValue, isPrivate: isPrivate, key: text, output: place.file)
    }
  }
}

/// A key that was written for other programs.
struct ExportedKey: Presentable {
  let name: String
  let format: String
  let isPrivate: Bool
  let key: String?
  let output: String?

  private enum CodingKeys: String, CodingKey {
    case name, format, key, output
    case isPrivate = "private"
  }

  func document(_ catalogue: Catalogue) -> Document {
    if let output { return [.line(StyledText(catalogue.text("text.key-exported", ["path": output])))] }
    return Document(lines: (key ?? "").split(separator: "\n").map { StyledText(verbatim: String($0)) })
  }
}
