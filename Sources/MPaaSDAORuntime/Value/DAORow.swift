/// A row of a query: its values in their order, and the names of its columns, which all rows of an answer share.
public struct DAORow: Sendable {
  private let shared: DAOColumns
  /// The values in the order of the columns.
  public let values: [DAOValue]

  init(_ columns: DAOColumns, _ values: [DAOValue]) {
    shared = columns
    self.values = values
  }

  /// The names of the columns.
  public var columns: [String] { shared.names }

  /// The value of a column, of several with its name the last.
  ///
  /// It is nil in the form of `DAOValue.null` where there is none of the name.
  public subscript(column: String) -> DAOValue {
    shared.names.lastIndex(of: column).map { values[$0] } ?? .null
  }

  /// The values by the names of their columns.
  public var dictionary: [String: DAOValue] { Dictionary(zip(shared.names, values)) { $1 } }
}

extension DAORow: Hashable {
  /// Tells whether two rows have the same values in columns of the same names and order.
  public static func == (left: DAORow, right: DAORow) -> Bool {
    left.values == right.values && left.columns == right.columns
  }

  /// Hashes the values.
  public func hash(into hasher: inout Hasher) { hasher.combine(values) }
}
