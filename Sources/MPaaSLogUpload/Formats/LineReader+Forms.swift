package import MPaaSLogs

extension LineReader {
  /// Takes a level where one stands: `INFO`, `[info]`, `Warning:`, `E/`; moves behind it.
  static func level(_ line: Line, _ place: inout Int) -> LogLevel? {
    var start = place
    skipSpace(line, &start)
    guard start < line.count else { return nil }
    let bracket = line[start] == UInt8(ascii: "[") || line[start] == UInt8(ascii: "<")
    if bracket { start += 1 }
    var end = start
    var word: UInt64 = 0
    while end < line.count, end - start < 9, (line[end] | 0x20) &- 0x61 < 26 {
      if end - start < 8 { word = word << 8 | UInt64(line[end] & 0xdf) }
      end += 1
    }
    guard end > start, end - start <= 8, let level = named(word) else { return nil }
    if end - start == 1, !bracket { return nil }
    if bracket {
      while end < line.count, line[end] == 0x20 { end += 1 }
      guard end < line.count, line[end] == UInt8(ascii: "]") || line[end] == UInt8(ascii: ">") else { return nil }
      end += 1
    } else if end < line.count, line[end] == UInt8(ascii: ":") || line[end] == UInt8(ascii: "|") {
      end += 1
    } else if end < line.count, line[end] != 0x20, line[end] != 0x09 {
      return nil
    }
    skipSpace(line, &end)
    place = end
    return level
  }

  /// The level of a word of at most eight letters, in upper case, as a big-endian number.
  private static func named(_ word: UInt64) -> LogLevel? {
    switch word {
    // INFO, DEBUG, WARN and ERROR: what nearly all lines have.
    case 0x494e_464f: .info
    case 0x44_4542_5547: .debug
    case 0x5741_524e: .warning
    case 0x45_5252_4f52: .error
    default: levels[word]
    }
  }

  private static let levels: [UInt64: LogLevel] = {
    var all: [UInt64: LogLevel] = [:]
    let names: [(String, LogLevel)] = [
      ("V", .verbose), ("VERBOSE", .verbose), ("TRACE", .verbose), ("FINEST", .verbose), ("FINE", .debug),
      ("D", .debug), ("DEBUG", .debug), ("DBG", .debug), ("I", .info), ("INFO", .info), ("NOTICE", .info),
      ("DEFAULT", .info), ("W", .warning), ("WARN", .warning), ("WARNING", .warning), ("E", .error),
      ("ERR", .error), ("ERROR", .error), ("SEVERE", .error), ("F", .fatal), ("FATAL", .fatal), ("FAULT", .fatal),
      ("CRIT", .fatal), ("CRITICAL", .fatal), ("ALERT", .fatal), ("EMERG", .fatal), ("PANIC", .fatal),
    ]
    for (name, level) in names { all[name.utf8.reduce(0) { $0 << 8 | UInt64($1) }] = level }
    return all
  }()

  /// The level of a word, of whatever case.
  package static func level(named text: String) -> LogLevel? {
    guard text.utf8.count <= 8, !text.isEmpty else { return nil }
    return named(text.utf8.reduce(0) { $0 << 8 | UInt64($1 & 0xdf) })
  }

  static func letter(_ byte: UInt8) -> LogLevel? {
    switch byte {
    case UInt8(ascii: "V"): .verbose
    case UInt8(ascii: "D"): .debug
    case UInt8(ascii: "I"): .info
    case UInt8(ascii: "W"): .warning
    case UInt8(ascii: "E"): .error
    case UInt8(ascii: "F"), UInt8(ascii: "A"), UInt8(ascii: "S"): .fatal
    default: nil
    }
  }

  /// The level of a severity of RFC 5424, table 2.
  static func level(severity: Int) -> LogLevel {
    switch severity {
    case 0...2: .fatal
    case 3: .error
    case 4: .warning
    case 5, 6: .info
    default: .debug
    }
  }

  /// `[I][2015-12-12 +8.0 10:00:00.123][pid, tid*][tag][file:line, function][message`, as xlog writes it.
  mutating func xlog(_ line: Line) -> LineHead? {
    guard line.count > 24, line[2] == UInt8(ascii: "]"), line[3] == UInt8(ascii: "["), let level = Self.letter(line[1]),
      let stamp = stamps.stamp(line, at: 4), stamp.end < line.count, line[stamp.end] == UInt8(ascii: "]")
    else { return nil }
    var head = LineHead(time: stamp.time, level: level)
    var place = stamp.end + 1
    head.message = place
    guard let process = Self.bracket(line, &place) else { return head }
    if let comma = line[process].firstIndex(of: UInt8(ascii: ",")) {
      var inner = comma + 1
      Self.skipSpace(line, &inner)
      head.thread = Self.number(line, &inner) ?? 0
    }
    guard let tag = Self.bracket(line, &place) else { return head }
    head.tag = tag
    // The place in the source stays with the message: it is looked for too.
    head.message = place
    return head
  }

  /// The bytes between the brackets that begin at `place`; moves behind them.
  private static func bracket(_ line: Line, _ place: inout Int) -> Range<Int>? {
    guard place < line.count, line[place] == UInt8(ascii: "["),
      let end = line[place..<min(line.count, place + 400)].firstIndex(of: UInt8(ascii: "]"))
    else { return nil }
    defer { place = end + 1 }
    return place + 1..<end
  }

