import MPaaSSupport
package import MPaaSTrust

/// The passphrases of one call: from files, an open file, a variable of the environment, or a person.
///
/// The first of these that is given is taken; a person is asked where none is.
package struct PassphraseSource: Sendable {
  /// Files whose first lines are passphrases: each opens one thing in its turn, the last all that follow.
  package var files: [String]
  /// An open file.
  package var descriptor: Int32?
  /// The value of a variable of the environment; an empty one gives nothing.
  package var variable: String?
  private let effects: PassphraseEffects

  package init(
    files: [String] = [], descriptor: Int32? = nil, variable: String? = nil, effects: PassphraseEffects
  ) {
    self.files = files
    self.descriptor = descriptor
    self.variable = variable
    self.effects = effects
  }

  /// The passphrase that opens something that is there.
  ///
  /// - Parameters:
  ///   - name: The name of what is opened, for the question.
  ///   - index: How many passphrases were taken before by the same call.
  /// - Throws: `Diagnostic` `passphrase-empty`; `TrustError` of a file; what the effects throw.
  package func existing(for name: String, at index: Int = 0) throws -> SecretBytes {
    try given(at: index) ?? ask(.existing(name))
  }

  /// A passphrase for something new; a person types it twice.
  ///
  /// - Throws: `Diagnostic` `passphrase-differs` where the two are not the same, and as `existing`.
  package func fresh(for name: String, at index: Int = 0) throws -> SecretBytes {
    if let given = try given(at: index) { return given }
    let first = try ask(.new(name))
    let second = try ask(.again)
    guard first.withUnsafeBytes({ one in second.withUnsafeBytes { one.elementsEqual($0) } }) else {
      throw Diagnostic("passphrase-differs", exit: .usage)
    }
    return first
  }

  /// Tells of a file that others than its owner may read.
  func warn(_ diagnostic: Diagnostic) { effects.warn(diagnostic) }

  /// The passphrase that no person types; nil where none is given.
  private func given(at index: Int) throws -> SecretBytes? {
    if let last = files.last {
      let path = index < files.count ? files[index] : last
      let (bytes, isOpenToOthers) = try PrivateFile.readAnyway(path)
      if isOpenToOthers { warn(Diagnostic("passphrase-file-open", ["path": path], exit: .notPermitted)) }
      return try Self.firstLine(of: bytes)
    }
    if let descriptor { return try Self.firstLine(of: effects.read(descriptor)) }
    guard var bytes = variable.map({ Array($0.utf8) }), !bytes.isEmpty else { return nil }
    defer { SecretBytes.wipe(&bytes) }
    return bytes.withUnsafeBytes { SecretBytes(copying: $0) }
  }

  private func ask(_ question: PassphraseQuestion) throws -> SecretBytes {
    var typed = try effects.ask(question)
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
