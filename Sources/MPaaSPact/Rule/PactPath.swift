import MPaaSSupport

/// A path expression: the places in a body, or among names, that a rule or a generator is for.
package struct PactPath: Sendable, Hashable {
  package enum Token: Sendable, Hashable {
    case field(String)
    case index(Int)
    /// Any member: `.*`.
    case star
    /// Any element: `[*]`.
    case starIndex
  }

  /// The tokens behind `$`.
  package var tokens: [Token]

  package static let root = PactPath([])

  package init(_ tokens: [Token]) {
    self.tokens = tokens
  }

  /// Reads an expression such as `$.animals[*]['@id']`; nil where it cannot be one.
  package init?(_ text: String) {
    var scalars = (["$", "["].contains(text.first) ? text : "." + text).unicodeScalars[...]
    if scalars.first == "$" { scalars.removeFirst() }
    tokens = []
    while let first = scalars.popFirst() {
      switch first {
      case ".":
        let name = String(String.UnicodeScalarView(scalars.prefix { $0 != "." && $0 != "[" }))
        scalars = scalars.dropFirst(name.unicodeScalars.count)
        // Two dots and a name at the end are no part of the language.
        guard !name.isEmpty else { return nil }
        tokens.append(name == "*" ? .star : .field(name))
      case "[":
        guard let token = Self.bracket(&scalars) else { return nil }
        tokens.append(token)
      default: return nil
      }
    }
  }

  /// The token in brackets, behind the opening one.
  private static func bracket(_ scalars: inout String.UnicodeScalarView.SubSequence) -> Token? {
    if let quote = scalars.first, quote == "'" || quote == "\"" {
      scalars.removeFirst()
      var name = String.UnicodeScalarView()
      while let scalar = scalars.popFirst() {
        if scalar == "\\", let escaped = scalars.popFirst() {
          name.append(escaped)
        } else if scalar == quote {
          return scalars.popFirst() == "]" ? .field(String(name)) : nil
        } else {
          name.append(scalar)
        }
      }
      return nil
    }
    let inner = String(String.UnicodeScalarView(scalars.prefix { $0 != "]" }))
    scalars = scalars.dropFirst(inner.unicodeScalars.count)
    guard scalars.popFirst() == "]" else { return nil }
    if inner == "*" { return .starIndex }
    guard let index = Int(inner), index >= 0 else { return nil }
    return .index(index)
  }
}

/// A place in a body: the steps that lead there from its root.
package struct PactPlace: Sendable, Hashable {
  package enum Step: Sendable, Hashable {
    case field(String)
    case index(Int)
    /// An element of XML by each name that it may be called by; the first is shown.
    case element([String])
    /// The place of an element among those of its name, which an expression may leave out.
    case order(Int)
  }

  package private(set) var steps: [Step]

  package static let root = PactPlace(steps: [])

  package init(steps: [Step]) {
    self.steps = steps
  }

  package func appending(_ step: Step) -> PactPlace { PactPlace(steps: steps + [step]) }
  package subscript(_ name: String) -> PactPlace { appending(.field(name)) }
  package subscript(_ index: Int) -> PactPlace { appending(.index(index)) }
}

extension PactPlace: CustomStringConvertible {
  package var description: String {
    steps.reduce(into: "$") { text, step in
      switch step {
      case .index(let index): text += "[\(index)]"
      case .order(let index): text += index == 0 ? "" : "[\(index)]"
      case .element(let names): text += Self.member(names.first ?? "")
      case .field(let name): text += Self.member(name)
      }
    }
  }

  /// A name as it follows in an expression: `.name`, or in brackets where it has other characters.
  static func member(_ name: String) -> String {
    if Int(name) != nil { return "[\(name)]" }
    let isPlain = name.unicodeScalars.allSatisfy {
      $0.properties.isAlphabetic || $0.properties.numericType != nil || "_-@#:".unicodeScalars.contains($0)
    }
    if isPlain, !name.isEmpty, name.first != "@" { return ".\(name)" }
    return "['\(name.replacing(each: "\\", with: "\\\\").replacing(each: "'", with: "\\'"))']"
  }
}

extension PactPath {
  /// The weight of the expression at a place, from 1 up; 0 where it is for another one.
  ///
  /// An expression is for its places and for all below them. A name counts twice, a star once.
  package func weight(at place: PactPlace) -> Int {
    var weight = 2
    var rest = place.steps[...]
    for token in tokens {
      // What an expression leaves out: `$.a.b` is for `$.a[1].b` where a is an element of XML.
      if case .order? = rest.first, !token.isIndex { rest.removeFirst() }
      guard let step = rest.popFirst() else { return 0 }
      let factor = token.weight(step)
      guard factor > 0 else { return 0 }
      // Deep documents would overflow it; the number of tokens decides there.
      weight = min(weight, 1 << 40) * factor
    }
    return weight
  }

  /// Tells whether the expression is for a place itself, and not only for something above it.
  func reaches(_ place: PactPlace) -> Bool {
    let optional = place.steps.count { if case .order = $0 { true } else { false } }
    return weight(at: place) > 0 && tokens.count >= place.steps.count - optional
  }
}

extension PactPath.Token {
  fileprivate var isIndex: Bool {
    switch self {
    case .index, .starIndex: true
    case .field, .star: false
    }
  }

  fileprivate func weight(_ step: PactPlace.Step) -> Int {
    switch (self, step) {
    case (.field(let name), .field(let own)): name == own ? 2 : 0
    case (.field(let name), .element(let names)): names.contains(name) ? 2 : 0
    case (.field(let name), .index(let own)), (.field(let name), .order(let own)): name == String(own) ? 2 : 0
    case (.index(let index), .index(let own)), (.index(let index), .order(let own)): index == own ? 2 : 0
    case (.index(let index), .field(let own)): String(index) == own ? 2 : 0
    case (.index, .element): 0
    case (.starIndex, .index), (.starIndex, .order): 1
    case (.starIndex, .field(let own)): Int(own) != nil ? 1 : 0
    case (.starIndex, .element): 0
    case (.star, _): 1
    }
  }
}
