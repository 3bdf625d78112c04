package import MPaaSSupport

/// A string catalogue (`.xcstrings`) as it stands in its file: a table's texts in all languages.
///
/// Edits change the entries that they name; every other byte stays.
package struct StringCatalog: Sendable {
  /// The file's name in errors.
  package let file: String
  package let bytes: [UInt8]
  package let sourceLanguage: String
  /// The keys in the order of the file, each with its object.
  package let entries: [CatalogObject.Member]
  private let strings: Range<Int>
  private let encoding: TextEncoding
  private let text: [UInt8]
  /// The index of a key in `entries`; of one that stands there twice the last.
  private let index: [String: Int]
  private let lineStarts: [Int]

  package init(_ bytes: [UInt8], file: String) throws(LanguageError) {
    encoding = TextEncoding(of: bytes)
    guard let text = encoding.decode(bytes) else {
      throw LanguageError(.tableEncoding, ["file": file], at: .file(file))
    }
    var reader = CatalogReader(text, file: file)
    let root = try reader.read()
    guard let members = root.object, let language = members["sourceLanguage"]?.string,
      let strings = members["strings"]?.object
    else { throw LanguageError(.catalogShape, ["file": file, "name": "strings"], at: .file(file)) }
    for entry in strings.members where entry.value.object == nil {
      throw LanguageError(
        .catalogShape, ["file": file, "name": entry.name],
        at: CatalogReader.place(entry.span.lowerBound, in: text, file: file))
    }
    self.file = file
    self.bytes = bytes
    self.text = text
    sourceLanguage = language
    entries = strings.members
    self.strings = strings.inside
    lineStarts = [0] + text.indices.filter { text[$0] == 0x0a }.map { $0 + 1 }
    index = Dictionary(strings.members.enumerated().map { ($1.name, $0) }) { $1 }
  }

  /// A catalogue without texts.
  package static func empty(sourceLanguage: String) -> [UInt8] {
    let root = CatalogObject([
      .init("sourceLanguage", .string(sourceLanguage)), .init("strings", .object(CatalogObject())),
      .init("version", .string("1.0")),
    ])
    return Array(CatalogWriter().text(.object(root)).utf8)
  }

  package func entry(_ key: String) -> CatalogNode? { index[key].map { entries[$0].value } }

  package func place(of entry: CatalogObject.Member) -> Place {
    let offset = entry.span.lowerBound
    var (low, high) = (0, lineStarts.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if lineStarts[middle] <= offset { low = middle } else { high = middle }
    }
    let column = text[lineStarts[low]..<offset].reduce(1) { $0 + ($1 & 0xc0 == 0x80 ? 0 : 1) }
    return .text(file: file, line: low + 1, column: column)
  }

  /// The file's bytes with entries changed, added (where they belong by key) or removed.
  package func bytes(replacing changes: [String: CatalogNode?]) -> [UInt8] {
    let writer = layout
    var splices = TextSplices(text)
    var added: [(at: Int, member: CatalogObject.Member)] = []
    var kept = entries
    kept.removeAll { entry in changes[entry.name].map { $0 == nil } ?? false }
    if kept.count < entries.count { return rewritten(kept, changes, writer) }
    let order = KeyOrder(entries.map(\.name))
    for (key, node) in changes.sorted(by: { $0.key < $1.key }) {
      guard let node else { continue }
      if let entry = index[key].map({ entries[$0] }) {
        guard entry.value != node else { continue }
        let member = CatalogObject.Member(key, node)
        splices.replace(entry.span, with: writer.member(member, indent: writer.unit + writer.unit))
      } else {
        added.append((order.index(of: key), CatalogObject.Member(key, node)))
      }
    }
    added.sort { ($0.at, 0) == ($1.at, 0) ? KeyOrder.isBefore($0.member.name, $1.member.name) : $0.at < $1.at }
    insert(added, writer, &splices)
    return encoding.encode(splices.result)
  }

  /// The catalogue with nothing but some languages.
  func bytes(_ languages: [String]) -> [UInt8] {
    var changes: [String: CatalogNode?] = [:]
    for entry in entries {
      guard let localizations = entry.value["localizations"]?.object else { continue }
      let kept = localizations.members.filter { languages.contains($0.name) }
      guard kept.count < localizations.members.count else { continue }
      var node = entry.value
      node.set(kept.isEmpty ? nil : .object(CatalogObject(kept)), at: ["localizations"])
      changes[entry.name] = node
    }
    return bytes(replacing: changes)
  }

  private func insert(
    _ added: [(at: Int, member: CatalogObject.Member)], _ writer: CatalogWriter, _ splices: inout TextSplices
  ) {
    guard !added.isEmpty else { return }
    let indent = writer.unit + writer.unit
    guard !entries.isEmpty else {
      let lines = added.map { writer.newline + indent + writer.member($0.member, indent: indent) }
      splices.replace(strings, with: lines.joined(separator: ",") + writer.newline + writer.unit)
      return
    }
    for (at, member) in added {
      let text = writer.member(member, indent: indent)
      if at < entries.count {
        let start = entries[at].span.lowerBound
        splices.replace(start..<start, with: text + "," + writer.newline + indent)
      } else {
        let end = entries[entries.count - 1].span.upperBound
        splices.replace(end..<end, with: "," + writer.newline + indent + text)
      }
    }
  }

  /// The file with its list of entries written anew, what was not changed as it stands.
  private func rewritten(
    _ kept: [CatalogObject.Member], _ changes: [String: CatalogNode?], _ writer: CatalogWriter
  ) -> [UInt8] {
    let indent = writer.unit + writer.unit
    var list = kept.map { entry -> (name: String, text: String) in
      if let change = changes[entry.name], let node = change, node != entry.value {
        return (entry.name, writer.member(.init(entry.name, node), indent: indent))
      }
      return (entry.name, String(decoding: text[entry.span], as: UTF8.self))
    }
    for (key, change) in changes.sorted(by: { $0.key < $1.key }) where index[key] == nil {
      guard let node = change else { continue }
      let at = list.firstIndex { KeyOrder.isBefore(key, $0.name) } ?? list.count
      list.insert((key, writer.member(.init(key, node), indent: indent)), at: at)
    }
    let lines = list.map { writer.newline + indent + $0.text }
    var splices = TextSplices(text)
    let inside = lines.isEmpty ? writer.newline : lines.joined(separator: ",")
    splices.replace(strings, with: inside + writer.newline + writer.unit)
    return encoding.encode(splices.result)
  }

  /// The layout of the file.
  private var layout: CatalogWriter {
    var writer = CatalogWriter()
    if text.containsPair(0x0d, 0x0a) { writer.newline = "\r\n" }
    guard let first = entries.first else { return writer }
    let before = text[..<first.span.lowerBound]
    if let line = before.lastIndex(of: 0x0a) {
      let indent = before[(line + 1)...]
      if !indent.isEmpty, indent.allSatisfy({ $0 == 0x20 || $0 == 0x09 }) {
        writer.unit = String(decoding: indent.prefix(max(1, indent.count / 2)), as: UTF8.self)
      }
    }
    let quote = text[first.span].dropFirst(JSONValue.string(first.name).line.utf8.count)
    if quote.first == 0x3a { writer.colon = ": " }
    return writer
  }
}
