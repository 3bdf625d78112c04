import ArgumentParser
import CommandKit
import MPaaSTerminal
import MPaaSTrustTools

extension SignatureFormat: ExpressibleByArgument {}

extension KeyCommand {
  /// `mpaas key sign FILE --name N`: a signature as minisign or signify makes it.
  struct Sign: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("sign", key: "key.sign") }

    @Argument(help: .text("command.key.sign.file"), completion: .file())
    var file: String

    @Option(help: .text("command.key.name", valueName: "name"), completion: .keyNames)
    var name: String

    @Option(help: .text("command.key.sign.comment", valueName: "text"))
    var comment: String?

    @Option(help: .text("command.key.sign.format"))
    var format = SignatureFormat.minisign

    @Option(name: .shortAndLong, help: .text("command.key.sign.output", valueName: "file"), completion: .file())
    var output: String?

    @OptionGroup var passphrase: PassphraseOptions
    @OptionGroup var common: CommonOptions

    func validate() throws {
      if let comment, comment.contains(where: \.isNewline) {
        throw ValidationError(Catalogue.current.text("text.key-comment-line"))
      }
    }

    func run(in context: Context) async throws -> SignedFile {
      SignedFile(
        try context.keys.sign(file, with: name, format, comment: comment, to: output) {
          try passphrase.source(in: context).open($0)
        }, isVerified: false)
    }
  }

  /// `mpaas key verify FILE --trust PUBLIC`: whether a signature of minisign or signify is good.
  struct Verify: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("verify", key: "key.verify") }

    @Argument(help: .text("command.key.sign.file"), completion: .file())
    var file: String

    @Option(help: .text("command.key.verify.trust", valueName: "public"), completion: .keysAndFiles)
    var trust: String

    @Option(help: .text("command.key.verify.signature", valueName: "file"), completion: .file())
    var signature: String?

    @Flag(name: [.customShort("H"), .customLong("prehashed")], help: .text("command.key.verify.prehashed"))
    var isPrehashed = false

    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> SignedFile {
      SignedFile(
        try context.keys.verify(file, by: trust, signature: signature, prehashed: isPrehashed), isVerified: true)
    }
  }
}

/// A file with its signature.
struct SignedFile: Presentable {
  let file: String
  let signature: String
  let key: String
  /// The comment on the file, signed too; nil for signatures of signify, whose comments are not.
  let comment: String?
  let isVerified: Bool

  init(_ signed: FileSignature, isVerified: Bool) {
    file = signed.file
    signature = signed.signature
    key = signed.key
    comment = signed.comment
    self.isVerified = isVerified
  }

  private enum CodingKeys: String, CodingKey {
    case file, signature, key, comment
    case isVerified = "verified"
  }

  func document(_ catalogue: Catalogue) -> Document {
    let values = ["file": file, "signature": signature, "key": key, "comment": comment ?? ""]
    let text = (isVerified ? "text.key-verified" : "text.key-signed") + (comment == nil ? "-plain" : "")
    return [.line(StyledText(catalogue.text(text, values), .good))]
  }
}
