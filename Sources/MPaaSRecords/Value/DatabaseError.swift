package import MPaaSSupport

/// The reason why a database did not do what was asked, or a record could not be stored or loaded.
public struct DatabaseError: Error, Sendable, Equatable {
  /// One way of failing: the stable word that `mpaas explain` knows, and how the command ends.
  package struct Code: Sendable, Hashable {
    package let id: DiagnosticID
    package let exit: ExitStatus

    package init(_ id: DiagnosticID, exit: ExitStatus = .malformedInput) {
      self.id = id
      self.exit = exit
    }
  }

  package let code: Code
  package let values: [String: String]
  package let place: Place?

  package init(_ code: Code, _ values: [String: String] = [:], at place: Place? = nil) {
    self.code = code
    self.values = values
    self.place = place
  }

  /// An error of another part, told as it is there.
  package init(_ error: some DiagnosticConvertible) {
    let diagnostic = error.diagnostic
    self.init(Code(diagnostic.id, exit: diagnostic.exit), diagnostic.values, at: diagnostic.place)
  }

  /// The stable word of the failure, such as `query-name`.
  public var identifier: String { code.id.name }
}

extension DatabaseError: CustomStringConvertible {
  /// The word of the failure, and the values that it is about.
  public var description: String {
    let details = values.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }.joined(separator: ", ")
    return details.isEmpty ? identifier : "\(identifier) (\(details))"
  }
}

extension DatabaseError: DiagnosticConvertible {
  package var diagnostic: Diagnostic { Diagnostic(code.id, values, at: place, exit: code.exit) }
}

extension DatabaseError.Code {
  /// A text cannot be the name of a table or a column.
  package static var name: Self { DatabaseError.Code("query-name") }
  /// A value cannot stand where it was put.
  package static var value: Self { DatabaseError.Code("query-value") }
  /// A part of a query is missing without which it is not run.
  package static var incomplete: Self { DatabaseError.Code("query-incomplete") }
  /// A column is missing from a row, or its value is not of the type that was asked for.
  package static var column: Self { DatabaseError.Code("row-column") }
  /// No database was named, and none is shared.
  package static var noDatabase: Self { DatabaseError.Code("database-none", exit: .badConfiguration) }
  /// The fields of a type of records cannot be found out.
  package static var recordFields: Self { DatabaseError.Code("record-fields", exit: .internalFault) }
  /// A record has no key by which it could be found again.
  package static var recordKey: Self { DatabaseError.Code("record-key") }
  /// An object, dictionary or JSON document is no record of the type.
  package static var recordMalformed: Self { DatabaseError.Code("record-malformed") }
  /// A record that another one names is not there, or names itself in turn.
  package static var recordAbsent: Self { DatabaseError.Code("record-absent") }
}
