import MPaaSSupport

/// Secrets in texts of names with values: queries in URLs, forms, XML, and the parts of multipart bodies.
enum ParameterText {
  /// Ranges of values behind `name=` where the name begins a form or comes after `?`, `&`, `;` or `#`.
  static func values(in bytes: [UInt8], isForm: Bool, _ names: NameSet) -> [Range<Int>] {
    var found: [Range<Int>] = []
    var start: Int? = isForm ? 0 : nil
    var place = 0
    while place < bytes.count {
      let byte = bytes[place]
      if "?&;#".utf8.contains(byte) {
        start = place + 1
      } else if byte <= 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "<") {
        start = nil
      } else if byte == UInt8(ascii: "="), let begin = start {
        let end = bytes[place...].firstIndex(where: endsValue) ?? bytes.count
        let name = PercentEncoding.decodeLeniently(bytes[begin..<place])
        if end > place + 1, isSecret(name, names) { found.append(place + 1..<end) }
        start = nil
        place = max(place + 1, end)
        continue
      }
      place += 1
    }
    return found
  }

  /// Names of parameters may have a path: `user[password]`, `user.password`.
  private static func isSecret(_ name: String, _ names: NameSet) -> Bool {
    if names.contains(name) { return true }
    let last = name.split { "[].".contains($0) }.last
    return last.map { $0.utf8.count < name.utf8.count && names.contains(String($0)) } ?? false
  }

  private static func endsValue(_ byte: UInt8) -> Bool {
    byte <= 0x20 || "&;#\"<>".utf8.contains(byte)
  }

  /// The ranges of the passwords in `scheme://user:password@host`.
  static func userPasswords(in bytes: [UInt8]) -> [Range<Int>] {
    var found: [Range<Int>] = []
    for colon in bytes.indices where bytes[colon] == UInt8(ascii: ":") && bytes[colon...].starts(with: "://".utf8) {
      let authority = bytes[(colon + 3)...].prefix { $0 > 0x20 && !"/?#\"<>".utf8.contains($0) }
      guard let at = authority.lastIndex(of: UInt8(ascii: "@")),
        let begin = authority[..<at].firstIndex(of: UInt8(ascii: ":")), begin + 1 < at
      else { continue }
      found.append(begin + 1..<at)
    }
    return found
  }

  /// Ranges of the text of XML elements, and of the values of attributes, whose names are secret.
  static func elements(in bytes: [UInt8], _ names: NameSet) -> [Range<Int>] {
    var found: [Range<Int>] = []
    var place = 0
    while let open = bytes[place...].firstIndex(of: UInt8(ascii: "<")) {
      let close = bytes[open...].firstIndex(of: UInt8(ascii: ">")) ?? bytes.count
      let tag = bytes[open..<close].dropFirst()
      let name = localName(tag.prefix { $0 > 0x20 && $0 != UInt8(ascii: "/") })
      found += attributes(in: tag, names)
      place = min(close + 1, bytes.count)
      if close < bytes.count, names.contains(name), tag.last != UInt8(ascii: "/") {
        let end = bytes[place...].firstIndex(of: UInt8(ascii: "<")) ?? bytes.count
        if end > place { found.append(place..<end) }
      }
    }
    return found
  }

  /// The name without its prefix.
  private static func localName(_ name: ArraySlice<UInt8>) -> String {
    let local = name.lastIndex(of: UInt8(ascii: ":")).map { name[($0 + 1)...] } ?? name
    return String(decoding: local, as: UTF8.self)
  }

  private static func attributes(in tag: ArraySlice<UInt8>, _ names: NameSet) -> [Range<Int>] {
    var found: [Range<Int>] = []
    var place = tag.startIndex
    while let sign = tag[place...].firstIndex(of: UInt8(ascii: "=")) {
      place = sign + 1
      guard place < tag.endIndex, [UInt8(ascii: "\""), UInt8(ascii: "'")].contains(tag[place]),
        let end = tag[(place + 1)...].firstIndex(of: tag[place])
      else { continue }
      let begin = tag[..<sign].lastIndex { $0 <= 0x20 }.map { $0 + 1 } ?? tag.startIndex
      if end > place + 1, names.contains(localName(tag[begin..<sign])) { found.append(place + 1..<end) }
      place = end + 1
    }
    return found
  }

  /// Ranges of the contents of parts whose names are secret.
  static func parts(in bytes: [UInt8], boundary: String, _ names: NameSet) -> [Range<Int>] {
    let mark = Array("--\(boundary)".utf8)
    guard mark.count > 2 else { return [] }
    var marks: [Int] = []
    var place = 0
    while place + mark.count <= bytes.count {
      if bytes[place] == mark[0], bytes[place...].starts(with: mark) {
        marks.append(place)
        place += mark.count
      } else {
        place += 1
      }
    }
    return zip(marks, marks.dropFirst()).compactMap { begin, end in
      let part = bytes[(begin + mark.count)..<end]
      let blank = Array("\r\n\r\n".utf8)
      guard let head = part.indices.first(where: { part[$0] == blank[0] && part[$0...].starts(with: blank) }) else {
        return nil
      }
      let text = String(decoding: part[..<head], as: UTF8.self)
      let name = text.split(separator: "\"", omittingEmptySubsequences: false)
      guard let index = name.firstIndex(where: { $0.lowercased().hasSuffix(" name=") }), index + 1 < name.count,
        isSecret(String(name[index + 1]), names)
      else { return nil }
      let content = head + blank.count..<max(head + blank.count, end - 2)
      return content.isEmpty ? nil : content
    }
  }
}
