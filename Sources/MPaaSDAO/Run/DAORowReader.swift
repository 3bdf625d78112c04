import MPaaSSQLite

/// Makes values of rows, in the shape that a method's `result` names.
struct DAORowReader {
  private let element: DAOResult.Element
  private let map: DAODocument.Map?
  private let secrets: Set<DAOSecret>
  private let crypt: DAOCrypt?
  /// The names of the columns, once a row was seen.
  private var names: [String] = []

  init(_ result: DAOResult, _ document: DAODocument, _ crypt: DAOCrypt?) {
    element = result.element
    if case .map(let name) = result.element { map = document.maps[name] } else { map = nil }
    secrets = document.secrets
    self.crypt = crypt
  }

  /// The value of a row; of its first column where the shape is one value.
  mutating func value(_ row: SQLiteRow) throws(DAOError) -> DAOValue {
    if names.isEmpty { names = (0..<row.count).map { row.name($0) } }
    switch element {
    case .dictionary: return .dictionary(members(row) { $0 })
    case .object(let name): return .object(try object(row, name) { $0 })
    case .map: return .object(try object(row, map?.className ?? "") { map?.properties[$0] ?? $0 })
    default: break
    }
    guard row.count > 0, !row.isNull(0) else { return .null }
    switch element {
    case .int, .longLong: return .integer(row.integer(0))
    case .bool: return .bool(row.integer(0) != 0)
    case .double: return .real(row.real(0))
    case .string: return .text(row.text(0))
    default: return .data(row.blob(0))
    }
  }

  private func members(_ row: SQLiteRow, _ name: (String) -> String) -> [String: DAOValue] {
    var members: [String: DAOValue] = [:]
    members.reserveCapacity(names.count)
    for (column, own) in names.enumerated() { members[name(own)] = DAOValue(row, column) }
    return members
  }

  private func object(
    _ row: SQLiteRow, _ className: String, _ name: (String) -> String
  ) throws(DAOError) -> DAOObject {
    var object = DAOObject(className: className, properties: members(row, name))
    guard let crypt, !secrets.isEmpty else { return object }
    for secret in secrets where secret.className == className {
      guard let value = object.properties[secret.property] else { continue }
      object.properties[secret.property] = try crypt.open(value, secret)
    }
    return object
  }
}
