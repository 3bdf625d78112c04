/// Finds the keys of a table that guessed ones of sources stand for.
///
/// The specifiers of a key follow from the types of what is interpolated, and not all types can be told from sources. What
/// lies around the specifiers is known: a guessed key that a table lacks stands for those of its keys that differ from it in
/// nothing but the types of specifiers.
struct GuessedKeys {
  private let keys: Set<String>
  private var byShape: [String: [String]] = [:]

  init(_ keys: some Sequence<String>) {
    self.keys = Set(keys)
    for key in self.keys where key.utf8.contains(UInt8(ascii: "%")) {
      byShape[Self.shape(key), default: []].append(key)
    }
  }

  /// The keys that a source's text stands for; its own where the table has it, or none like it.
  func keys(for text: SourceText) -> [String] {
    guard text.isGuessed, !keys.contains(text.key) else { return [text.key] }
    return byShape[Self.shape(text.key)]?.sorted() ?? [text.key]
  }

  /// The text with `%` in the place of each specifier.
  static func shape(_ text: String) -> String {
    let bytes = Array(text.utf8)
    var shape: [UInt8] = []
    var at = 0
    for range in FormatSpecifiers(text).ranges {
      shape += bytes[at..<range.lowerBound]
      shape += bytes[range].elementsEqual("%%".utf8) ? "%%".utf8 : "%".utf8
      at = range.upperBound
    }
    return String(decoding: shape + bytes[at...], as: UTF8.self)
  }
}

extension [SourceText] {
  /// The texts of a table, guessed keys replaced by those that the table has.
  func resolved(among keys: some Sequence<String>, table: String) -> [SourceText] {
    let guessed = GuessedKeys(keys)
    return filter { $0.table == table }.flatMap { text in
      guessed.keys(for: text).map { $0 == text.key ? text : text.with(key: $0) }
    }
  }
}
