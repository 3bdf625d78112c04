import ArgumentParser
import CommandKit
import KeyCommands
import MPaaSSupport
import MPaaSTerminal
import MPaaSTrust

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Which repository.
struct RepositoryOption: ParsableArguments {
  @Option(
    name: .customLong("repository"), help: .text("command.registry.repository", valueName: "folder"),
    completion: .directory)
  var folder: String?

  /// The folder that was named, else that of `MPAAS_REPOSITORY`, else this one.
  var repository: String {
    folder ?? ProcessInfo.processInfo.environment["MPAAS_REPOSITORY"].flatMap { $0.isEmpty ? nil : $0 } ?? "."
  }

  func editor(_ context: Context) -> RepositoryEditor { RepositoryEditor(repository, now: context.now) }
}

/// The keys that sign.
struct RegistryKeyOptions: ParsableArguments {
  @Option(name: .customLong("key"), help: .text("command.registry.key", valueName: "name"), completion: .keyNames)
  var keys: [String] = []

  @OptionGroup var passphrase: PassphraseOptions

  /// Opens the keys that were named, and those that the repository's settings name and this machine has.
  func signers(for editor: RepositoryEditor, in context: Context) throws -> [SigningKey] {
    var draft = try editor.read()
    let named = try keys.map { try RegistryKey($0, in: context) }
    let online = draft.settings.onlineKeys.filter { !keys.contains($0) }
      .compactMap { try? RegistryKey($0, in: context) }
      // Nobody is asked for a passphrase of a key that was not named, and what is no good any more is left out.
      .filter { $0.sealed?.isEncrypted == false && (try? $0.record?.check(for: nil, at: context.now())) != nil }
    return try open(named + online, holders: draft.keyHolders(), in: context)
  }

  /// Opens those of `keys` that have a private half; each has to be good for the roles that it has.
  func open(
    _ keys: [RegistryKey], holders: [String: [RepositoryDraft.Delegation]], in context: Context
  ) throws -> [SigningKey] {
    for key in keys {
      let roles = holders.filter { $0.value.contains { $0.keys.keyIDs.contains(key.publicKey.keyID) } }.keys
      for role in roles.sorted() { try key.check(for: role, at: context) }
    }
    var signers = keys.compactMap(\.signingKey)
    let opened = try passphrase.open(keys.compactMap(\.sealed), in: context)
    for key in opened { signers.append(try key.signingKey()) }
    return signers
  }
}

/// A key by the word that somebody named it with: a key of the store, a trusted one, or a file.
struct RegistryKey {
  let word: String
  let publicKey: VerificationKey
  let record: KeyRecord?
  /// nil for a public key.
  let sealed: SealedKey?
  /// Where a file had to be opened to know which key it is.
  var signingKey: SigningKey?

  /// - Throws: `TrustError` `key-unknown` and what is wrong with the file.
  init(_ word: String, in context: Context) throws {
    self.word = word
    if FileStatus(word)?.kind == .file, (try? context.keys.anyRecord(word)) == nil {
      record = nil
      sealed = nil
      let text = String(decoding: try Bytes.reading(word, limit: 1 << 16).array, as: UTF8.self)
      if text.contains("PUBLIC KEY-----") {
        publicKey = try VerificationKey(pem: text)
      } else {
        let key = try context.keys.sealedKey(word)
        // A file with a passphrase belongs into the store, which knows its public half without opening it.
        guard !key.isEncrypted else { throw Diagnostic("registry-key-file-encrypted", ["path": word], exit: .usage) }
        let signer = try key.open(with: nil).signingKey()
        signingKey = signer
        publicKey = signer.verificationKey
      }
      return
    }
    let found = try context.keys.anyRecord(word)
    record = found.record
    publicKey = try found.record.publicKey.verificationKey()
    sealed = found.isTrusted ? nil : try context.keys.sealedKey(word)
  }

  /// Checks that the key may speak for a role of a repository now.
  ///
  /// Teams name their roles as they like: keys for patches or modules may speak for any role but the known ones.
  func check(for role: String, at context: Context) throws {
    guard let record else { return }
    let exact = KeyRole(rawValue: role)
    do {
      try record.check(for: exact, at: context.now())
    } catch {
      let isOwn = exact.map { !KeyRole.known.contains($0) } ?? true
      let general: [KeyRole] = [.patches, .modules, .targets]
      guard isOwn, general.contains(where: { (try? record.check(for: $0, at: context.now())) != nil }) else {
        throw error
      }
    }
  }
}

/// `ROLE=VALUE`.
struct RoleAssignment: ExpressibleByArgument {
  let role: String
  let value: String

  init?(argument: String) {
    guard let sign = argument.firstIndex(of: "="), sign != argument.startIndex else { return nil }
    role = String(argument[..<sign])
    value = String(argument[argument.index(after: sign)...])
    if value.isEmpty { return nil }
  }
}
