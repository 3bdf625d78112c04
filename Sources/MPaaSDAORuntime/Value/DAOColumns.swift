/// The names of columns that a query is expected to give, in the order in which compiled code asks for them.
public final class DAOColumns: Sendable {
  let names: [String]

  /// Creates a list of names.
  public init(_ names: [String]) { self.names = names }
}
