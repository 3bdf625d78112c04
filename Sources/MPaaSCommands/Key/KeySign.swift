import ArgumentParser
import MPaaSSupport
import MPaaSTerminal
import MPaaSTrust

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension KeyCommand {
  /// `mpaas key sign FILE --name N`: a signature as minisign makes it.
  struct Sign: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("sign", key: "key.sign") }

    @Argument(help: .text("command.key.sign.file"), completion: .file())
    var file: String

    @Option(help: .text("command.key.name", valueName: "name"), completion: .keyNames)
    var name: String

    @Option(help: .text("command.key.sign.comment", valueName: "text"))
    var comment: String?

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
      let message = try Bytes.mapping(file)
      defer { withExtendedLifetime(message) {} }
      let sealed = try context.keys.sealedKey(name)
      if let record = sealed.record {
        let kind = try record.publicKey.verificationKey().scheme
        guard kind == .ed25519 else {
          throw Diagnostic("key-not-minisign", ["name": name, "kind": record.publicKey.kind.rawValue], exit: .usage)
        }
        try record.check(for: nil, at: context.now())
      }
      guard let opened = try passphrase.open([sealed], in: context).first else {
        throw TrustError(.keyUnknown, ["name": name])
      }
      let number = (sealed.record ?? KeyRecord(name: "key", publicKey: opened.publicKey, created: context.now()))
        .minisignNumber
      let key = try NumberedSigningKey(opened.signingKey(), number: number)
      let text = comment ?? "timestamp:\(Int64(context.now().timeIntervalSince1970))\tfile:\(FileSystem.name(of: file))"
      let signature = try MinisignSignature(message.buffer, by: key, trustedComment: text)
      let path = output ?? file + ".minisig"
      try Bytes(signature.text.utf8).write(to: path)
      return SignedFile(file: file, signature: path, key: name, comment: text)
    }
  }

  /// `mpaas key verify FILE --trust PUBLIC`: whether a signature of minisign is good.
  struct Verify: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("verify", key: "key.verify") }

    @Argument(help: .text("command.key.sign.file"), completion: .file())
    var file: String

    @Option(help: .text("command.key.verify.trust", valueName: "public"), completion: .file())
    var trust: String

    @Option(help: .text("command.key.verify.signature", valueName: "file"), completion: .file())
    var signature: String?

    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> SignedFile {
      let record = try context.keys.publicRecord(trust)
      try record.check(for: nil, at: context.now())
      let path = signature ?? file + ".minisig"
      let found = try MinisignSignature(reading: Bytes.reading(path, limit: PrivateFile.limit).array)
      let message = try Bytes.mapping(file)
      defer { withExtendedLifetime(message) {} }
      let key = NumberedKey(number: record.minisignNumber, key: try record.publicKey.verificationKey())
      try found.verify(message.buffer, by: key)
      return SignedFile(file: file, signature: path, key: record.name, comment: found.trustedComment, isVerified: true)
    }
  }
}

/// A file with its signature.
struct SignedFile: Presentable {
  let file: String
  let signature: String
  let key: String
  /// What the signature says of the file, signed too.
  let comment: String
  var isVerified = false

  private enum CodingKeys: String, CodingKey {
    case file, signature, key, comment
    case isVerified = "verified"
  }

  func document(_ catalogue: Catalogue) -> Document {
    let values = ["file": file, "signature": signature, "key": key, "comment": comment]
    return [.line(StyledText(catalogue.text(isVerified ? "text.key-verified" : "text.key-signed", values), .good))]
  }
}
