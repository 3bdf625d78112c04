import MPaaSFlags
import MPaaSSupport
package import MPaaSVerification

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// A state of flags with what a signature over it vouches for: the app that it is for, its number, and its end.
///
/// It is the payload of a DSSE envelope, or the target `config/APP.json` of a signed repository:
/// `{"schema": "mpaas.flags/1", "app": "SHOP", "version": 7, "expires": "2026-12-01T00:00:00Z", "state": {…}}`. Members
/// that are not known are passed over.
package struct SignedFlagState: Sendable, Equatable {
  /// The type of the payload of an envelope.
  package static let payloadType = "application/vnd.mpaas.flags+json"
  /// The first member of each document, which tells its form.
  package static let schema = "mpaas.flags/1"
  /// The most bytes of a document: a state, and what is around it.
  package static let largest = FlagState.Limit.bytes + (1 << 16)

  /// The app that the state is for.
  package var app: String
  /// The number of the state; each change has a higher one.
  package var version: Int
  /// The time from which the state is not taken any more.
  package var expires: Date
  /// The state as a client API answers it.
  package var state: [UInt8]

  package init(app: String, version: Int, expires: Date, state: [UInt8]) {
    self.app = app
    self.version = version
    self.expires = expires
    self.state = state
  }

  /// The name of an app's document among the targets of a repository.
  package static func path(app: String) -> String { "config/\(app).json" }

  /// The document as it is signed; where the state is no JSON, it is no document.
  package var encoded: [UInt8] {
    let head: JSONValue = [
      "app": .string(app), "expires": .string(MetadataTime.text(expires)), "schema": .string(Self.schema),
      "version": .init(version),
    ]
    return Array(head.line.utf8.dropLast()) + Array(#","state":"#.utf8) + state + [UInt8(ascii: "}")]
  }

  // MARK: - Reading

  /// Reads a document.
  ///
  /// - Throws: `TrustError` `flags-signed-malformed` with the member that cannot be so.
  package init(reading bytes: UnsafeRawBufferPointer) throws(TrustError) {
    guard bytes.count <= Self.largest else { throw Self.problem("length") }
    var skim = JSONSkim(bytes, isStrict: true)
    var members = Members()
    guard skim.object({ members.read($0, &$1) }), skim.isAtEnd() else { throw Self.problem("JSON") }
    if let name = members.twice { throw Self.problem(name) }
    guard members.schema == Self.schema else { throw Self.problem("schema") }
    guard let app = members.app else { throw Self.problem("app") }
    guard let version = members.version, version <= 1 << 53 else { throw Self.problem("version") }
    guard let expires = members.expires.flatMap(MetadataTime.date) else { throw Self.problem("expires") }
    guard let state = members.state else { throw Self.problem("state") }
    self.init(app: app, version: Int(version), expires: expires, state: Array(bytes[state]))
  }

  private static func problem(_ field: String) -> TrustError { TrustError(.flagsSignedMalformed, ["field": field]) }

  private struct Members {
    var schema: String?
    var app: String?
    var version: UInt64?
    var expires: String?
    var state: Range<Int>?
    /// A member that stands there twice.
    var twice: String?
    private var names: Set<String> = []

    mutating func read(_ range: Range<Int>, _ skim: inout JSONSkim) -> Bool {
      guard let name = skim.text(range) else { return false }
      if !names.insert(name).inserted { twice = name }
      let start = skim.offset
      switch name {
      case "schema": schema = skim.string()
      case "app": app = skim.string()
      case "expires": expires = skim.string()
      case "version": version = skim.unsigned()
      default:
        guard skim.skip() else { return false }
        if name == "state" { state = start..<skim.offset }
        return true
      }
      return skim.offset > start
    }
  }

  // MARK: - Checks

  /// Checks that the document is for an app, and in time.
  ///
  /// - Throws: `TrustError` `flags-signed-malformed`, `flags-signed-expired`.
  package func check(app: String, at time: Date) throws(TrustError) {
    guard self.app.utf8.elementsEqual(app.utf8) else { throw Self.problem("app") }
    guard time < expires else {
      throw TrustError(
        .flagsSignedExpired, ["version": String(version), "expires": MetadataTime.text(expires)])
    }
  }
}

extension TrustError.Code {
  package static let flagsSignedMalformed = malformed("flags-signed-malformed")
  package static let flagsSignedExpired = refused("flags-signed-expired")
  package static let flagsSignedOlder = refused("flags-signed-older")
  package static let flagsSignedMissing = TrustError.Code("flags-signed-missing", exit: .inputMissing)
}
