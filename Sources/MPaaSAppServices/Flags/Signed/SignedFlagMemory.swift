import MPaaSDigests
import MPaaSSupport
import MPaaSVerification

/// The number of the last signed state that was taken, so that none before it is taken again.
struct SignedFlagMemory: Sendable, Equatable {
  var version = 0
  /// The digest of the state: of one number there is one state only.
  var digest = ""

  init() {}

  init(_ document: SignedFlagState) {
    version = document.version
    digest = document.state.sha256.hexadecimal
  }

  /// Reads the file; what is missing or damaged is as at the first start.
  init(reading path: String) {
    guard let bytes = try? Bytes.reading(path, limit: 1 << 12), let value = try? JSONValue(reading: bytes.buffer),
      let version = value.object?["version"]?.integer(Int.self), let digest = value.object?["sha256"]?.string
    else { return }
    (self.version, self.digest) = (version, digest)
  }

  /// Checks that a document is not older than what was taken before.
  ///
  /// - Throws: `TrustError` `flags-signed-older`.
  func check(_ document: SignedFlagState) throws(TrustError) {
    let next = SignedFlagMemory(document)
    guard next.version > version || next == self else {
      throw TrustError(.flagsSignedOlder, ["version": String(next.version), "known": String(version)])
    }
  }

  func write(to path: String) throws(FileError) {
    let value: JSONValue = ["version": .init(version), "sha256": .string(digest)]
    try Bytes(Array(value.line.utf8)).write(to: path, mode: 0o600)
  }
}
