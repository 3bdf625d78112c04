package import MPaaSSupport

/// Something that must hold of a JSON value; a list of checks means all of them, an empty list nothing.
///
/// Checks of one kind say nothing of values of another, as in JSON Schema: a least length lets every number pass.
package indirect enum ModelCheck: Sendable, Equatable {
  /// Nothing passes.
  case never
  case kinds([ModelKind])
  /// It is one of these.
  case constants([JSONValue])

  case minimum(JSONValue, isExclusive: Bool)
  case maximum(JSONValue, isExclusive: Bool)
  case multiple(JSONValue)

  /// The length of a string, in Unicode scalars.
  case length(least: Int?, most: Int?)
  /// A regular expression of ECMA-262 that is found anywhere in a string.
  case pattern(String)
  /// A format of JSON Schema, by its name there.
  case format(String)

  /// The number of elements of an array.
  case count(least: Int?, most: Int?)
  case unique
  /// `rest` for the elements behind the first; nil where the array says nothing of them.
  case elements(first: [[ModelCheck]], rest: [ModelCheck]?)
  case contains([ModelCheck], least: Int, most: Int?)
  /// For elements that nothing else has looked at.
  case unevaluatedElements([ModelCheck])

  /// The number of members of an object.
  case memberCount(least: Int?, most: Int?)
  case required([String])
  /// Members that must be there on one way only: what is only read, in answers; what is only written, in requests.
  case requiredIn(ModelDirection, [String])
  case members(ModelMembers)
  case memberNames([ModelCheck])
  /// A condition that must hold where a member is there.
  case dependent(on: String, [ModelCheck])
  /// For members that nothing else has looked at.
  case unevaluatedMembers([ModelCheck])

  case any([[ModelCheck]])
  case exactlyOne([[ModelCheck]])
  case not([ModelCheck])
  case conditional([ModelCheck], then: [ModelCheck], otherwise: [ModelCheck])

  /// A scope: `unevaluatedMembers` and `unevaluatedElements` in it know only what is in it too.
  case scope([ModelCheck])

  /// All checks of the declaration of this name.
  case declaration(String)
  /// All checks of the function of this name.
  case function(String)
}

extension ModelCheck {
  /// The regular expressions in it, for texts and for names.
  func collectPatterns(_ patterns: inout [String]) {
    if case .pattern(let text) = self { return patterns.append(text) }
    if case .members(let members) = self { patterns += members.patterns.map(\.name) }
    for check in inner.joined() { check.collectPatterns(&patterns) }
  }

  /// The checks that it is made of.
  private var inner: [[ModelCheck]] {
    switch self {
    case .elements(let first, let rest): first + (rest.map { [$0] } ?? [])
    case .contains(let checks, least: _, most: _), .unevaluatedElements(let checks), .memberNames(let checks),
      .dependent(on: _, let checks), .unevaluatedMembers(let checks), .not(let checks), .scope(let checks):
      [checks]
    case .members(let members): (members.named + members.patterns).map(\.checks) + (members.rest.map { [$0] } ?? [])
    case .any(let branches), .exactlyOne(let branches): branches
    case .conditional(let condition, let then, let otherwise): [condition, then, otherwise]
    default: []
    }
  }
}

/// The ways of a value between the two sides of a call.
package enum ModelDirection: String, Sendable, CaseIterable {
  case request, response

  /// The keyword, of ours alone, that lists such members in a schema.
  var keyword: String { "x-mpaas-required-in-" + rawValue }
}

/// The conditions on the members of an object, by their names.
package struct ModelMembers: Sendable, Equatable {
  package struct Named: Sendable, Equatable {
    /// A name, or a regular expression for names.
    package var name: String
    package var checks: [ModelCheck]

    package init(_ name: String, _ checks: [ModelCheck]) {
      self.name = name
      self.checks = checks
    }
  }

  package var named: [Named]
  package var patterns: [Named]
  /// For all others; nil where the object says nothing of them.
  package var rest: [ModelCheck]?

  package init(named: [Named] = [], patterns: [Named] = [], rest: [ModelCheck]? = nil) {
    self.named = named
    self.patterns = patterns
    self.rest = rest
  }
}
