import Hummingbird
import MPaaSDatabase
import MPaaSSupport
import NIOCore

/// All that is stored of a user as a JSON object a line: a head, rows, the contents of files in pieces, and an end with
/// the number of each kind, by which one that was cut is known.
struct UserExport: Sendable {
  /// Rows that are read at once.
  private static let batch = 50
  /// Bytes of a piece of a file; a multiple of three, so that pieces can be put together in base64, too.
  private static let piece = 96 << 10
  /// Bytes of a file that are read at once.
  private static let read = piece * 8

  private let services: ServerServices
  private let user: String
  private let apps: [String]

  init(_ services: ServerServices, user: String, apps: [String]) {
    (self.services, self.user, self.apps) = (services, user, apps)
  }

  func response() -> Response {
    let body = ResponseBody { writer in
      var lines = ExportLines(writer)
      try await lines.put([
        "kind": "export", "user": .string(user), "apps": .array(apps.map { .string($0) }),
        "time": JSONValue(services.now()) ?? .null,
      ])
      for app in apps { try await self.app(app, &lines) }
      try await lines.end()
    }
    return Response(
      status: .ok,
      headers: [
        .contentType: "application/x-ndjson", .contentDisposition: "attachment; filename=\"user.jsonl\"",
        .cacheControl: "no-store",
      ], body: body)
  }

  private func app(_ app: String, _ lines: inout ExportLines) async throws {
    let user = user
    let subject = try await services.store.read { try UserSubject(app: app, user: user, in: $0) }
    try await crashes(subject, &lines)
    for upload in try await services.store.read({ try subject.uploads(in: $0) }) {
      try await lines.put(Self.object(of: upload))
      if let blob = upload.blob { try await content(blob, &lines) }
    }
    for rows in UserRows.all { try await self.rows(rows, subject, &lines) }
    try await sessions(subject, &lines)
  }

  private func rows(_ rows: UserRows, _ subject: UserSubject, _ lines: inout ExportLines) async throws {
    var place = 0
    while true {
      let start = place
      let found = try await services.store.read { database in
        let (sql, values) = rows.condition(subject)
        return try database.rows(
          """
          SELECT \(rows.columns) FROM \(rows.table) WHERE \(sql) ORDER BY 1, 2 LIMIT \(Self.batch) OFFSET \(start)
          """, values
        ) { Self.object(rows.kind, $0) }
      }
      for row in found {
        var row = row
        row["app"] = .string(subject.app)
        try await lines.put(Self.unpacked(row))
        if rows.table == "feedback", let number: Int64 = row["number"]?.integer() { try await replies(number, &lines) }
      }
      place += found.count
      if found.count < Self.batch { return }
    }
  }

  private func replies(_ feedback: Int64, _ lines: inout ExportLines) async throws {
    let found = try await services.store.read { database in
      try database.rows(
        "SELECT feedback, author, text, state, time FROM feedback_messages WHERE feedback = ? ORDER BY number",
        [.integer(feedback)]
      ) { Self.object("reply", $0) }
    }
    for row in found { try await lines.put(row) }
  }

  private func crashes(_ subject: UserSubject, _ lines: inout ExportLines) async throws {
    var last: Int64 = 0
    while true {
      let after = last
      let found = try await services.store.read { database in
        try database.rows(
          """
          SELECT id, app, format, received, captured, title, process, version, system, device, user, level, environment
          FROM crashes WHERE app = ? AND user = ? AND user <> '' AND id > ? ORDER BY id LIMIT 1
          """, [.text(subject.app), .text(subject.user), .integer(after)]
        ) { (id: $0.integer(0), row: Self.object("crash", $0)) }
      }
      guard let (id, entry) = found.first else { return }
      last = id
      var row = entry
      if let report = try await report(of: id) { Self.add(report, as: "report", to: &row) }
      try await lines.put(row)
      for attachment in try await services.store.read({ try CrashStore.attachments(of: id, in: $0) }) {
        try await lines.put([
          "kind": "attachment", "crash": JSONValue(id), "filename": .string(attachment.filename),
          "type": .string(attachment.type), "sha256": .string(attachment.blob), "size": JSONValue(attachment.size),
        ])
        try await content(attachment.blob, &lines)
      }
    }
  }

  /// The report of a crash; nil where it is damaged.
  private func report(of id: Int64) async throws -> [UInt8]? {
    do {
      return try await services.report(of: id)
    } catch let error as ServerError where error.code == .reportDamaged {
      return nil
    }
  }

