package import MPaaSSupport

/// The reason why a DAO document, or a call of one of its methods, is refused.
public struct DAOError: Error, Sendable, Equatable {
  /// One way of failing.
  public struct Code: Sendable, Hashable {
    /// The stable word, such as `dao-null-argument`, which `mpaas explain` knows.
    public let id: String
    package let exit: ExitStatus

    package init(_ id: String, exit: ExitStatus = .malformedInput) {
      self.id = id
      self.exit = exit
    }
  }

  /// The way in which it failed.
  public let code: Code
  /// The names and values that the error is about, such as `reason`, SQLite's own words.
  public let values: [String: String]
  /// The place in the document; nil where a call's arguments are refused.
  package let position: DAOPosition?
  /// The document's file; nil where it was read from memory.
  package let file: String?

  package init(_ code: Code, _ values: [String: String] = [:], at position: DAOPosition? = nil, in file: String? = nil)
  {
    self.code = code
    self.values = values
    self.position = position
    self.file = file
  }

  /// The same error with a place, where it has none.
  package func placed(at position: DAOPosition?, in file: String? = nil) -> DAOError {
    DAOError(code, values, at: self.position ?? position, in: self.file ?? file)
  }
}

/// A place in a document; line and column count from 1.
package struct DAOPosition: Sendable, Hashable, Comparable {
  package let line: Int
  package let column: Int

  package init(_ line: Int, _ column: Int) {
    self.line = line
    self.column = column
  }

  package static func < (left: DAOPosition, right: DAOPosition) -> Bool {
    (left.line, left.column) < (right.line, right.column)
  }
}

extension DAOError: CustomStringConvertible {
  /// The code, and the values that it is about.
  public var description: String {
    let details = values.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }.joined(separator: ", ")
    return details.isEmpty ? code.id : "\(code.id) (\(details))"
  }
}

extension DAOError: DiagnosticConvertible {
  package var diagnostic: Diagnostic {
    let name = file ?? ""
    let place: Place? = position.map { .text(file: name, line: $0.line, column: $0.column) } ?? file.map(Place.file)
    return Diagnostic(DiagnosticID(code.id), values, at: place, exit: code.exit)
  }
}
