package import ArgumentParser
package import CommandKit
import MPaaSSupport
import MPaaSTerminal
package import MPaaSTrust
package import MPaaSTrustTools
import Synchronization

/// Where passphrases of keys come from: a file, an open file, `MPAAS_PASSPHRASE`, or a person at the terminal.
package struct PassphraseOptions: ParsableArguments {
  @Option(help: .text("command.key.passphrase-file", valueName: "file"), completion: .file())
  package var passphraseFile: [String] = []

  @Option(help: .text("command.key.passphrase-fd", valueName: "number"))
  package var passphraseFd: Int32?

  package init() {}

  package func validate() throws {
    if !passphraseFile.isEmpty, passphraseFd != nil {
      throw ValidationError(Catalogue.current.text("text.key-passphrase-twice"))
    }
  }

  /// Whether an option says where it comes from.
  package var isGiven: Bool { !passphraseFile.isEmpty || passphraseFd != nil }

  /// The passphrase that opens something that is there.
  ///
  /// - Parameters:
  ///   - name: What is opened, for the question.
  ///   - index: How many were opened before by the same call: of several files each opens one key in its turn.
  package func existing(for name: String, at index: Int = 0, in context: Context) throws -> SecretBytes {
    if let given = try given(at: index, in: context) { return given }
    return try ask(context.catalogue.text("text.key-passphrase-ask", ["name": name]), context)
  }

  /// A passphrase for something new; a person types it twice.
  ///
  /// - Parameter index: How many passphrases were taken before by the same call.
  package func fresh(for name: String, at index: Int = 0, in context: Context) throws -> SecretBytes {
    if let given = try given(at: index, in: context) { return given }
    let first = try ask(context.catalogue.text("text.key-passphrase-new", ["name": name]), context)
    let second = try ask(context.catalogue.text("text.key-passphrase-again"), context)
    guard first.withUnsafeBytes({ one in second.withUnsafeBytes { one.elementsEqual($0) } }) else {
      throw Diagnostic("passphrase-differs", exit: .usage)
    }
    return first
  }

  /// What the options or the environment give; nil where they give nothing.
  private func given(at index: Int, in context: Context) throws -> SecretBytes? {
    if let last = passphraseFile.last {
      let path = index < passphraseFile.count ? passphraseFile[index] : last
      let (bytes, isOpenToOthers) = try PrivateFile.readAnyway(path)
      if isOpenToOthers {
        context.terminal.warning(Diagnostic("passphrase-file-open", ["path": path], exit: .notPermitted))
      }
      return try Self.firstLine(of: bytes)
    }
    if let passphraseFd {
      return try Self.firstLine(of: Self.read(passphraseFd))
    }
    guard var bytes = context.environment["MPAAS_PASSPHRASE"].map({ Array($0.utf8) }), !bytes.isEmpty else {
      return nil
    }
    defer { SecretBytes.wipe(&bytes) }
    return bytes.withUnsafeBytes { SecretBytes(copying: $0) }
  }

  /// An open file is read once, and its passphrase serves for all that the call opens.
  private static func read(_ descriptor: Int32) throws -> SecretBytes {
    try taken.withLock { taken in
      if let bytes = taken[descriptor] { return bytes }
      let bytes = try PrivateFile.read(descriptor: descriptor, "--passphrase-fd \(descriptor)")
      taken[descriptor] = bytes
      return bytes
    }
  }

  private static let taken = Mutex<[Int32: SecretBytes]>([:])

  private func ask(_ question: String, _ context: Context) throws -> SecretBytes {
    var typed = try context.terminal.askSecret(question, option: "--passphrase-file")
    defer { SecretBytes.wipe(&typed) }
    guard !typed.isEmpty else { throw Diagnostic("passphrase-empty", exit: .usage) }
    return typed.withUnsafeBytes { SecretBytes(copying: $0) }
  }

  /// The bytes before the first line's end; editors put one behind what is typed.
  private static func firstLine(of file: SecretBytes) throws -> SecretBytes {
    try file.withUnsafeBytes { bytes in
      let line = bytes.prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
      guard !line.isEmpty else { throw Diagnostic("passphrase-empty", exit: .usage) }
      return SecretBytes(copying: UnsafeRawBufferPointer(rebasing: line))
    }
  }
}

extension PassphraseOptions {
  /// Opens keys to sign for `role`, asking for the passphrases of those that have one.
  ///
  /// - Parameter words: Names of the store's keys, or paths of files that hold a private key.
  /// - Throws: `TrustError`, `Diagnostic`.
  package func signingKeys(_ words: [String], for role: KeyRole, in context: Context) throws -> [SigningKey] {
    // All are looked at before anybody types a passphrase.
    let sealed = try words.map { try context.keys.sealedKey($0) }
    for key in sealed { try key.check(for: role, at: context.now()) }
    return try open(sealed, in: context).map { try $0.signingKey() }
  }

  /// Opens one key to sign for `role`.
  package func signingKey(_ word: String, for role: KeyRole, in context: Context) throws -> SigningKey {
    let keys = try signingKeys([word], for: role, in: context)
    guard let key = keys.first else { throw TrustError(.keyUnknown, ["name": word]) }
    return key
  }

  /// Opens keys, asking for the passphrases of those that have one.
  package func open(_ keys: [SealedKey], in context: Context) throws -> [PrivateKey] {
    var count = 0
    return try keys.map { key in
      let passphrase = key.isEncrypted ? try existing(for: key.name, at: count, in: context) : nil
      count += key.isEncrypted ? 1 : 0
      return try key.open(with: passphrase)
    }
  }
}
