import ArgumentParser
import CommandKit
import MPaaSSupport
import MPaaSTerminal
import MPaaSTrust

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension KeyCommand {
  /// The program whose form a signature has.
  enum SignatureFormat: String, ExpressibleByArgument, CaseIterable {
    case minisign, signify

    /// The ending behind the name of the file.
    var suffix: String { self == .minisign ? ".minisig" : ".sig" }
  }

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
      let path = output ?? file + format.suffix
      let (signature, signed) = try Self.signature(of: message, by: key, format, comment ?? usualComment(in: context))
      try Bytes(signature.utf8).write(to: path)
      return SignedFile(file: file, signature: path, key: name, comment: signed)
    }

    private func usualComment(in context: Context) -> String {
      switch format {
      case .minisign: "timestamp:\(Int64(context.now().timeIntervalSince1970))\tfile:\(FileSystem.name(of: file))"
      case .signify: "verify with \(FileSystem.name(of: name)).pub"
      }
    }

    /// The signature's file, and the comment that is signed too; nil for signify, which signs none.
    private static func signature(
      of message: Bytes, by key: NumberedSigningKey, _ format: SignatureFormat, _ comment: String
    ) throws -> (text: String, signed: String?) {
      switch format {
      case .minisign: (try MinisignSignature(message.buffer, by: key, trustedComment: comment).text, comment)
      case .signify: (try SignifySignature(message.buffer, by: key, comment: comment).text, nil)
      }
    }
  }

  /// `mpaas key verify FILE --trust PUBLIC`: whether a signature of minisign or signify is good.
  struct Verify: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("verify", key: "key.verify") }

    @Argument(help: .text("command.key.sign.file"), completion: .file())
    var file: String

    @Option(help: .text("command.key.verify.trust", valueName: "public"), completion: .file())
    var trust: String

    @Option(help: .text("command.key.verify.signature", valueName: "file"), completion: .file())
    var signature: String?

    @Flag(name: [.customShort("H"), .customLong("prehashed")], help: .text("command.key.verify.prehashed"))
    var isPrehashed = false

    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> SignedFile {
      let record = try context.keys.publicRecord(trust)
      try record.check(for: nil, at: context.now())
      let text = try Bytes.reading(signaturePath, limit: PrivateFile.limit).array
      let message = try Bytes.mapping(file)
      defer { withExtendedLifetime(message) {} }
      let key = NumberedKey(number: record.minisignNumber, key: try record.publicKey.verificationKey())
      var comment: String?
      if SignifySignature.isSignify(text) {
        // signify signs files as they are.
        guard !isPrehashed else { throw TrustError(.signatureNotPrehashed) }
        try SignifySignature(reading: text).verify(message.buffer, by: key)
      } else {
        let found = try MinisignSignature(reading: text)
        try found.verify(message.buffer, by: key, requiresDigest: isPrehashed)
        comment = found.trustedComment
      }
      return SignedFile(file: file, signature: signaturePath, key: record.name, comment: comment, isVerified: true)
    }

    /// The signature that is named, else the one beside the file, minisign's first.
    private var signaturePath: String {
      if let signature { return signature }
      let other = file + SignatureFormat.signify.suffix, usual = file + SignatureFormat.minisign.suffix
      return FileStatus(usual) == nil && FileStatus(other) != nil ? other : usual
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
  var isVerified = false

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
