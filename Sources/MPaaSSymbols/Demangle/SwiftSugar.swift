#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Writes `[Int]`, `[Int : String]` and `Int?` where the Swift runtime's demangler spells the types out.
struct SwiftSugar {
  private let text: UnsafeRawBufferPointer
  /// As much room as the text takes: what is written is never longer.
  private let output: UnsafeMutableBufferPointer<UInt8>
  private var count = 0

  private enum Shape { case optional, array, dictionary }

  static func apply(_ text: String) -> String {
    var text = text
    return text.withUTF8 { apply(UnsafeRawBufferPointer($0)) }
  }

  static func apply(_ text: UnsafeRawBufferPointer) -> String {
    guard holdsType(text) else { return String(decoding: text, as: UTF8.self) }
    return String(unsafeUninitializedCapacity: text.count) { output in
      var sugar = SwiftSugar(text: text, output: output)
      sugar.write(0..<text.count, depth: 0)
      return sugar.count
    }
  }

  /// True where one of the types may stand there: a quick look that most names end with.
  private static func holdsType(_ text: UnsafeRawBufferPointer) -> Bool {
    guard var start = text.baseAddress else { return false }
    let end = start + text.count
    while let hit = memchr(start, Int32(UInt8(ascii: "S")), end - start) {
      let place = UnsafeRawPointer(hit) - (end - text.count)
      if shape(in: text, at: place) != nil { return true }
      start = UnsafeRawPointer(hit) + 1
    }
    return false
  }

  private init(text: UnsafeRawBufferPointer, output: UnsafeMutableBufferPointer<UInt8>) {
    self.text = text
    self.output = output
  }

  /// Writes a part of the text; what is before a type in it decides whether it is one.
  private mutating func write(_ part: Range<Int>, depth: Int) {
    let start = count
    var position = part.lowerBound
    while position < part.upperBound {
      guard text[position] == UInt8(ascii: "S"), depth < 100,
        count == start || !Self.continuesName(output[count - 1]),
        let (shape, bracket) = Self.shape(in: text, at: position),
        let end = SwiftSimplifier.closing(UnsafeRawBufferPointer(rebasing: text[..<part.upperBound]), from: bracket)
      else {
        put(text[position])
        position += 1
        continue
      }
      write(shape, of: bracket + 1..<end, depth + 1)
      position = end + 1
    }
  }

  /// The type that begins at `position`, and the place of its angle bracket.
  private static func shape(in text: UnsafeRawBufferPointer, at position: Int) -> (Shape, Int)? {
    guard text.begins(with: "Swift.", at: position) else { return nil }
    if text.begins(with: "Optional<", at: position + 6) { return (.optional, position + 14) }
    if text.begins(with: "Array<", at: position + 6) { return (.array, position + 11) }
    if text.begins(with: "Dictionary<", at: position + 6) { return (.dictionary, position + 16) }
    return nil
  }

  private mutating func write(_ shape: Shape, of inside: Range<Int>, _ depth: Int) {
    let start = count
    switch shape {
    case .optional:
      write(inside, depth: depth)
      if needsParentheses(from: start) {
        insert(UInt8(ascii: "("), at: start)
        put(UInt8(ascii: ")"))
      }
      put(UInt8(ascii: "?"))
    case .array, .dictionary:
      put(UInt8(ascii: "["))
      write(inside, depth: depth)
      if shape == .dictionary, let comma = comma(from: start + 1) {
        output[comma] = UInt8(ascii: ":")
        insert(UInt8(ascii: " "), at: comma)
      }
      put(UInt8(ascii: "]"))
    }
  }

  private mutating func put(_ byte: UInt8) {
    output[count] = byte
    count += 1
  }

  private mutating func insert(_ byte: UInt8, at place: Int) {
    put(byte)
    var index = count - 1
    while index > place {
      output[index] = output[index - 1]
      index -= 1
    }
    output[place] = byte
  }

  /// True where a function type or a composition stands from `start` on, not inside brackets of its own.
  private func needsParentheses(from start: Int) -> Bool {
    var depth = 0
    for position in start..<count {
      switch output[position] {
      case UInt8(ascii: "("), UInt8(ascii: "<"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: ">") where position > start && output[position - 1] == UInt8(ascii: "-"):
        if depth == 0 { return true }
      case UInt8(ascii: ")"), UInt8(ascii: ">"), UInt8(ascii: "]"): depth -= 1
      case UInt8(ascii: "&") where depth == 0: return true
      default: break
      }
    }
    return false
  }

  /// The comma between key and value of what stands from `start` on.
  private func comma(from start: Int) -> Int? {
    var depth = 0
    for position in start..<count {
      switch output[position] {
      case UInt8(ascii: "("), UInt8(ascii: "<"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: ">") where position > start && output[position - 1] == UInt8(ascii: "-"): break
      case UInt8(ascii: ")"), UInt8(ascii: ">"), UInt8(ascii: "]"): depth -= 1
      case UInt8(ascii: ",") where depth == 0: return position
      default: break
      }
    }
    return nil
  }

  private static func continuesName(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: ".") || SwiftSimplifier.continuesIdentifier(byte)
  }
}
