/// A statement as it goes to SQLite.
public struct DAOStatement: Sendable, Hashable {
  /// The place of a statement in its method.
  public enum Kind: String, Sendable {
    case statement, step
    case attempt = "try"
    case except
  }

  package let kind: Kind
  package let sql: String
  /// The values of its question marks: nil, booleans, numbers, texts and data.
  package let bindings: [DAOValue]
  /// True for a step whose failure does not end the method.
  package let isResumable: Bool
  /// The element that it is made of.
  package let position: DAOPosition
}
