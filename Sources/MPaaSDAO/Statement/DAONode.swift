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
  package let rule: DAOReferenceRule
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
  package let rule: DAOLoopRule
  package let nodes: [DAONode]
}

package struct DAOTrim: Sendable {
  package let rule: DAOTrimRule
  package let nodes: [DAONode]
}

package struct DAOFormat: Sendable {
  package let pairs: DAOPath
  package let rule: DAOFormatRule
}

/// One statement of a method, which may be one of several.
package struct DAOUnit: Sendable {
  package let kind: DAOStatement.Kind
  package let nodes: [DAONode]
  /// True for a step whose failure does not end the method.
  package let isResumable: Bool
  package let position: DAOPosition
}
