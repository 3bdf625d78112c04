import Foundation
import MPaaSSupport
import MPaaSTestSupport
import MPaaSTrust
import MPaaSTrustTools
import Testing

@Suite("The keys of a machine, as they sign repositories") struct RepositoryKeyringTests {
  let home: TemporaryFolder
  let store: KeyStore
  var path: String { home.path + "/shop" }
  var editor: RepositoryEditor { RepositoryEditor(path) }
  var keyring: RepositoryKeyring { RepositoryKeyring(store) { keys in try keys.map { try $0.open(with: nil) } } }

  init() throws {
    home = try TemporaryFolder()
    store = KeyStore(folder: home.path + "/keys")
  }

  func create() throws {
    _ = try store.generate("anna", passphrase: nil)
    _ = try RepositoryCreation(path).run(with: keyring)
  }

  @Test("a new repository gets a key of its online roles, which its settings name")
  func creation() throws {
    _ = try store.generate("anna", passphrase: nil)
    let (outcome, made) = try RepositoryCreation(path).run(with: keyring)
    #expect(outcome.isComplete)
    #expect(made == "shop-online")
    #expect(try store.record("shop-online").roles == [.snapshot, .timestamp, .director])
    #expect(try editor.read().settings.onlineKeys == ["shop-online"])
    let again = #expect(throws: TrustError.self) { try RepositoryCreation(path).run(with: keyring) }
    #expect(again?.identifier == "repository-exists")
    #expect(try store.names() == ["anna", "shop-online"])
  }

  @Test("a key that was made for a repository goes again where the repository could not be made")
  func failedCreation() throws {
    _ = try store.generate("anna", passphrase: nil)
    var creation = RepositoryCreation(path)
    creation.threshold = 2
    let error = #expect(throws: TrustError.self) { try creation.run(with: keyring) }
    #expect(error?.identifier == "role-threshold")
    #expect(try store.names() == ["anna"])
  }

  @Test("a repository needs keys, days that can be, and roles that it has")
  func refusedCreation() throws {
    let none = #expect(throws: TrustError.self) { try RepositoryCreation(path).run(with: keyring) }
    #expect(none?.identifier == "registry-keys-needed")
    _ = try store.generate("anna", passphrase: nil)
    var creation = RepositoryCreation(path)
    creation.days = [.init(role: "root", value: "0")]
    let days = #expect(throws: TrustError.self) { try creation.run(with: keyring) }
    #expect(days?.identifier == "registry-bad-days")
    creation.days = []
    creation.keys = [.init(role: "captain", value: "anna")]
    let role = #expect(throws: TrustError.self) { try creation.run(with: keyring) }
    #expect(role?.identifier == "role-unknown")
  }

  @Test("a role gets another key, which commands then use without being told")
  func rotate() throws {
    try create()
    _ = try store.generate("next", roles: [.timestamp], passphrase: nil)
    let outcome = try keyring.rotate(
      ["timestamp"], adding: ["next"], removing: ["shop-online"], threshold: nil, in: editor, signedBy: ["anna"])
    #expect(outcome.isComplete)
    #expect(try editor.read().settings.onlineKeys == ["shop-online", "next"])
    let next = try store.record("next").publicKey.keyID
    var draft = try editor.read()
    #expect(try draft.keyHolders()["timestamp"]?.last?.keys.keyIDs == [next])
  }

  @Test("a key is known by its name, by a file, and by the beginning of its identifier")
  func identifier() throws {
    try create()
    let key = try store.record("anna").publicKey.verificationKey()
    #expect(try keyring.identifier("anna", in: editor) == key.keyID)
    #expect(try keyring.identifier(String(key.keyID.prefix(8)), in: editor) == key.keyID)
    let file = home.path + "/anna.pem"
    try Data(key.pem.utf8).write(to: URL(filePath: file))
    #expect(try keyring.identifier(file, in: editor) == key.keyID)
    #expect(try keyring.key(file).sealed == nil)
    #expect(throws: TrustError.self) { try keyring.identifier(String(key.keyID.prefix(7)), in: editor) }
  }

