package import ArgumentParser
import CommandKit
import MPaaSSupport
import MPaaSTrust
import MPaaSTrustTools

extension CompletionKind {
  /// The names of the own keys.
  package static var keyNames: CompletionKind { candidates { Candidates(own(in: $0)) } }

  /// The names of the own keys and of those of others.
  package static var allKeyNames: CompletionKind { candidates { Candidates(own(in: $0) + trusted(in: $0)) } }

  /// The names of all keys, and files of keys.
  package static var keysAndFiles: CompletionKind {
    candidates { Candidates(own(in: $0) + trusted(in: $0), shell: .files([])) }
  }

  /// Roles of a repository that keys are assigned to, and behind `=` the names of the own keys.
  package static var keysForRoles: CompletionKind {
    candidates { input in
      guard let sign = input.current.firstIndex(of: "=") else {
        return Candidates(["root", "targets", "snapshot", "timestamp"].map { Candidate($0 + "=") })
      }
      let role = String(input.current[...sign])
      return Candidates(own(in: input).map { Candidate(role + $0.value, $0.detail) })
    }
  }

  private static func own(in input: CompletionInput) -> [Candidate] {
    let store = store(input)
    return candidates((try? store.names()) ?? []) { name throws(TrustError) in try store.record(name) }
  }

  private static func trusted(in input: CompletionInput) -> [Candidate] {
    let store = store(input)
    return candidates((try? store.trustedNames()) ?? []) { name throws(TrustError) in try store.trustedRecord(name) }
  }

  private static func store(_ input: CompletionInput) -> KeyStore {
    KeyStore(folder: input.directories.configuration + "/keys")
  }

  /// The names with the kinds of the keys.
  private static func candidates(
    _ names: [String], _ record: (String) throws(TrustError) -> KeyRecord
  ) -> [Candidate] {
    names.map { Candidate($0, (try? record($0))?.publicKey.kind.rawValue ?? "") }
  }
}
