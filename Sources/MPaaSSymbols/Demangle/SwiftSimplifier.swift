/// Shortens a demangled Swift name to what a reader of a crash looks for: `main.Book.match(order: main.Order) ->
/// Swift.Int` becomes `Book.match(order:)`.
///
/// The runtime gives only the full form, so this works on its text: modules, argument types, results, private
/// discriminators, extension contexts and specialisation lists go away.
struct SwiftSimplifier {
  private let text: [UInt8]
  private var position = 0
  private var output: [UInt8] = []

  static func simplify(_ full: String) -> String {
    var simplifier = SwiftSimplifier(text: Array(withoutSpecialisation(full).utf8))
    simplifier.run()
    return String(decoding: simplifier.output, as: UTF8.self)
  }

  private init(text: [UInt8]) {
    self.text = text
  }

  /// Openings of the full form whose list goes away.
  private static let specialisations = [
    "generic specialization <", "generic not re-abstracted specialization <", "generic partial specialization <",
    "generic pre-specialization <", "generic not-re-abstracted partial specialization <",
    "function signature specialization <", "inlined generic function <",
  ]
  /// Openings that are shortened, or say nothing to a reader of a crash.
  private static let openings = [
    ("partial apply forwarder for ", "partial apply for "),
    ("async function pointer to ", "async function pointer to "),
    ("merged ", ""), ("protocol witness for ", "protocol witness for "), ("@objc ", "@objc "),
  ]

  private static func withoutSpecialisation(_ full: String) -> String {
    for opening in specialisations where full.hasPrefix(opening) {
      let bytes = Array(full.utf8)
      guard let end = closing(bytes, from: opening.utf8.count - 1), bytes[(end + 1)...].starts(with: " of ".utf8) else {
        return full
      }
      let rest = withoutSpecialisation(String(decoding: bytes[(end + 5)...], as: UTF8.self))
      return rest.hasPrefix("specialized ") ? rest : "specialized " + rest
    }
    for (opening, short) in openings where full.hasPrefix(opening) {
      return short + withoutSpecialisation(String(full.dropFirst(opening.utf8.count)))
    }
    // The parts of an async function are told as the function: `(1) await resume partial function for `.
    if full.hasPrefix("("), let end = full.range(of: " resume partial function for "),
      full.utf8.distance(from: full.startIndex, to: end.lowerBound) < 16
    {
      return withoutSpecialisation(String(full[end.upperBound...]))
    }
    return full.hasPrefix("reabstraction thunk helper ") ? thunk(full) : full
  }

  /// `reabstraction thunk helper from A to B` becomes `thunk for A`.
  private static func thunk(_ full: String) -> String {
    let bytes = Array(full.utf8)
    guard let from = bytes.range(of: " from "), let to = bytes[from.upperBound...].range(of: " to @") else {
      return full
    }
    return "thunk for " + String(decoding: bytes[from.upperBound..<to.lowerBound], as: UTF8.self)
  }

  /// The bracket that closes the one at `start`; `->` closes nothing.
  static func closing<Bytes: RandomAccessCollection<UInt8>>(_ bytes: Bytes, from start: Int) -> Int?
  where Bytes.Index == Int {
    var depth = 0
    for position in start..<bytes.endIndex {
      switch bytes[position] {
      case UInt8(ascii: "<"), UInt8(ascii: "("), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: ">") where position > start && bytes[position - 1] == UInt8(ascii: "-"): break
      case UInt8(ascii: ">"), UInt8(ascii: ")"), UInt8(ascii: "]"):
        depth -= 1
        if depth == 0 { return position }
      default: break
      }
    }
    return nil
  }
}

extension SwiftSimplifier {
  private mutating func run() {
    while position < text.count {
      let byte = text[position]
      if Self.isSpace(byte) {
        // A variable's type, a conformance's protocol and module.
        if starts(with: " : ") {
          if isConformance { return }
          skipToContext()
          continue
        }
        if starts(with: " value witness for ") {
          position += " value witness".utf8.count
          continue
        }
      }
      if isClosureHead, !isThunk, !starts(with: "in ") {
        skipToContext()
        continue
      }
      if byte == UInt8(ascii: "(") {
        parenthesis()
      } else if byte == UInt8(ascii: "<"), isAfterName {
        generics()
      } else if Self.startsIdentifier(byte), !isInsideWord {
        word()
      } else {
        output.append(byte)
        position += 1
      }
    }
  }

  private func starts(with prefix: String) -> Bool {
    text[position...].starts(with: prefix.utf8)
  }

  private var isConformance: Bool {
    ["conformance ", "witness table", "associated type descriptor "].contains { output.range(of: $0) != nil }
  }

  /// A thunk is named by its type, which stays.
  private var isThunk: Bool { output.range(of: "thunk for ") != nil }

  private var isInsideWord: Bool {
    position > 0 && (Self.continuesIdentifier(text[position - 1]) || text[position - 1] == UInt8(ascii: "."))
  }

  private var isAfterName: Bool {
    output.last.map { Self.continuesIdentifier($0) || !Self.isPunctuation($0) } ?? false
  }

  /// A word: a module before a dot goes away, a generic parameter's does not.
  private mutating func word() {
    let start = position
    while position < text.count, Self.continuesIdentifier(text[position]) { position += 1 }
    let word = text[start..<position]
    let hasMember =
      position + 1 < text.count && text[position] == UInt8(ascii: ".")
      && !Self.isSpace(text[position + 1])
    if hasMember, !Self.isGenericParameter(word) {
      position += 1
      dropDiscriminator()
    } else {
      output += word
    }
  }