  /// `I0615 12:00:00.123456  tid file.cc:12] message`, as glog writes it.
  mutating func glog(_ line: Line) -> LineHead? {
    guard line.count > 21, let level = Self.letter(line[0]), line.number(1, 4) != nil, line[5] == 0x20 else {
      return nil
    }
    var copy: [UInt8] = [line[1], line[2], UInt8(ascii: "-"), line[3], line[4]]
    copy += line[5..<min(line.count, 24)]
    guard let stamp = copy.withUnsafeBytes({ stamps.stamp($0, at: 0) }) else { return nil }
    var head = LineHead(time: stamp.time, level: level)
    var place = stamp.end
    Self.skipSpace(line, &place)
    head.thread = Self.number(line, &place) ?? 0
    head.message = place
    if let end = line[place..<min(line.count, place + 120)].firstIndex(of: UInt8(ascii: "]")) {
      Self.skipSpace(line, &place)
      head.tag = place..<end
      head.message = min(end + 2, line.count)
    }
    return head
  }

  /// `<34>…`: RFC 5424 where a version follows, else RFC 3164.
  mutating func syslog(_ line: Line) -> LineHead? {
    var place = 1
    guard let priority = Self.number(line, &place), place <= 4, priority <= 191, place + 2 < line.count,
      line[place] == UInt8(ascii: ">")
    else { return nil }
    place += 1
    let level = Self.level(severity: Int(priority & 7))
    if line[place] == UInt8(ascii: "1"), line[place + 1] == 0x20 { return structured(line, place + 2, level) }
    guard let stamp = stamps.stamp(line, at: place) else {
      return LineHead(form: .syslog, level: level, message: place)
    }
    return hostAndTag(line, stamp.end, time: stamp.time, level: level)
  }

  /// ` host tag[pid]: message` (RFC 3164 section 4.1).
  func hostAndTag(_ line: Line, _ start: Int, time: Int64, level: LogLevel?) -> LineHead {
    var head = LineHead(form: .syslog, time: time, level: level)
    var place = start
    Self.skipSpace(line, &place)
    while place < line.count, line[place] != 0x20 { place += 1 }
    Self.skipSpace(line, &place)
    head.message = min(place, line.count)
    var end = place
    while end < line.count, end - place < 64, line[end] != 0x20, line[end] != UInt8(ascii: ":"),
      line[end] != UInt8(ascii: "[")
    { end += 1 }
    guard end < line.count, end > place, line[end] != 0x20 else { return head }
    let tag = place..<end
    if line[end] == UInt8(ascii: "[") {
      var inner = end + 1
      guard let process = Self.number(line, &inner), inner + 1 < line.count, line[inner] == UInt8(ascii: "]") else {
        return head
      }
      head.thread = process
      end = inner + 1
    }
    guard end < line.count, line[end] == UInt8(ascii: ":") else { return head }
    head.tag = tag
    end += 1
    Self.skipSpace(line, &end)
    head.message = end
    return head
  }

  /// `TIME HOST APP PROCID MSGID STRUCTURED-DATA MSG` (RFC 5424 section 6).
  private mutating func structured(_ line: Line, _ start: Int, _ level: LogLevel) -> LineHead? {
    var head = LineHead(form: .structured, level: level)
    var place = start
    if line[place] == UInt8(ascii: "-") {
      place += 1
    } else {
      guard let stamp = stamps.stamp(line, at: place) else { return nil }
      head.time = stamp.time
      place = stamp.end
    }
    for part in 0..<4 {
      guard place < line.count, line[place] == 0x20 else { return nil }
      place += 1
      let begin = place
      while place < line.count, line[place] != 0x20 { place += 1 }
      guard place > begin else { return nil }
      let isNil = place == begin + 1 && line[begin] == UInt8(ascii: "-")
      if part == 1, !isNil { head.tag = begin..<place }
      if part == 2 {
        var inner = begin
        head.thread = Self.number(line, &inner) ?? 0
      }
    }
    place += 1
    StructuredData.skip(line, &place)
    if place < line.count, line[place] == 0x20 { place += 1 }
    // A mark of UTF-8 may stand before the message.
    if line.count - place >= 3, line[place] == 0xef, line[place + 1] == 0xbb, line[place + 2] == 0xbf { place += 3 }
    head.message = min(place, line.count)
    return head
  }
}

/// The structured data of RFC 5424, section 6.3.
package enum StructuredData {
  package typealias Line = UnsafeRawBufferPointer

  /// Goes behind it.
  static func skip(_ line: Line, _ place: inout Int) {
    if place < line.count, line[place] == UInt8(ascii: "-") {
      place += 1
      return
    }
    while place < line.count, line[place] == UInt8(ascii: "[") {
      var isQuoted = false
      place += 1
      while place < line.count {
        let byte = line[place]
        place += byte == UInt8(ascii: "\\") ? 2 : 1
        if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
        if byte == UInt8(ascii: "]"), !isQuoted { break }
      }
    }
    place = min(place, line.count)
  }
}
