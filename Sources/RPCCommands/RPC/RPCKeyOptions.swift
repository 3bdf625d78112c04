import ArgumentParser
import CommandKit
import KeyCommands
import MPaaSRPC
import MPaaSSigning
import MPaaSSupport
import MPaaSTerminal
import MPaaSTrust
import MPaaSTrustTools

/// The algorithm of a signature, and its key: a file, or a name in a key picture.
struct RPCKeyOptions: ParsableArguments {
  @Option(help: .text("command.rpc.sign", valueName: "algorithm"))
  var sign: SigningAlgorithm?

  @Option(help: .text("command.rpc.key-file", valueName: "file"), completion: .file())
  var keyFile: String?

  @Option(help: .text("command.rpc.picture", valueName: "file"), completion: .file(extensions: ["png", "jpg", "jpeg"]))
  var picture: String?

  @Option(name: .customLong("bundle-id"), help: .text("command.rpc.bundle-id", valueName: "identifier"))
  var bundleIdentifier: String?

  @Option(help: .text("command.rpc.key-name", valueName: "name"))
  var keyName: String?

  @OptionGroup var passphrase: PassphraseOptions

  func validate() throws {
    guard sign != nil else { return }
    let isFile = keyFile != nil
    let isPicture = picture != nil && bundleIdentifier != nil && keyName != nil
    guard isFile != isPicture else { throw ValidationError(Catalogue.current.text("text.rpc-key-source")) }
  }

  /// The signer; nil where calls are not signed.
  ///
  /// - Throws: `SigningError`, `TrustError`, `FileError`.
  func signer(in context: Context) throws -> RPCKeySigner? {
    guard let sign else { return nil }
    return RPCKeySigner(try RequestSigner(sign, key: try key(sign, in: context)), keyName: keyName)
  }

  /// The signer of a form; the parser has seen to it that an algorithm is named.
  ///
  /// - Throws: `SigningError`, `TrustError`, `FileError`.
  func requestSigner(_ form: any SigningForm, in context: Context) throws -> RequestSigner {
    guard let sign else { throw SigningError(.keyMalformed) }
    return try RequestSigner(sign, key: try key(sign, in: context), form: form)
  }

  private func key(_ algorithm: SigningAlgorithm, in context: Context) throws -> RequestKey {
    if let picture, let bundleIdentifier, let keyName {
      let opened = try KeyPictureFile(picture, bundleIdentifier: bundleIdentifier) {
        try passphrase.source(in: context).existing(for: picture)
      }
      guard let value = opened.picture[keyName] else {
        throw Diagnostic("rpc-key-unknown", ["file": picture, "name": keyName], exit: .inputMissing)
      }
      return algorithm.isAsymmetric ? try RequestKey(pem: value) : try RequestKey(secret: value)
    }
    var text = try context.data(at: keyFile ?? "-").text
    if algorithm.isAsymmetric { return try RequestKey(pem: text) }
    // The line end of an editor is no part of a secret.
    while text.last?.isNewline == true { text.removeLast() }
    return try RequestKey(secret: text)
  }
}
