import Foundation
import MPaaSSupport
import MPaaSTestSupport
import MPaaSToolSupport
import MPaaSTrust
import MPaaSTrustTools
import Testing

@Suite("Keys whose passphrases are asked for") struct ProtectedKeyTests {
  struct Asked: Error {}

  let folder: TemporaryFolder
  var store: KeyStore

  init() throws {
    folder = try TemporaryFolder()
    store = KeyStore(folder: folder.path + "/keys")
    store.workFactor = 10
  }

  private func isOpened(_ name: String, by passphrase: String?) throws -> Bool {
    let key = try store.sealedKey(name)
    return (try? key.open(with: passphrase.map { SecretBytes(copying: $0) })) != nil
  }

  // MARK: New keys

  @Test("are opened by what was typed twice when they were made")
  func generate() throws {
    let person = AnsweringPerson("horse", "horse")
    _ = try store.generate("anna", .ed25519, for: KeyUse(roles: [.patches]), .passphrase(person.source))
    #expect(try store.record("anna").roles == [.patches])
    #expect(try isOpened("anna", by: "horse"))
    #expect(try !isOpened("anna", by: "other"))
  }

  @Test("are made without a question where none shall protect them")
  func generateOpen() throws {
    _ = try store.generate("anna", .ed25519, for: KeyUse(), .none)
    #expect(try isOpened("anna", by: nil))
  }