  private mutating func parenthesis() {
    if starts(with: "(extension in "), let end = Self.closing(text, from: position), end + 1 < text.count,
      text[end + 1] == UInt8(ascii: ":")
    {
      position = end + 2
      return
    }
    if dropDiscriminator() { return }
    guard !isThunk, isAfterName || isLocalFunction, let end = Self.closing(text, from: position) else {
      output.append(text[position])
      position += 1
      return
    }
    if output.last == UInt8(ascii: " ") { output.removeLast() }
    arguments(position + 1, end)
    position = end + 1
    skipToContext()
  }

  /// `(name in _ABCDEF)` becomes `name`.
  @discardableResult
  private mutating func dropDiscriminator() -> Bool {
    guard position < text.count, text[position] == UInt8(ascii: "("), let end = Self.closing(text, from: position),
      let inside = text[position..<end].range(of: " in "), inside.lowerBound > position + 1,
      text[inside.upperBound] == UInt8(ascii: "_"),
      text[inside.upperBound..<end].allSatisfy(Self.continuesIdentifier)
    else { return false }
    output += text[(position + 1)..<inside.lowerBound]
    position = end + 1
    return true
  }

  /// Tells whether what was written last is `closure #1 `, behind which stands its type.
  private var isClosureHead: Bool {
    isLocalFunction && output.dropLast(4).range(of: "closure") != nil
      && output.split(separator: UInt8(ascii: " ")).dropLast().last?.elementsEqual("closure".utf8) == true
  }

  /// Tells whether what was written last is a name and its number, as `helper #1 `.
  private var isLocalFunction: Bool {
    guard output.last == UInt8(ascii: " ") else { return false }
    let digits = output.dropLast().reversed().prefix(while: RustName.isDigit)
    return !digits.isEmpty && output.dropLast(1 + digits.count).last == UInt8(ascii: "#")
  }

  /// The labels of an argument list.
  private mutating func arguments(_ start: Int, _ end: Int) {
    output.append(UInt8(ascii: "("))
    var depth = 0
    var first = start
    for index in start..<end {
      switch text[index] {
      case UInt8(ascii: "("), UInt8(ascii: "<"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: ">") where text[index - 1] == UInt8(ascii: "-"): break
      case UInt8(ascii: ")"), UInt8(ascii: ">"), UInt8(ascii: "]"): depth -= 1
      case UInt8(ascii: ",") where depth == 0:
        label(text[first..<index])
        first = index + 2
      default: break
      }
    }
    if first < end { label(text[first..<end]) }
    output.append(UInt8(ascii: ")"))
  }

  private mutating func label(_ argument: ArraySlice<UInt8>) {
    let name = argument.prefix(while: Self.continuesIdentifier)
    let isLabel = !name.isEmpty && argument.dropFirst(name.count).first == UInt8(ascii: ":")
    output += isLabel ? Array(name) : [UInt8(ascii: "_")]
    output.append(UInt8(ascii: ":"))
  }

  /// Generic parameters without their requirements.
  private mutating func generics() {
    guard let end = Self.closing(text, from: position) else {
      output.append(text[position])
      position += 1
      return
    }
    var inside = Array(text[(position + 1)..<end])
    if let requirements = inside.range(of: " where ") { inside.removeSubrange(requirements.lowerBound...) }
    var inner = SwiftSimplifier(text: inside)
    inner.run()
    output.append(UInt8(ascii: "<"))
    output += inner.output
    output.append(UInt8(ascii: ">"))
    position = end + 1
  }

  /// Passes over a type, to ` in ` and what encloses this, or to the end.
  private mutating func skipToContext() {
    var depth = 0
    while position < text.count {
      switch text[position] {
      case UInt8(ascii: "("), UInt8(ascii: "<"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: ">") where text[position - 1] == UInt8(ascii: "-"): break
      case UInt8(ascii: ")"), UInt8(ascii: ">"), UInt8(ascii: "]"): depth -= 1
      case UInt8(ascii: " ") where depth == 0 && starts(with: " in "):
        if output.last == UInt8(ascii: " ") { output.removeLast() }
        return
      default: break
      }
      position += 1
    }
    if output.last == UInt8(ascii: " ") { output.removeLast() }
  }

  private static func isGenericParameter(_ word: ArraySlice<UInt8>) -> Bool {
    guard let first = word.first, (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(first) else { return false }
    return word.dropFirst().allSatisfy(RustName.isDigit) || word.elementsEqual("Self".utf8)
  }

  private static func startsIdentifier(_ byte: UInt8) -> Bool {
    continuesIdentifier(byte) && !RustName.isDigit(byte)
  }

  static func continuesIdentifier(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 0x80...:
      true
    default: false
    }
  }

  private static func isSpace(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") }

  private static func isPunctuation(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: " "), UInt8(ascii: "("), UInt8(ascii: ","), UInt8(ascii: "["), UInt8(ascii: "<"): true
    default: false
    }
  }
}

extension RandomAccessCollection<UInt8> where Index == Int {
  /// The first place of `text`.
  func range(of text: String) -> Range<Int>? {
    let wanted = Array(text.utf8)
    guard count >= wanted.count, let first = wanted.first else { return nil }
    return (startIndex...(endIndex - wanted.count)).first { self[$0] == first && self[$0...].starts(with: wanted) }
      .map { $0..<$0 + wanted.count }
  }
}
