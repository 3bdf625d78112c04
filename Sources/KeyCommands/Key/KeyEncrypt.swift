import ArgumentParser
import CommandKit
import MPaaSSupport
import MPaaSTerminal
import MPaaSTrust
import MPaaSTrustTools

extension KeyCommand {
  /// `mpaas key encrypt FILE --recipient R`: an age file.
  struct Encrypt: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("encrypt", key: "key.encrypt") }

    @Argument(help: .text("command.key.encrypt.file"), completion: .file())
    var file: String

    @Option(
      name: .customLong("recipient"), help: .text("command.key.encrypt.recipient", valueName: "age"),
      completion: .keysAndFiles)
    var recipients: [String] = []

    @Flag(help: .text("command.key.encrypt.armor"))
    var armor = false

    @Option(name: .shortAndLong, help: .text("command.key.encrypt.output", valueName: "file"), completion: .file())
    var output: String

    @OptionGroup var passphrase: PassphraseOptions
    @OptionGroup var common: CommonOptions

    func validate() throws { try EncryptedFile.checkPaths(file, output) }

    func run(in context: Context) async throws -> EncryptedFile {
      try context.keys.encrypt(file, to: recipients, armored: armor, into: output) {
        try passphrase.source(in: context).fresh(for: output)
      }
      return EncryptedFile(file: file, output: output)
    }
  }

  /// `mpaas key decrypt FILE --name N`: what is in an age file.
  struct Decrypt: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("decrypt", key: "key.decrypt") }

    @Argument(help: .text("command.key.decrypt.file"), completion: .file())
    var file: String

    @Option(help: .text("command.key.decrypt.name", valueName: "name"), completion: .keyNames)
    var name: String?

    @Option(name: .shortAndLong, help: .text("command.key.encrypt.output", valueName: "file"), completion: .file())
    var output: String

    @OptionGroup var passphrase: PassphraseOptions
    @OptionGroup var common: CommonOptions

    func validate() throws { try EncryptedFile.checkPaths(file, output) }

    func run(in context: Context) async throws -> EncryptedFile {
      let passphrases = passphrase.source(in: context)
      try context.keys.decrypt(file, with: name, into: output) {
        try passphrases.open([$0])
      } passphrase: {
        try passphrases.existing(for: file)
      }
      return EncryptedFile(file: file, output: output)
    }
  }
}

/// A file that was encrypted or decrypted.
struct EncryptedFile: Presentable {
  let file: String
  let output: String

  /// Refuses to write a file over itself: a slip would leave nothing of what it was.
  static func checkPaths(_ file: String, _ output: String) throws {
    guard let status = FileStatus(file), status.identity == FileStatus(output)?.identity else { return }
    throw ValidationError(Catalogue.current.text("text.key-same-file", ["path": output]))
  }

  func document(_ catalogue: Catalogue) -> Document {
    [.line(StyledText(catalogue.text("text.key-exported", ["path": output])))]
  }
}
