/// A value of a catalogue's JSON, with its members in their order and its numbers as they were written.
package indirect enum CatalogNode: Sendable, Equatable {
  case string(String)
  /// A number, `true`, `false` or `null` as it stands.
  case word(String)
  case array([CatalogNode])
  case object(CatalogObject)

  package var string: String? {
    if case .string(let text) = self { text } else { nil }
  }

  package var object: CatalogObject? {
    if case .object(let object) = self { object } else { nil }
  }
}

/// Members in the order of their file; of a name that stands there twice the last counts.
package struct CatalogObject: Sendable, Equatable {
  package struct Member: Sendable, Equatable {
    package let name: String
    package var value: CatalogNode
    /// From the name's quote to behind the value, in bytes of the file; empty for one that was made.
    package let span: Range<Int>

    package init(_ name: String, _ value: CatalogNode, span: Range<Int> = 0..<0) {
      self.name = name
      self.value = value
      self.span = span
    }

    package static func == (left: Self, right: Self) -> Bool { left.name == right.name && left.value == right.value }
  }

  package var members: [Member]
  /// Between its braces.
  package let inside: Range<Int>

  package init(_ members: [Member] = [], inside: Range<Int> = 0..<0) {
    self.members = members
    self.inside = inside
  }

  package static func == (left: Self, right: Self) -> Bool { left.members == right.members }

  /// The value of a name; setting it keeps the place of one that is there, and puts a new one where it belongs by name.
  package subscript(name: String) -> CatalogNode? {
    get { members.last { $0.name == name }?.value }
    set {
      guard let newValue else { return members.removeAll { $0.name == name } }
      if let index = members.lastIndex(where: { $0.name == name }) {
        members[index].value = newValue
      } else {
        let index = members.firstIndex { KeyOrder.isBefore(name, $0.name) } ?? members.count
        members.insert(Member(name, newValue), at: index)
      }
    }
  }
}

extension CatalogNode {
  /// Sets what stands at a path of names; objects that are missing on the way are made.
  package mutating func set(_ value: CatalogNode?, at path: [String]) {
    guard let name = path.first else {
      if let value { self = value }
      return
    }
    var object = object ?? CatalogObject()
    if path.count == 1 {
      object[name] = value
    } else {
      var child = object[name] ?? .object(CatalogObject())
      child.set(value, at: Array(path.dropFirst()))
      object[name] = child
    }
    self = .object(object)
  }

  package subscript(path: String...) -> CatalogNode? {
    var node: CatalogNode? = self
    for name in path { node = node?.object?[name] }
    return node
  }
}

/// The order in which Xcode writes keys: signs before digits before letters, numbers by value, capitals after small
/// ones.
struct KeyOrder {
  /// For each place in a list of keys, the greatest up to it.
  private var greatest: [(weights: [UInt32], name: String)] = []

  init(_ names: some Sequence<String>) {
    for name in names {
      let item = (Self.weights(name), name)
      if let last = greatest.last, !Self.isBefore(last, item) { greatest.append(last) } else { greatest.append(item) }
    }
  }

  /// The index of the first key after a name; the count where none does.
  func index(of name: String) -> Int {
    let item = (Self.weights(name), name)
    var (low, high) = (0, greatest.count)
    while low < high {
      let middle = (low + high) / 2
      if Self.isBefore(item, greatest[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }

  /// Signs in the order of the root collation (CLDR 44, `allkeys_CLDR.txt`), those of ASCII and the ones that texts
  /// have.
  private static let signs: [Unicode.Scalar: UInt32] = {
    let order =
      "\t\n\u{b}\u{c}\r\u{2028}\u{2029} \u{a0}_‿-‐–—―,、;:!¡?¿.…。·'‘’‚‹›\"“”„«»「」『』()（）[]{}【】§¶@*/\\&#%‰†‡•`´˜^¯¨°©®+±÷×<=>|¦~→←¬$¤¢£¥€"
    return Dictionary(order.unicodeScalars.enumerated().map { ($1, UInt32($0)) }) { first, _ in first }
  }()

  /// Other signs come behind those of the list, numbers behind all signs, letters behind numbers.
  private enum Weight {
    static let sign: UInt32 = 1000
    static let number: UInt32 = 0x20_0000
    static let letter: UInt32 = 0x20_0001
  }

  private static func isSign(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .connectorPunctuation, .dashPunctuation, .openPunctuation, .closePunctuation, .initialPunctuation,
      .finalPunctuation, .otherPunctuation, .mathSymbol, .currencySymbol, .modifierSymbol, .otherSymbol,
      .spaceSeparator:
      true
    default: false
    }
  }

  static func isBefore(_ left: String, _ right: String) -> Bool {
    isBefore((weights(left), left), (weights(right), right))
  }

  private static func isBefore(_ left: ([UInt32], String), _ right: ([UInt32], String)) -> Bool {
    if left.0 != right.0 { return left.0.lexicographicallyPrecedes(right.0) }
    // Small letters first, where nothing else differs.
    return left.1.unicodeScalars.lexicographicallyPrecedes(right.1.unicodeScalars) { $0.value > $1.value }
  }

  private static func weights(_ text: String) -> [UInt32] {
    var weights: [UInt32] = []
    var number: UInt32?
    for scalar in text.unicodeScalars {
      if (0x30...0x39).contains(scalar.value) {
        number = (number ?? 0) &* 10 &+ (scalar.value - 0x30)
        continue
      }
      if let digits = number { weights += [Weight.number, digits] }
      number = nil
      if let sign = signs[scalar] {
        weights.append(sign)
      } else if !scalar.isASCII, scalar.properties.isDefaultIgnorableCodePoint {
        continue
      } else if !scalar.isASCII, isSign(scalar) {
        weights.append(Weight.sign + scalar.value)
      } else {
        let folded = scalar.properties.lowercaseMapping.unicodeScalars.first ?? scalar
        weights.append(Weight.letter + folded.value)
      }
    }
    if let digits = number { weights += [Weight.number, digits] }
    return weights
  }
}
