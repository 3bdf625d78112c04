/// A part of a statement, as it is compiled.
package indirect enum DAONode: Sendable {
  /// SQL as it stands; a byte of 0 is the table's name.
  case sql([UInt8])
  case reference(DAOReference)
  case condition(DAOCondition, [DAONode])
  /// The branches of a `choose`; one without a condition is taken whenever those before are not.
  case choose([(condition: DAOCondition?, nodes: [DAONode])])
  case foreach(DAOForeach)
  case trim(DAOTrim)
  case format(DAOFormat)
}

/// A name with the names of properties behind it.
package struct DAOPath: Sendable, Hashable {
  package enum Root: Sendable, Hashable {
    /// An argument or a loop's item, by its number.
    case slot(Int)
    case global(String)
  }

  package let root: Root
  package let properties: [String]
  /// As it is written.
  package let text: String
}

/// A `#{…}` or `@{…}`.
package struct DAOReference: Sendable {
  package let path: DAOPath
  /// True for `#{…}`: a question mark, and the value beside the statement.
  package let isBound: Bool
  /// The text in place of nil: `or "…"`.
  package let fallback: String?
  /// True for `no ""`: the value as it stands.
  package let isRaw: Bool
  package let position: DAOPosition
}

/// An expression, and the answer that it must give.
package struct DAOCondition: Sendable {
  package let expression: DAOExpression
  package let wanted: Bool
  package let position: DAOPosition
}

package struct DAOForeach: Sendable {
  package let collection: DAOPath
  package let itemSlot: Int
  package let indexSlot: Int?
  package let open: [UInt8]
  package let separator: [UInt8]
  package let close: [UInt8]
  package let isReverse: Bool
  package let nodes: [DAONode]
}

package struct DAOTrim: Sendable {
  package enum OnVoid: String, Sendable {
    /// The statement is not run.
    case quit
    /// The statement ends here; what is around closes.
    case ignoreAfter
  }

  package let prefix: [UInt8]
  package let suffix: [UInt8]
  /// Pieces that go where the content begins with one of them; the longest first.
  package let prefixOverrides: [[UInt8]]
  package let suffixOverrides: [[UInt8]]
  package let onVoid: OnVoid?
  package let nodes: [DAONode]
}

package struct DAOFormat: Sendable {
  package let prefix: [UInt8]
  package let pairs: DAOPath
  /// The word between pairs; nil for a comma.
  package let join: [UInt8]?
}

/// One statement of a method, which may be one of several.
package struct DAOUnit: Sendable {
  package enum Kind: String, Sendable {
    case statement, step
    case attempt = "try"
    case except
  }

  package let kind: Kind
  package let nodes: [DAONode]
  /// True for a step whose failure does not end the method.
  package let isResumable: Bool
  package let position: DAOPosition
}
