import MPaaSDatabase

/// Uploads as the pages list them.
enum UploadList {
  static func newest(app: String?, limit: Int, in database: any SQLDatabase) throws -> [UploadEntry] {
    try database.rows(
      """
      SELECT id, filename, kind, state, size, offset, user, device, updated FROM uploads
      WHERE (?1 IS NULL OR app = ?1) AND (concat IS NULL OR concat <> 'partial') ORDER BY updated DESC LIMIT ?2
      """, [.optional(app), .integer(limit)]
    ) { row in
      UploadEntry(
        id: row.text(0), name: row.optionalText(1) ?? row.text(0), kind: row.text(2), state: row.text(3),
        size: row.optionalInteger(4), offset: row.integer(5), user: row.text(6), device: row.text(7),
        updated: row.real(8))
    }
  }
}
