package import MPaaSSupport

/// The keys that speak for a role, and how many of them have to.
package struct RoleKeys: Sendable, Equatable {
  package var keyIDs: [String]
  /// 1 or more.
  package var threshold: Int

  package init(keyIDs: [String], threshold: Int) {
    self.keyIDs = keyIDs
    self.threshold = threshold
  }

  init(taking fields: inout MetadataFields) throws(TrustError) {
    keyIDs = try fields.strings("keyids")
    threshold = try fields.integer("threshold")
    guard Set(keyIDs.map { ExactName($0) }).count == keyIDs.count else { throw fields.error("keyids") }
  }

  var members: JSONValue.Object {
    ["keyids": .array(keyIDs.map { .string($0) }), "threshold": .init(threshold)]
  }
}

/// The keys that a metadata file lists, by their identifiers.
///
/// Keys of unknown types are kept and never verify anything.
package struct MetadataKeys: Sendable, Equatable {
  package private(set) var known: ExactMap<VerificationKey> = [:]
  /// As they stand in the file.
  private var entries: JSONValue.Object = [:]

  package init() {}

  init(_ entries: JSONValue.Object) {
    self.entries = entries
    known = entries.compactMapValues { try? VerificationKey(metadata: $0) }
  }

  package var identifiers: [String] { entries.keys.sorted() }
  var value: JSONValue { .object(entries) }

  package mutating func insert(_ key: VerificationKey) {
    entries[key.keyID] = key.metadata
    known[key.keyID] = key
  }

  package mutating func remove(_ keyID: String) {
    entries[keyID] = nil
    known[keyID] = nil
  }
}
