/// An entry of the audit log: who did what, bound to the entry before by its digest.
package struct AuditEntry: Codable, Sendable, Equatable {
  /// 1 for the first; without gaps.
  package var number: Int64
  /// Milliseconds since 1970.
  package var time: Int64
  /// The name of the account or of the token.
  package var actor: String
  /// `token.created`, or the method of a request.
  package var action: String
  /// The name of what it was done to, or the path of a request.
  package var object: String
  package var detail: String
  /// The key of the app.
  package var app: String?
  /// SHA-256 of `text(after:)` with the digest of the entry before, in hexadecimal digits.
  package var digest: String

  package init(
    number: Int64, time: Int64, actor: String, action: String, object: String, detail: String = "",
    app: String? = nil, digest: String = ""
  ) {
    (self.number, self.time, self.actor, self.action) = (number, time, actor, action)
    (self.object, self.detail, self.app, self.digest) = (object, detail, app, digest)
  }

  /// The digest before the first entry.
  package static let beginning = String(repeating: "0", count: 64)

  /// The text whose digest the entry has: each field with its length, so that no two entries have one text.
  package func text(after previous: String) -> String {
    let fields = [previous, String(number), String(time), actor, action, object, detail, app ?? ""]
    return fields.map { "\($0.utf8.count):\($0)\n" }.joined()
  }
}

/// A part of the audit log.
package struct AuditPage: Codable, Sendable, Equatable {
  package var entries: [AuditEntry]
  /// The number to ask behind for more; nil at the end.
  package var next: Int64?

  package init(entries: [AuditEntry], next: Int64?) { (self.entries, self.next) = (entries, next) }
}