  @Test("are asked about only where the name is free and the end is good")
  func generateTaken() throws {
    _ = try store.generate("anna", passphrase: nil)
    let person = AnsweringPerson("horse", "horse")
    let protection = KeyProtection.passphrase(person.source)
    #expect(refusal { try store.generate("anna", .ed25519, for: KeyUse(), protection) } == "key-exists")
    #expect(throws: Asked.self) {
      try store.generate("ben", .ed25519, for: KeyUse(expires: { throw Asked() }), protection)
    }
    #expect(person.questions == [])
  }

  @Test("have the old key's passphrase asked for first, then that of the successor")
  func rotate() throws {
    _ = try store.generate("anna", roles: [.patches], passphrase: SecretBytes(copying: "old"))
    let person = AnsweringPerson("old", "new", "new")
    let rotated = try store.rotate(
      "anna", to: nil, for: KeyUse(), opening: person.source, .passphrase(person.source))
    #expect(person.questions == [.existing("anna"), .new("anna-2"), .again])
    #expect(rotated.new.roles == [.patches])
    #expect(rotated.isOldEncrypted)
    #expect(try isOpened("anna-2", by: "new"))
  }

  @Test("take the second file for the successor where the old key took the first", arguments: [nil, "one"])
  func rotateFiles(old: String?) throws {
    _ = try store.generate("anna", passphrase: old.map { SecretBytes(copying: $0) })
    let files = try ["one", "two"].map { text in
      let path = folder.path + "/" + text
      try PrivateFile.write(text.utf8, to: path)
      return path
    }
    let source = PassphraseSource(files: files, effects: AnsweringPerson().effects)
    _ = try store.rotate("anna", to: "ben", for: KeyUse(), opening: source, .passphrase(source))
    #expect(try isOpened("ben", by: old == nil ? "one" : "two"))
  }

  // MARK: Keys from elsewhere

  /// A private key in a file, and its public half in another.
  private func files(passphrase: String?, mode: Int = 0o600) throws -> (private: String, public: String) {
    let other = KeyStore(folder: folder.path + "/other")
    let record = try other.generate("other", passphrase: nil)
    let text = try other.privateText(of: "other", .pem, unencrypted: passphrase == nil) {
      [try $0.open(with: nil)]
    } passphrase: { _ in
      SecretBytes(copying: passphrase ?? "")
    }
    let paths = (folder.path + "/private.pem", folder.path + "/public.pem")
    try Data(text.utf8).write(to: URL(filePath: paths.0))
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: paths.0)
    try Data(record.text(.pem).utf8).write(to: URL(filePath: paths.1))
    return paths
  }

  @Test("become own ones; the file's passphrase is asked for before the new one")
  func importPrivate() throws {
    let person = AnsweringPerson("of the file", "new", "new")
    let file = try files(passphrase: "of the file").private
    let brought = try store.bring(
      file, as: "anna", for: KeyUse(), opening: person.source, .passphrase(person.source))
    #expect(!brought.isTrusted)
    #expect(person.questions == [.existing(file), .new("anna"), .again])
    #expect(person.warnings == [])
    #expect(try isOpened("anna", by: "new"))
  }

  @Test("are told of where others may read their file")
  func importOpenFile() throws {
    let person = AnsweringPerson()
    let file = try files(passphrase: nil, mode: 0o644).private
    _ = try store.bring(file, as: "anna", for: KeyUse(), opening: person.source, .none)
    #expect(person.warnings == [Diagnostic("key-file-open", ["path": file], exit: .notPermitted)])
  }

  @Test("are trusted where they are public ones, and no passphrase is asked for")
  func importPublic() throws {
    let person = AnsweringPerson()
    let file = try files(passphrase: nil).public
    let brought = try store.bring(
      file, as: "vendor", for: KeyUse(roles: [.modules]), opening: person.source, .passphrase(person.source))
    #expect(brought.isTrusted)
    #expect(try store.trustedRecord("vendor").roles == [.modules])
    #expect(person.questions == [])
  }

  @Test("of others are trusted by the name of their file, all or none")
  func trust() throws {
    let file = try files(passphrase: nil).public
    #expect(throws: (any Error).self) {
      try store.trust([file, folder.path + "/none"], as: nil, fingerprint: nil, for: KeyUse(), handOvers: [])
    }
    #expect(try store.trustedNames() == [])
    let records = try store.trust([file], as: nil, fingerprint: nil, for: KeyUse(), handOvers: [])
    #expect(records.map(\.name) == ["public"])
    #expect(try store.trustedNames() == ["public"])
  }

  @Test("of others are not trusted where their fingerprint is another")
  func trustFingerprint() throws {
    let file = try files(passphrase: nil).public
    let other = try store.generate("anna", passphrase: nil).publicKey.fingerprint.words
    #expect(throws: TrustError.self) {
      try store.trust([file], as: "vendor", fingerprint: other, for: KeyUse(), handOvers: [])
    }
    #expect(try store.trustedNames() == [])
  }

  // MARK: Keys that go elsewhere

  @Test("come out as public ones without a question")
  func exportPublic() throws {
    let record = try store.generate("anna", passphrase: SecretBytes(copying: "horse"))
    let person = AnsweringPerson()
    let exported = try store.export(
      "anna", isTrusted: false, as: KeyExport(), to: ResultPlace("-"), passphrases: person.source)
    #expect(exported.format == .pem)
    let text = try record.text(.pem)
    #expect(exported.text == text)
    #expect(person.questions == [])
  }

  @Test("go to a file that only its owner may read, where they are private")
  func exportPrivate() throws {
    _ = try store.generate("anna", passphrase: SecretBytes(copying: "horse"))
    let path = folder.path + "/out.pem"
    let person = AnsweringPerson("horse", "cart", "cart")
    let exported = try store.export(
      "anna", isTrusted: false, as: KeyExport(isPrivate: true), to: ResultPlace(path), passphrases: person.source)
    #expect(exported.text == nil)
    #expect(person.questions == [.existing("anna"), .new(path), .again])
    #expect(FileStatus(path)?.permissions == 0o600)
  }

  // MARK: Removal

  @Test("are kept where the user says no, and go where the user says yes", arguments: [false, true])
  func remove(answer: Bool) throws {
    let words = try store.generate("anna", passphrase: nil).publicKey.fingerprint.words
    let removal = try store.remove("anna", isTrusted: false) { told in
      #expect(told == words)
      return answer
    }
    #expect(removal.isRemoved == answer)
    #expect(removal.fingerprint == words)
    #expect(try store.names() == (answer ? [] : ["anna"]))
  }

  @Test("of others go without a question")
  func removeTrusted() throws {
    let record = try store.generate("anna", passphrase: nil)
    try store.trust(KeyRecord(name: "vendor", publicKey: record.publicKey, created: .now))
    let removal = try store.remove("vendor", isTrusted: true) { _ in throw Asked() }
    #expect(removal.isRemoved)
    #expect(try store.trustedNames() == [])
  }
}
