/// The events of a keyboard, as far as a terminal tells.
package enum TerminalKey: Sendable, Equatable {
  /// A character that is to be written, however it was typed.
  case character(Character)
  /// Text that came at once from the clipboard.
  case paste(String)
  case enter, escape, tab, backTab, backspace, delete, insert
  case up, down, left, right, home, end, pageUp, pageDown
  /// A letter with the Control key, small.
  case control(Character)
  /// A character with the Alt key.
  case alt(Character)
  case altBackspace
  case wordLeft, wordRight
  /// A sequence that means nothing here.
  case unknown
}

/// Takes the bytes of a terminal apart into keys.
///
/// Bytes may come in any pieces. A lone escape is the Escape key only when nothing follows it soon: `flush` says so.
///
/// - Source: ECMA-48 section 5.4; xterm, "ctlseqs"; the bracketed paste of xterm.
package struct KeyDecoder: Sendable {
  private var pending: [UInt8] = []
  private var isPasting = false
  private var pasted: [UInt8] = []

  package init() {}

  /// Tells whether bytes are kept that could be the begin of more.
  package var isWaiting: Bool { !pending.isEmpty }

  /// Takes bytes and gives the keys that are complete.
  package mutating func feed(_ bytes: some Sequence<UInt8>) -> [TerminalKey] {
    pending += bytes
    return decode(isFinal: false)
  }

  /// Gives what was kept back, now that nothing followed.
  package mutating func flush() -> [TerminalKey] {
    isPasting ? [] : decode(isFinal: true)
  }

  private mutating func decode(isFinal: Bool) -> [TerminalKey] {
    var keys: [TerminalKey] = []
    var offset = 0
    while offset < pending.count {
      if isPasting {
        guard takePaste(&offset, &keys) else { break }
        continue
      }
      let rest = pending[offset...]
      guard let (key, count) = Self.next(in: rest, isFinal: isFinal) else { break }
      offset += count
      if key == .paste("") {
        isPasting = true
      } else {
        keys.append(key)
      }
    }
    pending.removeFirst(offset)
    return keys
  }

  /// Bytes: longer texts than anybody looks for are cut.
  private static let longestPaste = 1 << 16
  private static let pasteEnd = Array("\u{1b}[201~".utf8)

  /// Takes pasted bytes up to the end of the paste; false where more has to come first.
  private mutating func takePaste(_ offset: inout Int, _ keys: inout [TerminalKey]) -> Bool {
    while offset < pending.count {
      let rest = pending[offset...]
      if rest[offset] == 0x1b {
        if rest.starts(with: Self.pasteEnd) {
          offset += Self.pasteEnd.count
          keys.append(.paste(String(decoding: pasted, as: UTF8.self)))
          pasted = []
          isPasting = false
          return true
        }
        if Self.pasteEnd.starts(with: rest) { return false }
      }
      if pasted.count < Self.longestPaste { pasted.append(rest[offset]) }
      offset += 1
    }
    return false
  }

  /// The key at the front and how many bytes it took; `.paste("")` where a paste begins; nil where more has to come.
  private static func next(in bytes: ArraySlice<UInt8>, isFinal: Bool) -> (TerminalKey, Int)? {
    guard let first = bytes.first else { return nil }
    switch first {
    case 0x1b: return escape(bytes, isFinal: isFinal)
    case 0x0d, 0x0a: return (.enter, 1)
    case 0x09: return (.tab, 1)
    case 0x7f, 0x08: return (.backspace, 1)
    case 0: return (.control(" "), 1)
    case 1...26: return (.control(Character(Unicode.Scalar(first + 0x60))), 1)
    case ..<0x20: return (.unknown, 1)
    case ..<0x80: return (.character(Character(Unicode.Scalar(first))), 1)
    default: return character(bytes, isFinal: isFinal)
    }
  }

  /// A character of several bytes; what is not UTF-8 is passed over a byte at a time.
  private static func character(_ bytes: ArraySlice<UInt8>, isFinal: Bool) -> (TerminalKey, Int)? {
    let length =
      switch bytes[bytes.startIndex] {
      case 0xc2...0xdf: 2
      case 0xe0...0xef: 3
      case 0xf0...0xf4: 4
      default: 1
      }
    let sequence = bytes.prefix(length)
    if let text = String(validating: sequence, as: UTF8.self), let character = text.first {
      let isControl = text.unicodeScalars.allSatisfy { (0x80..<0xa0).contains($0.value) }
      return (isControl ? .unknown : .character(character), length)
    }
    let isBegun = sequence.count < length && sequence.dropFirst().allSatisfy { $0 & 0xc0 == 0x80 }
    return isBegun && !isFinal ? nil : (.unknown, 1)
  }

  private static func escape(_ bytes: ArraySlice<UInt8>, isFinal: Bool) -> (TerminalKey, Int)? {
    let rest = bytes.dropFirst()
    guard let second = rest.first else { return isFinal ? (.escape, 1) : nil }
    switch second {
    case UInt8(ascii: "["): return control(bytes, isFinal: isFinal)
    case UInt8(ascii: "O"):
      guard let third = rest.dropFirst().first else { return isFinal ? (.alt("O"), 2) : nil }
      // Application mode: the same final bytes as without parameters.
      return (functionKey(third, modifiers: 0), 3)
    case 0x1b:
      // Escape, and something new behind it.
      return (.escape, 1)
    case 0x7f, 0x08: return (.altBackspace, 2)
    case 0x20..<0x7f: return (.alt(Character(Unicode.Scalar(second))), 2)
    case 0x80...:
      guard let (key, count) = character(rest, isFinal: isFinal) else { return nil }
      if case .character(let character) = key { return (.alt(character), count + 1) }
      return (.unknown, count + 1)
    default: return (.escape, 1)
    }
  }

  /// Bytes: there are no longer sequences.
  private static let longestSequence = 64

  /// A control sequence: parameters, intermediate bytes, and a final one.
  private static func control(_ bytes: ArraySlice<UInt8>, isFinal: Bool) -> (TerminalKey, Int)? {
    let body = bytes.dropFirst(2)
    guard let end = body.firstIndex(where: { !(0x20..<0x40).contains($0) }) else {
      if body.count > longestSequence { return (.unknown, bytes.count) }
      return isFinal ? (body.isEmpty ? .alt("[") : .unknown, bytes.count) : nil
    }
    let count = end - bytes.startIndex + 1
    let final = bytes[end]
    // A sequence that breaks off at a control byte: that byte is a key of its own.
    guard (0x40..<0x7f).contains(final) else { return (.unknown, count - 1) }
    let parameters = body[..<end].split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false).map { part in
      Int(String(decoding: part.prefix { $0 != UInt8(ascii: ":") }, as: UTF8.self)) ?? 0
    }
    let modifiers = max(0, (parameters.count > 1 ? parameters[1] : 1) - 1)
    switch final {
    case UInt8(ascii: "~"): return (numbered(parameters, modifiers), count)
    case UInt8(ascii: "u"): return (coded(parameters.first ?? 0, modifiers), count)
    default: return (functionKey(final, modifiers: modifiers), count)
    }
  }

  /// Keys that are told by a letter; modifiers are bits: 1 Shift, 2 Alt, 4 Control.
  private static func functionKey(_ final: UInt8, modifiers: Int) -> TerminalKey {
    let isWord = modifiers & 6 != 0
    switch final {
    case UInt8(ascii: "A"): return .up
    case UInt8(ascii: "B"): return .down
    case UInt8(ascii: "C"): return isWord ? .wordRight : .right
    case UInt8(ascii: "D"): return isWord ? .wordLeft : .left
    case UInt8(ascii: "H"): return .home
    case UInt8(ascii: "F"): return .end
    case UInt8(ascii: "M"): return .enter
    case UInt8(ascii: "Z"): return .backTab
    default: return .unknown
    }
  }

  /// Keys that are told by a number.
  private static func numbered(_ parameters: [Int], _ modifiers: Int) -> TerminalKey {
    switch parameters.first {
    case 1, 7: .home
    case 2: .insert
    case 3: .delete
    case 4, 8: .end
    case 5: .pageUp
    case 6: .pageDown
    case 27: coded(parameters.count > 2 ? parameters[2] : 0, modifiers)
    case 200: .paste("")
    default: .unknown
    }
  }

  /// Keys that are told by the number of a character, as terminals do that are asked to tell all modifiers.
  private static func coded(_ code: Int, _ modifiers: Int) -> TerminalKey {
    switch code {
    case 9: return modifiers & 1 != 0 ? .backTab : .tab
    case 13: return .enter
    case 27: return .escape
    case 8, 127: return modifiers & 2 != 0 ? .altBackspace : modifiers & 4 != 0 ? .control("w") : .backspace
    default: break
    }
    guard let scalar = UInt32(exactly: code).flatMap(Unicode.Scalar.init), scalar.value >= 0x20 else { return .unknown }
    let character = Character(scalar)
    if modifiers & 4 != 0, let small = character.lowercased().first { return .control(small) }
    if modifiers & 2 != 0 { return .alt(character) }
    return scalar.properties.generalCategory == .control || (0xe000..<0xf900).contains(scalar.value)
      ? .unknown : .character(character)
  }
}