  @Test("a stolen online key is replaced, and clients are made to forget how far it counted")
  func stolen() throws {
    try create()
    let recovery = try keyring.recovery(of: "shop-online", isStolen: true, in: editor)
    #expect(recovery.roles == ["director", "snapshot", "timestamp"])
    #expect(recovery.isPossible)
    #expect(
      recovery.steps == [
        .stolen, .generate(name: "shop-online-new"), .rotate(added: "shop-online-new", signers: ["anna"]), .sign,
        .refresh(signer: "shop-online-new"), .review, .revoke, .publish,
      ])
  }

  @Test("without the only key of root there is no way back but a new root")
  func lostRoot() throws {
    try create()
    let recovery = try keyring.recovery(of: "anna", isStolen: false, in: editor)
    #expect(!recovery.isPossible)
    #expect(recovery.steps == [.newRoot, .shipRoot])
    _ = try store.generate("stranger", passphrase: nil)
    let error = #expect(throws: TrustError.self) {
      try keyring.recovery(of: "stranger", isStolen: false, in: editor)
    }
    #expect(error?.identifier == "key-not-of-role")
  }

  @Test("a part of the names is handed to a key that is good for it, and taken back")
  func delegate() throws {
    try create()
    _ = try store.generate("modules", roles: [.modules], passphrase: nil)
    let role = RepositoryKeyring.Delegation.role(
      paths: ["sdk/*"], isTerminating: false, isOnline: false, parent: "targets")
    let none = #expect(throws: TrustError.self) {
      try keyring.delegate("sdk", role, keys: [], threshold: 1, in: editor, signedBy: ["anna"])
    }
    #expect(none?.identifier == "registry-role-keys")
    let outcome = try keyring.delegate("sdk", role, keys: ["modules"], threshold: 1, in: editor, signedBy: ["anna"])
    #expect(outcome.isComplete)
    var draft = try editor.read()
    #expect(try draft.delegations().map(\.name).contains("sdk"))
    _ = try keyring.delegate("sdk", .revoke, keys: [], threshold: 1, in: editor, signedBy: ["anna"])
    draft = try editor.read()
    #expect(try !draft.delegations().map(\.name).contains("sdk"))
  }

  @Test("the status has every role with who speaks for it")
  func status() throws {
    try create()
    var draft = try editor.read()
    let status = try RepositoryStatus(of: &draft)
    #expect(Set(status.roles.map(\.name)) == ["root", "targets", "snapshot", "timestamp", "director"])
    let root = try #require(status.roles.first { $0.name == "root" })
    #expect(root.version == 1)
    #expect(root.keyIDs.map { KeyNames(store)[$0] } == ["anna"])
    #expect(status.targets == 0)
    #expect(status.pending == [])
  }

  @Test("signatures of others are taken from their copy of what is staged")
  func signatures() throws {
    let sample = try SampleRepository(people: 2, threshold: 2)
    let waiting = try sample.add("content", as: "file", keys: [sample.offline[0], sample.online])
    #expect(!waiting.isComplete)
    // The other person signs a copy of the repository, without the online keys.
    let copy = sample.home.path + "/copy"
    try FileManager.default.copyItem(atPath: sample.path, toPath: copy)
    _ = try RepositoryEditor(copy).sign(with: [sample.offline[1]])
    let outcome = try sample.editor.sign(
      with: [sample.online], renewing: [], takingSignaturesIn: [copy + "/staged/targets.json"])
    #expect(outcome.isComplete)
    #expect(try sample.problems() == [])
    let missing = #expect(throws: TrustError.self) {
      try sample.editor.sign(with: [], renewing: [], takingSignaturesIn: [copy + "/none.json"])
    }
    #expect(missing?.code.exit == .inputMissing)
  }

  @Test("what a client would refuse is not pushed")
  func push() throws {
    let sample = try SampleRepository()
    try FileManager.default.removeItem(atPath: sample.path + "/metadata/1.targets.json")
    let copy = sample.home.path + "/copy"
    var push = RepositoryPush(RepositoryFolder(sample.path), to: .folder(copy))
    #expect(throws: TrustError.self) { try push.run(checkingAt: Date()) }
    #expect(FileStatus(copy) == nil)
  }
}
