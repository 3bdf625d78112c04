package import MPaaSSupport

/// A library of object files (`.a`), as `ar` writes it; no compression, so that members are parts of the mapped file.
///
/// Source: `ar(5)` of BSD (`#1/<length>`: the name stands before the content) and System V (`/<offset>` into `//`).
package struct StaticLibrary: Sendable {
  package struct Member: Sendable {
    package let name: String
    /// Seconds since 1970, as the archive has it.
    package let modified: Int64
    package let bytes: Bytes
  }

  package let members: [Member]
  /// The place of the first header that cannot be true; nil where all could be read.
  package let damage: UInt64?

  private static let magic = Array("!<arch>\n".utf8)
  private static let headerSize = 60
  private static let mostMembers = 1 << 20

  package static func matches(_ bytes: Bytes) -> Bool {
    withExtendedLifetime(bytes) { bytes.buffer.starts(with: magic) }
  }

  /// Reads the headers of all members, up to the first that is damaged.
  ///
  /// Empty where the bytes are no library.
  package init(_ bytes: Bytes) {
    var members: [Member] = []
    var longNames = Bytes.empty
    var offset = Self.magic.count
    guard Self.matches(bytes) else {
      self.members = []
      damage = nil
      return
    }
    while members.count < Self.mostMembers, bytes.count - offset >= Self.headerSize {
      let header = bytes.buffer[offset..<offset + Self.headerSize]
      let start = UInt64(offset + Self.headerSize)
      guard header.suffix(2).elementsEqual("`\n".utf8), let size = Self.number(header.dropFirst(48).prefix(10)),
        let content = bytes.slice(at: start, size: size)
      else { break }
      let field = Self.trimmed(header.prefix(16))
      let modified = Int64(clamping: Self.number(header.dropFirst(16).prefix(12)) ?? 0)
      if field == "//" {
        longNames = content
      } else if let named = Self.named(field, content, longNames), !named.name.isEmpty {
        members.append(Member(name: named.name, modified: modified, bytes: named.content))
      }
      // Members start at even offsets.
      offset = Int(start) + content.count
      offset += offset & 1
    }
    self.members = members
    damage = offset < bytes.count ? UInt64(offset) : nil
  }

  /// The name of a member and what is left of its content; nil for tables of symbols.
  private static func named(_ field: String, _ content: Bytes, _ longNames: Bytes) -> (name: String, content: Bytes)? {
    if field.hasPrefix("#1/") {
      guard let length = UInt64(field.dropFirst(3)), let name = content.slice(at: 0, size: length),
        let rest = content.slice(at: length, size: UInt64(content.count) - length)
      else { return nil }
      let text = String(decoding: name.buffer.prefix { $0 != 0 }, as: UTF8.self)
      return text.hasPrefix("__.SYMDEF") ? nil : (text, rest)
    }
    if field == "/" || field == "/SYM64/" || field.hasPrefix("__.SYMDEF") { return nil }
    guard field.hasPrefix("/") else {
      return (field.hasSuffix("/") ? String(field.dropLast()) : field, content)
    }
    guard let offset = Int(field.dropFirst()), offset >= 0, offset < longNames.count else { return nil }
    let name = longNames.buffer[offset...].prefix { $0 != UInt8(ascii: "\n") && $0 != 0 }
    let text = String(decoding: name, as: UTF8.self)
    return (text.hasSuffix("/") ? String(text.dropLast()) : text, content)
  }

  private static func trimmed(_ field: some Collection<UInt8>) -> String {
    let text = String(decoding: field, as: UTF8.self)
    return String(
      text.prefix(text.lastIndex { $0 != " " }.map { text.distance(from: text.startIndex, to: $0) + 1 } ?? 0))
  }

  private static func number(_ field: some Collection<UInt8>) -> UInt64? {
    UInt64(trimmed(field))
  }
}
