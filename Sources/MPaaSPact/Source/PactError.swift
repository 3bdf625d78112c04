import MPaaSJSON
package import MPaaSSupport

/// The part of the kit that `PactError` belongs to.
package enum PactDomain {}

/// The reason why a contract cannot be used.
package typealias PactError = CodedError<PactDomain>

extension PactError.Code {
  /// Bytes that are no JSON.
  package static var syntax: Self { .malformed("pact-syntax") }
  /// A member that is missing or of another kind than the format says.
  package static var member: Self { .malformed("pact-member") }
  /// A version of the format that is not known.
  package static var version: Self { .malformed("pact-version") }
  /// An interaction that only a plug-in could handle.
  package static var plugin: Self { .refused("pact-plugin") }
  /// A path expression that cannot be read.
  package static var path: Self { .malformed("pact-path") }
  /// A matching rule that is not known.
  package static var rule: Self { .malformed("pact-rule") }
  /// A generator that is not known.
  package static var generator: Self { .malformed("pact-generator") }
  /// Something that an older version of the format has no room for.
  package static var unwritable: Self { PactError.Code("pact-unwritable", exit: .usage) }
  /// Two interactions of the same name that differ.
  package static var conflict: Self { PactError.Code("pact-conflict", exit: .negative) }
  /// A pair file without what it should have.
  package static var pair: Self { .malformed("pact-pair") }
  /// An expression for dates or times that cannot be read.
  package static var expression: Self { .malformed("pact-expression") }
}

extension PactError {
  /// An error about a member, with its place.
  init(_ code: Code, _ values: [String: String] = [:], in node: JSONNode, of file: String) {
    let place = Place.text(file: file, line: node.position.line, column: node.position.column)
    self.init(code, values, at: place)
  }
}
