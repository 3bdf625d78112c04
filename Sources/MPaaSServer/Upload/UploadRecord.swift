package import MPaaSDatabase
import MPaaSProtocol

/// An upload as the database has it.
package struct UploadRecord: Sendable, Equatable {
  package enum Wire: String, Sendable { case tus, draft }
  package enum State: String, Sendable {
    /// It takes bytes.
    case open
    /// All is there and verified.
    case whole
    /// All was there, and was not what it should have been.
    case refused
  }
  /// The part of an upload in a concatenation of tus.
  package enum Concatenation: String, Sendable { case partial, final }

  package var id: String
  package var wire: Wire
  package var state = State.open
  package var concatenation: Concatenation?
  /// The text behind `final;` of a final upload.
  package var parts: String?
  /// `Upload-Metadata` as it came.
  package var metadata: String?
  /// nil until the client tells it.
  package var size: Int64?
  /// Bytes that are there for good.
  package var offset: Int64 = 0
  /// Tells whether bytes behind `offset` in the file may be of a piece whose checksum was not compared.
  package var isUnverified = false
  package var details: UploadDetails
  package var owner: String
  /// The name of the data folder that its bytes are in until it is whole; empty where there is one.
  package var server = ""
  /// The blob, once it is whole.
  package var blob: String?
  package var created: Double
  package var updated: Double
  /// nil once it is whole.
  package var expires: Double?

  /// Tells whether all bytes have come that the client announced.
  package var isFull: Bool { size == offset }
}

/// The client's facts about a file (`UploadMetadata`).
package struct UploadDetails: Sendable, Equatable {
  package var kind = "file"
  package var filename: String?
  package var type: String?
  /// The whole file's, in lower-case hexadecimal.
  package var sha256: String?
  package var batch: String?
  package var user: String?
  package var device: String?
  package var app = ""
  package var task: String?

  package init() {}

  /// - Throws: `server-bad-request` for a kind or a digest that is none.
  package init(_ metadata: [String: String], app: String?) throws {
    func value(_ name: String) -> String? { metadata[name].flatMap { $0.isEmpty ? nil : $0 } }
    kind = value(UploadMetadata.kind) ?? "file"
    guard ["log", "crash", "file"].contains(kind) else { throw Refusal(.badRequest, ["reason": "kind: \(kind)"]) }
    sha256 = value(UploadMetadata.sha256)?.lowercased()
    if let sha256, !BlobFolder.isName(sha256) { throw Refusal(.badRequest, ["reason": "sha256: \(sha256)"]) }
    filename = value(UploadMetadata.filename)
    type = value(UploadMetadata.type)
    batch = value(UploadMetadata.batch)
    user = value(UploadMetadata.user)
    device = value(UploadMetadata.device)
    task = value(UploadMetadata.task)
    self.app = value(UploadMetadata.app) ?? app ?? ""
    if let app, app != self.app { throw Refusal(.scope, ["scope": "app \(self.app)"]) }
  }
}

extension UploadRecord {
  private static let columns = """
    id, protocol, state, concat, parts, metadata, size, offset, unverified, kind, filename, type, sha256, batch, user,
    device, app, task, owner, blob, created, updated, expires, server
    """

  private init(_ row: SQLRow) {
    id = row.text(0)
    wire = Wire(rawValue: row.text(1)) ?? .tus
    state = State(rawValue: row.text(2)) ?? .refused
    concatenation = row.optionalText(3).flatMap(Concatenation.init)
    parts = row.optionalText(4)
    metadata = row.optionalText(5)
    size = row.optionalInteger(6)
    offset = row.integer(7)
    isUnverified = row.integer(8) != 0
    details = UploadDetails()
    details.kind = row.text(9)
    details.filename = row.optionalText(10)
    details.type = row.optionalText(11)
    details.sha256 = row.optionalText(12)
    details.batch = row.optionalText(13)
    details.user = row.optionalText(14)
    details.device = row.optionalText(15)
    details.app = row.text(16)
    details.task = row.optionalText(17)
    owner = row.text(18)
    blob = row.optionalText(19)
    created = row.real(20)
    updated = row.real(21)
    expires = row.isNull(22) ? nil : row.real(22)
    server = row.text(23)
  }

  /// The uploads that a condition holds for.
  package static func all(
    _ database: any SQLDatabase, where condition: String, _ values: [SQLValue] = []
  ) throws -> [UploadRecord] {
    try database.rows("SELECT \(columns) FROM uploads WHERE \(condition)", values) { UploadRecord($0) }
  }

  static func find(_ id: String, _ database: any SQLDatabase) throws -> UploadRecord? {
    try all(database, where: "id = ?", [.text(id)]).first
  }

  /// Writes all of it, over what was there.
  func save(_ database: any SQLDatabase) throws {
    try database.run(
      """
      INSERT INTO uploads (\(Self.columns), boot) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)
      ON CONFLICT (id) DO UPDATE SET state = excluded.state, size = excluded.size, offset = excluded.offset,
        unverified = excluded.unverified, sha256 = excluded.sha256, blob = excluded.blob, updated = excluded.updated,
        expires = excluded.expires, boot = excluded.boot
      """,
      [
        .text(id), .text(wire.rawValue), .text(state.rawValue), .optional(concatenation?.rawValue), .optional(parts),
        .optional(metadata), .optional(size), .integer(offset), .flag(isUnverified), .text(details.kind),
        .optional(details.filename), .optional(details.type), .optional(details.sha256), .optional(details.batch),
        .optional(details.user), .optional(details.device), .text(details.app), .optional(details.task), .text(owner),
        .optional(blob), .real(created), .real(updated), expires.map(SQLValue.real) ?? .null,
        .text(server), .text(MachineStart.id),
      ])
  }

  func remove(_ database: any SQLDatabase) throws {
    try database.run("DELETE FROM uploads WHERE id = ?", [.text(id)])
  }
}
