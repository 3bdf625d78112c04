// XML with its relatives, and plain text.
extension Lexer {
  mutating func runMarkup() {
    while place < end {
      if stands("<!--", at: place) {
        skipMarkupComment()
      } else if stands("<![CDATA[", at: place) {
        let start = place
        place = find("]]>", from: place, before: end).map { $0 + 3 } ?? end
        take(.text, from: start)
      } else if bytes[place] == UInt8(ascii: "<") {
        takeTag()
      } else {
        takeContent()
      }
    }
  }

  private mutating func skipMarkupComment() {
    let start = place
    place = find("-->", from: place + 4, before: end).map { $0 + 3 } ?? end
    obey(start, place)
  }

  /// The text between tags without the blanks around it.
  private mutating func takeContent() {
    while place < end, bytes[place] <= 0x20 { place += 1 }
    let start = place
    var last = place
    while place < end, bytes[place] != UInt8(ascii: "<") {
      if bytes[place] > 0x20 { last = place + 1 }
      place += 1
    }
    guard last > start else { return }
    let next = place
    place = last
    take(.text, from: start)
    place = next
  }

  private mutating func takeTag() {
    let start = place
    place += 1
    if bytes[place] == UInt8(ascii: "?") || bytes[place] == UInt8(ascii: "!") { place += 1 }
    take(.symbol, from: start)
    while place < end {
      let start = place
      let byte = bytes[place]
      switch byte {
      case 0...0x20: place += 1
      case UInt8(ascii: "<"): return
      case UInt8(ascii: "\""), UInt8(ascii: "'"):
        place += 1
        while place < end, bytes[place] != byte { place += 1 }
        place = min(place + 1, end)
        take(.string, from: start)
      case UInt8(ascii: "/"), UInt8(ascii: "="), UInt8(ascii: "["), UInt8(ascii: "]"):
        place += 1
        take(.symbol, from: start)
      case UInt8(ascii: "?") where bytes[place + 1] == UInt8(ascii: ">"):
        place += 2
        take(.symbol, from: start)
        return
      case UInt8(ascii: ">"):
        place += 1
        take(.symbol, from: start)
        return
      default:
        while place < end, !Self.endsName(bytes[place]) { place += 1 }
        if place == start { place += 1 }
        take(.word, from: start)
      }
    }
  }

  private static func endsName(_ byte: UInt8) -> Bool {
    byte <= 0x20 || [0x22, 0x27, 0x2f, 0x3c, 0x3d, 0x3e, 0x3f, 0x5b, 0x5d].contains(byte)
  }

  /// Words, numbers, and every other sign by itself.
  mutating func runText() {
    while place < end {
      let start = place
      let flag = ByteTable.flags[Int(bytes[place])]
      if flag & ByteTable.blank != 0 {
        place += 1
      } else if bytes[place] == UInt8(ascii: "C"), stands("CPD-O", at: place) {
        place += 5
        obey(start, min(start + 7, end))
      } else if flag != 0 {
        while ByteTable.flags[Int(bytes[place])] & (ByteTable.letter | ByteTable.digit) != 0 { place += 1 }
        take(flag & ByteTable.digit != 0 ? .number : .word, from: start)
      } else {
        place += 1
        take(.symbol, from: start)
      }
    }
  }
}
