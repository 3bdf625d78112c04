extension TextLiteral {
  /// The joined content of literals.
  struct Decoded {
    var bytes: [UInt8] = []
    var hasInterpolations = false
    var isGuessed = false
    var text: String { String(decoding: bytes, as: UTF8.self) }
  }

  static func decoded(
    _ literals: [TextLiteral], _ text: UnsafeBufferPointer<UInt8>, _ types: DeclaredTypes?
  ) -> Decoded {
    var result = Decoded()
    result.hasInterpolations = literals.contains { !$0.interpolations.isEmpty }
    for literal in literals {
      switch literal.kind {
      case .raw: result.bytes += text[literal.content]
      case .c: CLiteral.append(text, literal.content, to: &result.bytes)
      case .swift: SwiftLiteral(text, literal, types).append(to: &result)
      }
    }
    return result
  }
}

/// Escapes of C (ISO C, 6.4.4.4).
enum CLiteral {
  static func append(_ text: UnsafeBufferPointer<UInt8>, _ range: Range<Int>, to bytes: inout [UInt8]) {
    var offset = range.lowerBound
    while offset < range.upperBound {
      let byte = text[offset]
      offset += 1
      guard byte == UInt8(ascii: "\\"), offset < range.upperBound else {
        bytes.append(byte)
        continue
      }
      let escaped = text[offset]
      offset += 1
      switch escaped {
      case UInt8(ascii: "n"): bytes.append(0x0a)
      case UInt8(ascii: "t"): bytes.append(0x09)
      case UInt8(ascii: "r"): bytes.append(0x0d)
      case UInt8(ascii: "a"): bytes.append(0x07)
      case UInt8(ascii: "b"): bytes.append(0x08)
      case UInt8(ascii: "f"): bytes.append(0x0c)
      case UInt8(ascii: "v"): bytes.append(0x0b)
      case UInt8(ascii: "e"): bytes.append(0x1b)
      case 0x0a: break
      case 0x0d: if offset < range.upperBound, text[offset] == 0x0a { offset += 1 }
      case UInt8(ascii: "0")...UInt8(ascii: "7"):
        offset -= 1
        byteRun(text, &offset, range.upperBound, radix: 8, limit: 3, to: &bytes)
      case UInt8(ascii: "x"): byteRun(text, &offset, range.upperBound, radix: 16, limit: 2, to: &bytes)
      case UInt8(ascii: "u"): scalar(text, &offset, range.upperBound, 4, to: &bytes)
      case UInt8(ascii: "U"): scalar(text, &offset, range.upperBound, 8, to: &bytes)
      default: bytes.append(escaped)
      }
    }
  }

  private static func byteRun(
    _ text: UnsafeBufferPointer<UInt8>, _ offset: inout Int, _ end: Int, radix: UInt32, limit: Int,
    to bytes: inout [UInt8]
  ) {
    var value: UInt32 = 0
    var count = 0
    while count < limit, offset < end, let digit = SourceBytes.hex(text[offset]), digit < radix {
      value = value * radix + digit
      offset += 1
      count += 1
    }
    bytes.append(UInt8(truncatingIfNeeded: value))
  }

  private static func scalar(
    _ text: UnsafeBufferPointer<UInt8>, _ offset: inout Int, _ end: Int, _ limit: Int, to bytes: inout [UInt8]
  ) {
    func unit(_ offset: inout Int, _ limit: Int) -> UInt32 {
      var value: UInt32 = 0
      var count = 0
      while count < limit, offset < end, let digit = SourceBytes.hex(text[offset]) {
        value = value << 4 | digit
        offset += 1
        count += 1
      }
      return value
    }
    var value = unit(&offset, limit)
    if value & 0xfffffc00 == 0xd800, offset + 1 < end, text[offset] == UInt8(ascii: "\\"),
      text[offset + 1] == UInt8(ascii: "u")
    {
      var next = offset + 2
      let low = unit(&next, 4)
      if low & 0xfffffc00 == 0xdc00 {
        value = 0x10000 + ((value & 0x3ff) << 10 | low & 0x3ff)
        offset = next
      }
    }
    SourceBytes.append(value, to: &bytes)
  }
}

/// A string literal of Swift (The Swift Programming Language, "String Literals").
struct SwiftLiteral {
  private let text: UnsafeBufferPointer<UInt8>
  private let literal: TextLiteral
  private let types: DeclaredTypes?
  private let content: Range<Int>
  /// The indentation of the closing quotes begins with, which all lines begin with.
  private let indent: Int

