/// Elements in sections by the letter that their names begin with: A to Z, and # for the rest.
///
/// A name is read as one, so that surnames get their own letters: 单 stands under S, 曾 under Z, 仇 under Q, 尉迟 under Y.
///
/// ```swift
/// let book = PinyinSections(contacts) { $0.name }
/// book.titles               // ["A", "C", "S", "#"]
/// book.sections[2].elements // 单雄信, 沈括 …
/// ```
public struct PinyinSections<Element> {
  /// The elements below one title.
  public struct Section {
    /// A letter from A to Z, or #.
    public let title: String
    /// The elements of the section, in their order.
    public var elements: [Element]
  }

  /// From A to Z, then #; without the empty ones, where they were not asked for.
  public let sections: [Section]

  /// The titles in their order.
  public var titles: [String] { sections.map(\.title) }

  /// Puts elements into sections.
  ///
  /// - Parameters:
  ///   - elements: The elements to put into sections.
  ///   - kind: What the texts are: names of people, of places, or other text.
  ///   - sorts: Whether the elements of a section are put in the order of their pinyin: character by character by
  ///     syllable, tone and character, so that one surname stands together. Otherwise they stay in the order in which
  ///     they come.
  ///   - keepsEmpty: Whether letters without elements have a section too.
  ///   - text: The text of an element by which it is placed.
  public init(
    _ elements: some Sequence<Element>, as kind: TextKind = .name, sorts: Bool = true, keepsEmpty: Bool = false,
    by text: (Element) -> String
  ) {
    var reader = NameReader(kind: kind)
    var found: [[(key: [UInt8], element: Element)]] = Array(repeating: [], count: 27)
    for element in elements {
      let text = text(element)
      let letter = reader.letter(of: text)
      found[letter].append((sorts ? reader.sortingKey(of: text) : [], element))
    }
    sections = found.indices.compactMap { letter in
      guard keepsEmpty || !found[letter].isEmpty else { return nil }
      // The order of those with equal keys is the one in which they came: the sort is stable.
      if sorts { found[letter].sort { $0.key.lexicographicallyPrecedes($1.key) } }
      return Section(title: PinyinSectionTitle.all[letter], elements: found[letter].map(\.element))
    }
  }
}

extension PinyinSections: Sendable where Element: Sendable {}
extension PinyinSections.Section: Sendable where Element: Sendable {}

extension Sequence {
  /// The elements in sections by the letter that a text of theirs begins with (`PinyinSections`).
  public func sectioned(
    byPinyinOf text: (Element) -> String, as kind: TextKind = .name
  ) -> PinyinSections<Element> {
    PinyinSections(self, as: kind, by: text)
  }
}

/// The titles that sections by pinyin can have.
public enum PinyinSectionTitle {
  /// A to Z, then #.
  public static let all: [String] = (0..<26).map { String(UnicodeScalar(UInt8(ascii: "A") + $0)) } + ["#"]

  /// The title that a name belongs under: its first letter in pinyin, # where it begins with no letter.
  public static func of(_ text: String, as kind: TextKind = .name) -> String {
    var reader = NameReader(kind: kind)
    return all[reader.letter(of: text)]
  }
}

/// Reads names for their place in a list.
private struct NameReader {
  /// The number of characters of a name that are read at most; what is behind it orders names by itself.
  private static let limit = 256

  let kind: TextKind
  private let engine = DictionaryEngine(.builtIn)
  private var scalars: [UInt32] = []
  private var choices: [ReadingChoice] = []

  init(kind: TextKind) {
    self.kind = kind
  }

  private mutating func read(_ text: String) {
    scalars.removeAll(keepingCapacity: true)
    for scalar in text.unicodeScalars.prefix(Self.limit) {
      if scalars.isEmpty, scalar.properties.isWhitespace { continue }
      scalars.append(scalar.value)
    }
    choices.removeAll(keepingCapacity: true)
    choices.append(contentsOf: repeatElement(ReadingChoice(), count: scalars.count))
    scalars.withUnsafeBufferPointer { scalars in
      choices.withUnsafeMutableBufferPointer { engine.read(scalars, as: kind, into: $0) }
    }
  }

  /// 0 for A to 25 for Z, 26 for all else.
  mutating func letter(of text: String) -> Int {
    read(text)
    guard let first = scalars.first else { return 26 }
    if choices[0].reading != .none { return Self.place(of: choices[0].reading.syllable.spelling) }
    return Self.latin(first).map(Self.place) ?? 26
  }

  private static func place(of text: String) -> Int {
    guard let letter = text.utf8.first, (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(letter) else {
      // ê is an e.
      return text.unicodeScalars.first == "ê" ? 4 : 26
    }
    return Int(letter - UInt8(ascii: "a"))
  }

  /// A Latin letter small, without marks and of usual width; nil for anything else.
  private static func latin(_ scalar: UInt32) -> String? {
    guard let scalar = UnicodeScalar(scalar).map(SearchFolding.narrow) else { return nil }
    if let base = SearchFolding.base(scalar) { return String(UnicodeScalar(base)) }
    return scalar.isASCII && scalar.properties.isAlphabetic ? String(scalar).lowercased() : nil
  }

  /// Bytes whose order is that of the names.
  mutating func sortingKey(of text: String) -> [UInt8] {
    read(text)
    var key: [UInt8] = []
    key.reserveCapacity(scalars.count * 10)
    for (scalar, choice) in zip(scalars, choices) {
      if choice.reading != .none {
        key += choice.reading.syllable.spelling.utf8
        key.append(choice.reading.tone.rawValue)
      } else if let letter = Self.latin(scalar) {
        key += letter.utf8
        continue
      }
      if let scalar = UnicodeScalar(scalar) { key += String(scalar).lowercased().utf8 }
    }
    key.append(0)
    return key + text.utf8
  }
}
