package import MPaaSAppServices
import MPaaSFlags
import MPaaSSupport
package import MPaaSTrust
package import MPaaSTrustTools

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// Signs states, so that apps take them from any server of files: as an envelope, or as a target of a repository.
package struct FlagStatePublisher: Sendable {
  /// The place of a signed state.
  package enum Place: Sendable {
    /// A file with an envelope of DSSE.
    case envelope(String)
    /// The target `config/APP.json` of a signed repository.
    case repository(RepositoryEditor)
  }

  /// The effect of publishing.
  package struct Published: Sendable {
    package let flags: SignedFlagState
    /// The file, or the name of the target.
    package let path: String
    /// The outcome in the repository; nil for an envelope.
    package let outcome: RepositoryEditor.Outcome?
  }

  package let place: Place

  package init(_ place: Place) { self.place = place }

  /// The keys that are named, and those that the repository's settings name for its online roles, still closed.
  ///
  /// - Throws: `TrustError` `flags-no-key` where neither names one.
  package func sealedKeys(_ words: [String], of store: KeyStore) throws(TrustError) -> [SealedKey] {
    var names = words
    if case .repository(let editor) = place {
      for name in try editor.read().settings.onlineKeys where !names.contains(name) { names.append(name) }
    }
    guard !names.isEmpty else { throw TrustError(.flagsNoKey) }
    return try names.map { name throws(TrustError) in try store.sealedKey(name) }
  }

  /// Signs a state, and puts it into its place.
  ///
  /// - Parameters:
  ///   - app: The app that takes it; nil for the one that the server has it for.
  ///   - number: The number; nil for that of the server, or for the one after the last, whichever is greater.
  /// - Throws: `TrustError` `flags-app-name`, `flags-number-older`; what the repository or the files say.
  package func publish(
    _ written: WrittenFlags, app: String?, number: Int? = nil, expires: Date, keys: [SigningKey]
  ) throws(TrustError) -> Published {
    guard let app = app ?? written.app, Self.isName(app) else {
      throw TrustError(.flagsAppName, ["app": app ?? written.app ?? "-"])
    }
    func signed(after last: Int?) throws(TrustError) -> SignedFlagState {
      let next = (last ?? 0) + 1
      if let number, number < next {
        throw TrustError(.flagsNumberOlder, ["number": "\(number)", "last": "\(next - 1)"])
      }
      return SignedFlagState(
        app: app, version: number ?? max(written.version ?? next, next), expires: expires.wholeSeconds,
        state: Array(written.stateValue.line.utf8))
    }
    switch place {
    case .envelope(let path):
      let flags = try signed(after: try Self.number(inEnvelope: path, of: app))
      let envelope = try DSSEEnvelope.sign(flags.encoded, type: SignedFlagState.payloadType, with: keys)
      do throws(FileError) { try Bytes(envelope.encoded).write(to: path) } catch { throw TrustError(error) }
      return Published(flags: flags, path: path, outcome: nil)
    case .repository(let editor):
      let path = SignedFlagState.path(app: app)
      var made: SignedFlagState?
      let outcome = try editor.edit(keys: keys) { draft throws(TrustError) in
        let before = try draft.bytes(of: path).map { bytes throws(TrustError) in
          try SignedFlagState(reading: bytes.buffer).version
        }
        let flags = try signed(after: before)
        made = flags
        try draft.add(.bytes(flags.encoded), as: path)
      }
      guard let made else { throw TrustError(.flagsAppName, ["app": app]) }
      return Published(flags: made, path: path, outcome: outcome)
    }
  }

  /// The number of the envelope that is to be replaced; nil where there is none.
  ///
  /// - Throws: `TrustError` `flags-envelope-other` where the file is something else, or of another app.
  private static func number(inEnvelope path: String, of app: String) throws(TrustError) -> Int? {
    guard FileStatus(path) != nil else { return nil }
    let bytes: Bytes
    do throws(FileError) { bytes = try Bytes.reading(path, limit: envelopeLimit) } catch { throw TrustError(error) }
    let envelope = try? DSSEEnvelope(reading: bytes.buffer, limit: envelopeLimit)
    let before = envelope.flatMap { envelope in
      envelope.payload.withUnsafeBytes { try? SignedFlagState(reading: $0) }
    }
    guard envelope?.payloadType == SignedFlagState.payloadType, let before, before.app == app else {
      throw TrustError(.flagsEnvelopeOther, ["path": path, "app": app])
    }
    return before.version
  }

  /// The most bytes of an envelope: a document in base64, and what is around it.
  private static var envelopeLimit: Int { SignedFlagState.largest * 3 / 2 }

  /// Tells whether an app's name can be a part of a file's.
  private static func isName(_ app: String) -> Bool {
    !app.hasPrefix(".") && (1...128).contains(app.utf8.count)
      && app.utf8.allSatisfy { $0 | 0x20 &- 0x61 < 26 || $0 &- 0x30 < 10 || "._+-".utf8.contains($0) }
  }
}

extension TrustError.Code {
  package static let flagsNoKey = TrustError.Code("flags-no-key", exit: .usage)
  package static let flagsAppName = TrustError.Code("flags-app-name", exit: .usage)
  /// The number was given before.
  package static let flagsNumberOlder = TrustError.Code("flags-number-older", exit: .usage)
  /// The file is no signed state of the app.
  package static let flagsEnvelopeOther = TrustError.Code("flags-envelope-other", exit: .cannotCreate)
}
