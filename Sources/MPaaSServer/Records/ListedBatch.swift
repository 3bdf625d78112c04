import MPaaSDatabase

/// A batch of records as the list gives it.
struct ListedBatch: Encodable {
  var id: String
  var app: String
  var device: String
  var user: String?
  var type: String
  /// One record a line; none where the batch is damaged.
  var lines: [String]
  /// True where the stored bytes are not what was written; absent from whole batches.
  var damaged: Bool?

  /// - Parameter row: Its columns are id, app, device, user, type, packed lines, and their size in bytes.
  init(row: SQLRow) {
    id = row.text(0)
    app = row.text(1)
    device = row.text(2)
    user = row.optionalText(3)
    type = row.text(4)
    let size = Int(row.integer(6))
    if let body = ReportPacker.unpack(row.blob(5), base: nil, limit: size), body.count == size {
      let lines = body.split(separator: 0x0a, omittingEmptySubsequences: false).dropLast()
      self.lines = lines.map { String(decoding: $0, as: UTF8.self) }
    } else {
      lines = []
      damaged = true
    }
  }
}
