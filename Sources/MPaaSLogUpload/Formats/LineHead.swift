package import MPaaSLogs

/// The places of what the front of a line says, as places in its bytes; nothing is allocated.
package struct LineHead {
  package enum Form: Sendable { case plain, json, syslog, structured }

  package var form = Form.plain
  /// Nanoseconds since 1970-01-01 UTC; nil where the line has none.
  package var time: Int64?
  package var level: LogLevel?
  package var tag: Range<Int> = 0..<0
  /// The system's number of the thread, or of the process where there is no thread.
  package var thread: UInt64 = 0
  /// The offset of the message.
  package var message = 0
}

/// Reads the fronts of lines, of whatever writer.
package struct LineReader {
  package typealias Line = UnsafeRawBufferPointer
  package var stamps: TimeStampReader
  /// The date, hour and minute that the last line began with, where they were such: 16 bytes.
  private var minute: (UInt64, UInt64)?

  package init(stamps: TimeStampReader) { self.stamps = stamps }

  /// Tells whether a line begins a record: whether it has a head.
  package mutating func beginsRecord(_ line: Line) -> Bool {
    if continuesStamps(line) { return true }
    guard head(line) != nil else { return false }
    // `2026-01-01T00:00:00`, which may be asked for again many times in a minute.
    if line.count >= 19, line[0].isDigit, line[4] == line[7], line[13] == UInt8(ascii: ":"), line[14].isDigit,
      line[15].isDigit, stamps.stamp(line, at: 0) != nil
    {
      minute = Self.minute(line)
    }
    return true
  }

  /// Tells whether a line begins with a time of the same minute as one that began a record.
  ///
  /// - Parameter line: The line, and whatever follows it.
  @inline(__always)
  package func continuesStamps(_ line: Line) -> Bool {
    guard let minute, line.count >= 19, Self.minute(line) == minute, line[16] == UInt8(ascii: ":") else { return false }
    return line[17] &- 0x30 < 6 && line[18].isDigit
  }

  private static func minute(_ line: Line) -> (UInt64, UInt64) {
    (line.loadUnaligned(as: UInt64.self), line.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
  }

  /// The head of a line that begins a record; nil where nothing tells that it does.
  package mutating func head(_ line: Line) -> LineHead? {
    guard line.count >= 10 else { return nil }
    switch line[0] {
    case UInt8(ascii: "{"): return JSONLine.head(line, &stamps)
    case UInt8(ascii: "<"): return syslog(line)
    case UInt8(ascii: "["): return xlog(line) ?? bracketed(line)
    case 0x30...0x39:
      if let stamp = stamps.stamp(line, at: 0) { return behind(stamp, line) }
    case UInt8(ascii: "I"), UInt8(ascii: "W"), UInt8(ascii: "E"), UInt8(ascii: "F"):
      if let head = glog(line) { return head }
    case UInt8(ascii: "A")...UInt8(ascii: "S"):
      if let stamp = stamps.stamp(line, at: 0) { return hostAndTag(line, stamp.end, time: stamp.time, level: nil) }
    case 0x20, 0x09: return nil
    default: break
    }
    return inside(line)
  }

  private mutating func bracketed(_ line: Line) -> LineHead? {
    guard let stamp = stamps.stamp(line, at: 1) else { return inside(line) }
    return behind(stamp, line)
  }

  /// A time that stands further behind, at the start of a word: `INFO 2026-…`, a web server's `[10/Oct/2000:…`.
  private mutating func inside(_ line: Line) -> LineHead? {
    var tries = 0
    let end = min(line.count - 10, 80)
    var place = 1
    while place < end, tries < 6 {
      let before = line[place - 1]
      if line[place].isDigit, before == 0x20 || before == UInt8(ascii: "[") || before == UInt8(ascii: "(") {
        tries += 1
        if let stamp = stamps.stamp(line, at: place), stamp.end - place >= 14 {
          var front = 0
          let level = Self.level(line, &front)
          var head = behind(stamp, line)
          if head.level == nil { head.level = level }
          return head
        }
      }
      place += 1
    }
    return nil
  }

  /// The text behind the time: a level, a tag, a thread, in the orders that writers have.
  private func behind(_ stamp: TimeStamp, _ line: Line) -> LineHead {
    var head = LineHead(time: stamp.time)
    var place = stamp.end
    if place < line.count, line[place] == UInt8(ascii: "]") || line[place] == UInt8(ascii: ")") { place += 1 }
    Self.skipSpace(line, &place)
    if let found = Self.logcat(line, place) {
      head.thread = found.thread
      head.level = found.level
      place = found.end
      Self.takeTagWithColon(line, &place, &head)
      head.message = place
      return head
    }
    head.level = Self.level(line, &place)
    Self.takeTag(line, &place, &head)
    if head.level == nil {
      var next = place
      if let level = Self.level(line, &next) {
        head.level = level
        place = next
      }
    }
    head.message = min(place, line.count)
    return head
  }

  /// `1234  5678 I `: process, thread and level of logcat's threadtime form.
  private static func logcat(_ line: Line, _ start: Int) -> (thread: UInt64, level: LogLevel, end: Int)? {
    var place = start
    guard number(line, &place) != nil, place < line.count, line[place] == 0x20 else { return nil }
    skipSpace(line, &place)
    guard let thread = number(line, &place), place + 2 < line.count, line[place] == 0x20, line[place + 2] == 0x20,
      let level = letter(line[place + 1])
    else { return nil }
    return (thread, level, place + 3)
  }

  /// `Tag [tid] `, `[Tag] `, `Tag: `, `App[pid:tid] `.
  private static func takeTag(_ line: Line, _ place: inout Int, _ head: inout LineHead) {
    skipSpace(line, &place)
    let start = place
    guard place < line.count else { return }
    if line[place] == UInt8(ascii: "[") {
      guard let end = line[place..<min(line.count, place + 80)].firstIndex(of: UInt8(ascii: "]")) else { return }
      var inner = place + 1
      if let thread = number(line, &inner), inner == end { head.thread = thread } else { head.tag = place + 1..<end }
      place = end + 1
      skipSpace(line, &place)
      return
    }
    var end = place
    let limit = min(line.count, place + 80)
    while end < limit, line[end] != 0x20, line[end] != UInt8(ascii: "[") { end += 1 }
    guard end < limit, end > start else { return }
    if line[end] == 0x20, end + 1 < line.count, line[end + 1] == UInt8(ascii: "[") {
      var inner = end + 2
      guard let thread = number(line, &inner), inner < line.count, line[inner] == UInt8(ascii: "]") else { return }
      head.tag = start..<end
      head.thread = thread
      place = inner + 1
    } else if line[end] == UInt8(ascii: "[") {
      var inner = end + 1
      guard var thread = number(line, &inner), inner < line.count else { return }
      if line[inner] == UInt8(ascii: ":") {
        inner += 1
        thread = number(line, &inner, radix: 16) ?? thread
      }
      guard inner < line.count, line[inner] == UInt8(ascii: "]") else { return }
      head.tag = start..<end
      head.thread = thread
      place = inner + 1
      if place < line.count, line[place] == UInt8(ascii: ":") { place += 1 }
    } else if line[end - 1] == UInt8(ascii: ":"), end - 1 > start {
      head.tag = start..<end - 1
      place = end
    } else {
      return
    }
    if place < line.count, line[place] == 0x20 { place += 1 }
  }

  private static func takeTagWithColon(_ line: Line, _ place: inout Int, _ head: inout LineHead) {
    guard let colon = line[place..<min(line.count, place + 120)].firstIndex(of: UInt8(ascii: ":")) else { return }
    var end = colon
    while end > place, line[end - 1] == 0x20 { end -= 1 }
    head.tag = place..<end
    place = colon + 1
    if place < line.count, line[place] == 0x20 { place += 1 }
  }

  static func skipSpace(_ line: Line, _ place: inout Int) {
    while place < line.count, line[place] == 0x20 || line[place] == 0x09 { place += 1 }
  }

  static func number(_ line: Line, _ place: inout Int, radix: UInt64 = 10) -> UInt64? {
    let start = place
    var value: UInt64 = 0
    while place < line.count, place - start < 16 {
      let byte = line[place]
      let digit = byte.isDigit ? byte - 0x30 : radix == 16 && (byte | 0x20) &- 0x61 < 6 ? (byte | 0x20) - 0x57 : 255
      guard digit < 16 else { break }
      value = value &* radix &+ UInt64(digit)
      place += 1
    }
    return place > start ? value : nil
  }
}
