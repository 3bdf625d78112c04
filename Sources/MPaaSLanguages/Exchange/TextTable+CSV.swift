import MPaaSSupport

extension TextTable {
  /// The table as comma-separated values (RFC 4180): a row for each text, a column for each language.
  package var csv: String {
    let languages = languages
    var rows = [["key", "variant", "comment"] + languages]
    for key in keys {
      var paths: [[TextStep]] = []
      for text in languages.compactMap({ key.texts[$0] }) {
        for variant in text.variants where !paths.contains(variant.path) { paths.append(variant.path) }
      }
      for path in paths.isEmpty ? [[]] : paths {
        let values = languages.map { language in
          key.texts[language]?.variants.first { $0.path == path }?.value ?? ""
        }
        rows.append([key.key, path.map(\.name).joined(separator: "."), key.comment ?? ""] + values)
      }
    }
    return rows.map { $0.map(Self.field).joined(separator: ",") + "\r\n" }.joined()
  }

  private static func field(_ text: String) -> String {
    let needsQuotes = text.unicodeScalars.contains { ",\"\r\n".unicodeScalars.contains($0) }
    return needsQuotes ? "\"" + text.replacing("\"", with: "\"\"") + "\"" : text
  }

  /// Adds the texts of such rows; a cell without text says nothing.
  mutating func add(csv bytes: [UInt8], file: String) throws(LanguageError) {
    guard let text = TextEncoding(of: bytes).decode(bytes) else {
      throw LanguageError(.tableEncoding, ["file": file], at: .file(file))
    }
    let rows = try CSVReader(text, file).rows()
    guard let heading = rows.first?.fields, heading.first == "key" else {
      throw Self.error("text.i18n-reason-no-key-column", file, .text(file: file, line: 1, column: 1))
    }
    for row in rows.dropFirst() where row.fields.count > 1 || row.fields.first != "" {
      guard row.fields.count <= heading.count else {
        throw Self.error("text.i18n-reason-too-many-fields", file, .text(file: file, line: row.line, column: 1))
      }
      let place = Place.text(file: file, line: row.line, column: nil)
      var path: [TextStep] = []
      for (name, value) in zip(heading, row.fields) where name == "variant" {
        guard let steps = Self.steps(value) else {
          throw Self.error("text.i18n-reason-bad-variant", file, place)
        }
        path = steps
      }
      update(row.fields[0]) { key in
        key.place = place
        for (name, value) in zip(heading, row.fields).dropFirst() where name != "variant" && !value.isEmpty {
          if name == "comment" {
            key.comment = value
          } else {
            key.add(value, path, language: name, place)
          }
        }
      }
    }
  }

  private static func error(_ reason: String, _ file: String, _ place: Place) -> LanguageError {
    LanguageError(.csv, ["file": file], at: place, details: [.init(reason)])
  }

  /// The steps that `plural.one` or `substitutions.apples.plural.other` names; nil where it names none.
  static func steps(_ text: String) -> [TextStep]? {
    guard !text.isEmpty else { return [] }
    let words = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard words.count % 2 == 0 else { return nil }
    var steps: [TextStep] = []
    for index in stride(from: 0, to: words.count, by: 2) {
      switch words[index] {
      case "plural": steps.append(.plural(words[index + 1]))
      case "device": steps.append(.device(words[index + 1]))
      case "width": steps.append(.width(words[index + 1]))
      case "substitutions": steps.append(.substitution(words[index + 1]))
      default: return nil
      }
    }
    return steps
  }
}

extension TextKey {
  fileprivate mutating func add(_ value: String, _ path: [TextStep], language: String, _ place: Place) {
    var text = texts[language] ?? LocalizedText([], .translated, place: place)
    if case .substitution(let name)? = path.first, !text.substitutions.contains(where: { $0.name == name }) {
      text.substitutions.append(.init(name: name, argument: nil, specifier: "lld"))
    }
    text.variants.append(.init(path, value))
    texts[language] = text
  }
}

/// Cuts comma-separated values into rows.
private struct CSVReader {
  private let text: [UInt8]
  private let file: String
  private var offset = 0
  private var line = 1

  init(_ text: [UInt8], _ file: String) {
    self.text = text
    self.file = file
  }

  private func error(_ reason: String, line: Int) -> LanguageError {
    LanguageError(.csv, ["file": file], at: .text(file: file, line: line, column: nil), details: [.init(reason)])
  }

  func rows() throws(LanguageError) -> [(line: Int, fields: [String])] {
    var reader = self
    var rows: [(line: Int, fields: [String])] = []
    while reader.offset < text.count { rows.append(try reader.row()) }
    return rows
  }

  private mutating func row() throws(LanguageError) -> (line: Int, fields: [String]) {
    let start = line
    var fields: [String] = []
    while true {
      fields.append(try field())
      guard offset < text.count else { return (start, fields) }
      let byte = text[offset]
      offset += 1
      if byte == UInt8(ascii: ",") { continue }
      if byte == 0x0d, offset < text.count, text[offset] == 0x0a { offset += 1 }
      line += 1
      return (start, fields)
    }
  }

  private mutating func field() throws(LanguageError) -> String {
    guard offset < text.count, text[offset] == UInt8(ascii: "\"") else {
      let start = offset
      while offset < text.count, ![0x2c, 0x0a, 0x0d].contains(text[offset]) { offset += 1 }
      return String(decoding: text[start..<offset], as: UTF8.self)
    }
    let open = line
    var bytes: [UInt8] = []
    offset += 1
    while offset < text.count {
      let byte = text[offset]
      offset += 1
      if byte == UInt8(ascii: "\"") {
        guard offset < text.count, text[offset] == UInt8(ascii: "\"") else { return try closed(bytes) }
        offset += 1
      } else if byte == 0x0a {
        line += 1
      }
      bytes.append(byte)
    }
    throw error("text.i18n-reason-unfinished-quotes", line: open)
  }

  private func closed(_ bytes: [UInt8]) throws(LanguageError) -> String {
    guard offset >= text.count || [0x2c, 0x0a, 0x0d].contains(text[offset]) else {
      throw error("text.i18n-reason-text-after-quotes", line: line)
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