  private func sessions(_ subject: UserSubject, _ lines: inout ExportLines) async throws {
    let members = try await services.store.read { try subject.members(in: $0) }
    for member in members {
      let found = try await services.store.read { database in
        try database.rows(
          """
          SELECT r.name AS release, r.environment, s.started, s.errors, s.state FROM sessions s
          LEFT JOIN releases r ON r.app = s.app AND r.release = s.release WHERE s.app = ? AND s.member = ?
          ORDER BY s.started
          """, [.text(subject.app), .integer(Int64(bitPattern: member))]
        ) { row in
          var object = Self.object("session", row)
          object["state"] = .string(SessionState(rawValue: Int(row.integer(4))).map { "\($0)" } ?? "ok")
          return object
        }
      }
      for row in found { try await lines.put(row) }
    }
  }

  /// The bytes of a file in pieces.
  private func content(_ sha256: String, _ lines: inout ExportLines) async throws {
    let size = try await services.blobs.size(of: sha256) ?? 0
    for offset in stride(from: 0, to: Int(size), by: Self.read) {
      let range = Int64(offset)..<min(Int64(offset + Self.read), size)
      let bytes = try await services.blobs.bytes(of: sha256, range)
      for start in stride(from: 0, to: bytes.count, by: Self.piece) {
        try await lines.put([
          "kind": "content", "sha256": .string(sha256), "offset": JSONValue(offset + start),
          "base64": .string(Base64.encode(bytes[start..<min(start + Self.piece, bytes.count)])),
        ])
      }
    }
  }

  // MARK: - Values

  private static func object(_ kind: String, _ row: SQLRow) -> JSONValue.Object {
    var object: JSONValue.Object = ["kind": .string(kind)]
    for column in 0..<row.count {
      switch row[column] {
      case .null: break
      case .integer(let number): object[row.name(column)] = JSONValue(number)
      case .real(let number): object[row.name(column)] = JSONValue(number) ?? .null
      case .text(let text): object[row.name(column)] = .string(text)
      case .blob(let bytes): object[row.name(column)] = .string(Base64.encode(bytes))
      }
    }
    return object
  }

  /// A row with the lines of a batch of records in the place of its packed form.
  private static func unpacked(_ row: JSONValue.Object) -> JSONValue.Object {
    guard let packed = row["body"]?.string.flatMap({ Base64.decode($0.utf8) }), let size: Int = row["size"]?.integer()
    else { return row }
    var row = row
    row["body"] = nil
    if let body = ReportPacker.unpack(packed, base: nil, limit: size) { add(body, as: "lines", to: &row) }
    return row
  }

  private static func object(of upload: UploadRecord) -> JSONValue.Object {
    let details = upload.details
    var object: JSONValue.Object = [
      "kind": "upload", "id": .string(upload.id), "app": .string(details.app), "type": .string(details.kind),
      "received": JSONValue(upload.created) ?? .null, "size": JSONValue(upload.offset),
    ]
    for (name, value) in [
      ("filename", details.filename), ("sha256", upload.blob), ("user", details.user), ("device", details.device),
    ] {
      if let value { object[name] = .string(value) }
    }
    return object
  }

  /// Adds bytes as a text where they are one, else in base64.
  private static func add(_ bytes: [UInt8], as name: String, to object: inout JSONValue.Object) {
    if let text = String(validating: bytes, as: UTF8.self) {
      object[name] = .string(text)
    } else {
      object["\(name)_base64"] = .string(Base64.encode(bytes))
    }
  }
}

/// The lines of an export on their way to a client, counted by their kinds.
struct ExportLines {
  private var writer: any ResponseBodyWriter
  private var counts: [String: Int] = [:]

  init(_ writer: any ResponseBodyWriter) { self.writer = writer }

  mutating func put(_ value: JSONValue.Object) async throws {
    counts[value["kind"]?.string ?? "", default: 0] += 1
    try await writer.write(ByteBuffer(string: JSONValue.object(value).line + "\n"))
  }

  /// Writes the last line, which tells how many there are of each kind.
  mutating func end() async throws {
    let numbers = JSONValue.Object(counts.mapValues { JSONValue($0) })
    let end = JSONValue.object(["kind": "end", "counts": .object(numbers)])
    try await writer.write(ByteBuffer(string: end.line + "\n"))
    try await writer.finish(nil)
  }
}
