import ArgumentParser
import CommandKit
import MPaaSSupport
import MPaaSTerminal
import MPaaSTrust
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
      let (record, _) = try context.keys.anyRecord(name, isTrusted: trusted)
      let format = format ?? (record.publicKey.kind == .age ? .age : .pem)
      let text = isPrivate ? try privateText(format, in: context) : try record.text(format)
      let output = output.outputFile
      if let output {
        if isPrivate { try PrivateFile.write(text.utf8, to: output) } else { try Bytes(text.utf8).write(to: output) }
      }
      return ExportedKey(
        name: name, format: format.rawValue, isPrivate: isPrivate, key: output == nil ? text : nil, output: output)
    }

    private func privateText(_ format: KeyFormat, in context: Context) throws -> String {
      try context.keys.privateText(of: name, format, unencrypted: unencrypted) {
        try passphrase.open([$0], in: context)
      } passphrase: { sealed in
        try passphrase.fresh(for: output ?? name, at: sealed.isEncrypted ? 1 : 0, in: context)
      }
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
