import MPaaSTerminal

/// The outcome of a migration.
struct MigrationReport: Presentable, Encodable, Equatable {
  let from: String
  let to: String
  let data: String
  let schema: Int
  let tables: Int
  /// The rows of all tables, on both sides.
  let rows: Int64
  /// Those of them that this call copied.
  let copied: Int64
  let seconds: Double
  /// Tells whether the target is a file.
  let isFile: Bool

  private enum CodingKeys: String, CodingKey {
    case from, to, data, schema, tables, rows, copied, seconds, rate
  }

  /// The rows that were copied in a second, the comparison included.
  private var rate: Int { Int(Double(copied) / max(seconds, 0.001)) }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(from, forKey: .from)
    try container.encode(to, forKey: .to)
    try container.encode(data, forKey: .data)
    try container.encode(schema, forKey: .schema)
    try container.encode(tables, forKey: .tables)
    try container.encode(rows, forKey: .rows)
    try container.encode(copied, forKey: .copied)
    try container.encode((seconds * 1000).rounded() / 1000, forKey: .seconds)
    try container.encode(rate, forKey: .rate)
  }

  func document(_ catalogue: Catalogue) -> Document {
    let values = [
      "from": from, "to": to, "rows": String(rows), "tables": String(tables), "copied": String(copied),
      "rate": String(rate), "data": data, "database": isFile ? "sqlite:\(to)" : to,
    ]
    return Document(lines: [
      StyledText(catalogue.text("text.server-migrated", values), .good),
      StyledText(catalogue.text("text.server-migrated-next", values)),
    ])
  }
}
