/// The definition of a table, put together column by column.
///
/// ```swift
/// try Table("blogs")
///   .field("id", .integer).primaryKey().autoincrement()
///   .field("type", .text, size: 20).notNull().default("Test")
///   .field("date", .real)
///   .createIfNotExists(in: database)
/// ```
public struct Table: Sendable, Equatable {
  /// The name.
  public let name: String
  private(set) var fields: [TableField] = []

  /// Creates the definition of a table without columns.
  public init(_ name: String) { self.name = name }

  /// Adds a column, which what follows is about.
  ///
  /// - Parameter size: The most characters that a text, or digits that a number may have; longer ones are refused.
  public func field(_ name: String, _ type: ColumnType, size: Int? = nil) -> Table {
    var copy = self
    copy.fields.append(TableField(name: name, type: type, size: size))
    return copy
  }

  /// Refuses numbers below 0 in the last column.
  public func unsigned() -> Table { changing { $0.isUnsigned = true } }

  /// Has each row have a value in the last column.
  public func notNull() -> Table { changing { $0.isRequired = true } }

  /// Makes the last column the key of the table.
  public func primaryKey() -> Table { changing { $0.isPrimaryKey = true } }

  /// Gives new rows a key that none had before, where they have none of their own; for keys of whole numbers.
  public func autoincrement() -> Table { changing { $0.countsItself = true } }

  /// Refuses two rows with the same value in the last column.
  public func unique() -> Table { changing { $0.isUnique = true } }

  /// Gives new rows a value in the last column, where they have none.
  public func `default`(_ value: any DatabaseValueConvertible) -> Table {
    changing { $0.fallback = value.databaseValue }
  }

  /// Gives new rows 0 in the last column, where they have no value.
  public func defaultZero() -> Table { self.default(0) }

  /// Gives new rows no value in the last column, which is so without it, too.
  public func defaultNull() -> Table { changing { $0.fallback = .null } }

  private func changing(_ change: (inout TableField) -> Void) -> Table {
    var copy = self
    guard let last = copy.fields.indices.last else { return self }
    change(&copy.fields[last])
    return copy
  }

  func adding(_ field: TableField) -> Table {
    var copy = self
    copy.fields.append(field)
    return copy
  }
}
