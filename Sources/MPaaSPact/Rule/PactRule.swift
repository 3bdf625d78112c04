import MPaaSJSON

/// One way of comparing a value with what is expected.
package enum PactRule: Sendable, Equatable {
  case equality
  case regex(String)
  /// The same kind, and of lists so many elements.
  case type(min: Int?, max: Int?)
  case include(String)
  case integer
  case decimal
  case number
  case null
  case boolean
  case date(String)
  case time(String)
  case timestamp(String)
  case contentType(String)
  /// Members of any name, with values like the expected ones.
  case values
  /// Somewhere in the list, one element for each variant.
  case arrayContains([PactVariant])
  case eachKey([PactRule])
  case eachValue([PactRule])
  case notEmpty
  case semver
  case statusCode(StatusClass)

  /// The statuses that a rule lets pass.
  package enum StatusClass: Sendable, Equatable {
    case information, success, redirect, clientError, serverError, nonError, error
    case among([Int])

    package func has(_ status: Int) -> Bool {
      switch self {
      case .information: (100...199).contains(status)
      case .success: (200...299).contains(status)
      case .redirect: (300...399).contains(status)
      case .clientError: (400...499).contains(status)
      case .serverError: (500...599).contains(status)
      case .nonError: status < 400
      case .error: status >= 400
      case .among(let statuses): statuses.contains(status)
      }
    }
  }

  /// Tells whether the rule is for what lies below its path, too.
  var cascades: Bool {
    switch self {
    case .values, .eachKey, .eachValue, .arrayContains, .contentType: false
    default: true
    }
  }
}

/// One element that a list must have, with rules of its own.
package struct PactVariant: Sendable, Equatable {
  /// The place of its example in the expected list.
  package let index: Int
  package let rules: PactRuleCategory

  package init(index: Int, rules: PactRuleCategory) {
    self.index = index
    self.rules = rules
  }
}

/// Rules for the same place, and whether all or any of them must hold.
package struct PactRuleList: Sendable, Equatable {
  package enum Combination: String, Sendable {
    case and = "AND"
    case or = "OR"
  }

  package var rules: [PactRule]
  package var combination: Combination

  package init(_ rules: [PactRule], _ combination: Combination = .and) {
    self.rules = rules
    self.combination = combination
  }
}

/// The rules for one part of a request, a response or a message.
package struct PactRuleCategory: Sendable, Equatable {
  package struct Entry: Sendable, Equatable {
    /// The expression, or the name of a header or of a parameter, as it was written.
    package let name: String
    package let path: PactPath
    package let list: PactRuleList
  }

  package private(set) var entries: [Entry] = []
  /// Tells whether a rule has no place of its own, as that for a path.
  package var isPlain = false

  package init() {}

  package mutating func add(_ name: String, _ path: PactPath, _ list: PactRuleList) {
    entries.append(Entry(name: name, path: path, list: list))
  }

  /// The rules for a place, and whether they stand for something above it.
  ///
  /// The heaviest expression counts; of two as heavy, the one with more tokens, and then the first.
  package func rules(at place: PactPlace) -> (list: PactRuleList, isCascaded: Bool)? {
    var best: (entry: Entry, weight: Int)?
    for entry in entries {
      let weight = entry.path.weight(at: place)
      guard weight > 0 else { continue }
      let isOwn = entry.path.reaches(place)
      guard isOwn || entry.list.rules.contains(where: \.cascades) else { continue }
      let score = weight.multipliedReportingOverflow(by: entry.path.tokens.count + 1)
      let value = score.overflow ? .max : score.partialValue
      if best.map({ value > $0.weight }) ?? true { best = (entry, value) }
    }
    guard let entry = best?.entry else { return nil }
    if entry.path.reaches(place) { return (entry.list, false) }
    return (PactRuleList(entry.list.rules.filter(\.cascades), entry.list.combination), true)
  }

  /// Tells whether an expression is for just this place.
  package func hasOwnRules(at place: PactPlace) -> Bool { entries.contains { $0.path.reaches(place) } }
}

/// The rules of a request, a response or a message, by what they are for.
package struct PactRules: Sendable, Equatable {
  package enum Part: String, Sendable, CaseIterable {
    case method, path, header, query, body, status, metadata
  }

  package private(set) var categories: [Part: PactRuleCategory] = [:]

  package init() {}

  package subscript(_ part: Part) -> PactRuleCategory {
    get { categories[part] ?? PactRuleCategory() }
    set { categories[part] = newValue }
  }

  package var isEmpty: Bool { categories.values.allSatisfy(\.entries.isEmpty) }
}
