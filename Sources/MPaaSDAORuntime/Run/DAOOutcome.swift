/// The outcome of a call.
public enum DAOOutcome: Sendable, Hashable {
  /// The result of a select; nil where no row was found for a single one.
  case result(DAOValue)
  /// The number of rows that were changed, and after an insert the number of the row that came last.
  case changed(rows: Int, lastRowID: Int64?)
}

/// The beginning and the end of a transaction over several calls.
public enum DAOTransaction: String, Sendable { case begin, commit, rollback }

/// A change of a table itself.
public enum DAOEvent: Sendable, Hashable {
  /// The table was found older than the document.
  case upgradeBegan(table: String)
  case upgradeFailed(table: String)
  case tableCreated(table: String)
  case tableDeleted(table: String)
}

/// The rows that a call changed.
public struct DAOChanges: Sendable, Hashable {
  /// The number of rows.
  public let rows: Int
  /// After an insert the number of the row that came last; nil where there is none.
  public let lastRowID: Int64?

  package init(rows: Int, lastRowID: Int64?) {
    self.rows = rows
    self.lastRowID = lastRowID
  }
}