  init(_ text: UnsafeBufferPointer<UInt8>, _ literal: TextLiteral, _ types: DeclaredTypes?) {
    self.text = text
    self.types = types
    self.literal = literal
    guard literal.isMultiline else {
      (content, indent) = (literal.content, 0)
      return
    }
    var (start, end) = (literal.content.lowerBound, literal.content.upperBound)
    while start < end, text[start] == 0x20 || text[start] == 0x09 || text[start] == 0x0d { start += 1 }
    if start < end, text[start] == 0x0a { start += 1 }
    var last = end
    while last > start, text[last - 1] == 0x20 || text[last - 1] == 0x09 { last -= 1 }
    indent = last == start || text[last - 1] == 0x0a ? end - last : 0
    if last > start, text[last - 1] == 0x0a {
      end = last - 1
      if end > start, text[end - 1] == 0x0d { end -= 1 }
    } else if last == start {
      end = start
    }
    content = start..<max(start, end)
  }

  func append(to result: inout TextLiteral.Decoded) {
    var offset = content.lowerBound
    var isLineStart = literal.isMultiline
    var next = 0
    while offset < content.upperBound {
      if isLineStart {
        var blanks = 0
        while blanks < indent, offset < content.upperBound, text[offset] == 0x20 || text[offset] == 0x09 {
          offset += 1
          blanks += 1
        }
        isLineStart = false
        continue
      }
      let byte = text[offset]
      if byte == 0x0a {
        isLineStart = literal.isMultiline
      } else if byte == 0x0d, literal.isMultiline, offset + 1 < content.upperBound, text[offset + 1] == 0x0a {
        offset += 1
        continue
      } else if byte == UInt8(ascii: "\\"), hashes(offset + 1) {
        if next < literal.interpolations.count, literal.interpolations[next].lowerBound == offset {
          interpolate(literal.interpolations[next], &result)
          offset = max(offset + 1, literal.interpolations[next].upperBound)
          next += 1
        } else {
          offset = escape(offset + 1 + literal.hashes, &result.bytes, &isLineStart)
        }
        continue
      }
      result.bytes.append(byte)
      // A literal percent sign in a key with specifiers is doubled, as Foundation does.
      if byte == UInt8(ascii: "%"), !literal.interpolations.isEmpty { result.bytes.append(byte) }
      offset += 1
    }
  }

  private func hashes(_ offset: Int) -> Bool {
    guard literal.hashes > 0 else { return true }
    guard offset + literal.hashes <= content.upperBound else { return false }
    return text[offset..<offset + literal.hashes].allSatisfy { $0 == UInt8(ascii: "#") }
  }

  private func escape(_ start: Int, _ bytes: inout [UInt8], _ isLineStart: inout Bool) -> Int {
    guard start < content.upperBound else { return content.upperBound }
    let byte = text[start]
    switch byte {
    case UInt8(ascii: "n"): bytes.append(0x0a)
    case UInt8(ascii: "t"): bytes.append(0x09)
    case UInt8(ascii: "r"): bytes.append(0x0d)
    case UInt8(ascii: "0"): bytes.append(0)
    case UInt8(ascii: "u"):
      guard start + 1 < content.upperBound, text[start + 1] == UInt8(ascii: "{") else { break }
      var value: UInt32 = 0
      var offset = start + 2
      while offset < content.upperBound, offset - start < 11, let digit = SourceBytes.hex(text[offset]) {
        value = value << 4 | digit
        offset += 1
      }
      SourceBytes.append(value, to: &bytes)
      return offset < content.upperBound && text[offset] == UInt8(ascii: "}") ? offset + 1 : offset
    case 0x20, 0x09, 0x0a, 0x0d:
      // The line goes on in the next one.
      var offset = start
      while offset < content.upperBound, text[offset] == 0x20 || text[offset] == 0x09 || text[offset] == 0x0d {
        offset += 1
      }
      guard offset < content.upperBound, text[offset] == 0x0a else { return start }
      isLineStart = true
      return offset + 1
    default: bytes.append(byte)
    }
    return start + 1
  }

  private func interpolate(_ range: Range<Int>, _ result: inout TextLiteral.Decoded) {
    let open = range.lowerBound + 2 + literal.hashes
    guard open < range.upperBound else { return }
    guard range.count < 1024 else {
      result.bytes += "%@".utf8
      result.isGuessed = true
      return
    }
    let expression = String(decoding: UnsafeBufferPointer(rebasing: text[open..<range.upperBound - 1]), as: UTF8.self)
    let (specifier, isGuessed) = InterpolatedSpecifier(types: types).of(expression)
    result.bytes += specifier.utf8
    result.isGuessed = result.isGuessed || isGuessed
  }
}
