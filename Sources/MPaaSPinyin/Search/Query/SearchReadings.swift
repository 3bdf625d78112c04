private import MPaaSSupport

/// The readings of characters when texts are searched: what the kit knows, or a table of one's own.
public struct SearchReadings: Sendable {
  /// One reading as an index keeps it: its spelling's number (16 bits), tone (3), how usual it is (2).
  struct Entry: Hashable {
    var rawValue: UInt32

    init(rawValue: UInt32) {
      self.rawValue = rawValue
    }

    init(spelling: Int, tone: UInt8, grade: PinyinHeteronyms) {
      rawValue = UInt32(spelling) | UInt32(tone) << 16 | UInt32(grade.rawValue) << 19
    }

    @inline(__always) var spelling: Int { Int(rawValue & 0xFFFF) }
    @inline(__always) var tone: Int { Int(rawValue >> 16 & 7) }
    /// 0 for the usual reading, 1 for common ones, 2 for rare ones.
    @inline(__always) var grade: UInt32 { rawValue >> 19 & 3 }
    @inline(__always) var withoutGrade: UInt32 { rawValue & 0x7_FFFF }
  }

  /// The readings of the kit's data.
  public static let builtIn = SearchReadings(.builtIn)

  private enum Source {
    case data(ReadingTable, numbers: [UInt16])
    case table([UInt32: [Entry]])
    /// A file's table, and what stands for characters that it lacks.
    indirect case merged([UInt32: [Entry]], SearchReadings, numbers: [Int?])
  }

  private let source: Source
  let spellings: Spellings

  /// - Parameter data: The readings of a data file, with tones; its rare ones are marked as such.
  public init(_ data: PinyinData) {
    let table = data.readings
    var used = [Bool](repeating: false, count: 2048)
    for scalar in table.scalars {
      for reading in table[scalar] { used[Int(reading.syllable.rawValue) & 2047] = true }
    }
    let names = used.indices.map { used[$0] ? Self.letters(Syllable.spellings[$0]) : "" }
    let spellings = Spellings(Set(names.filter { !$0.isEmpty }))
    let numbers = names.map { UInt16(spellings.number(of: $0) ?? 0) }
    self.spellings = spellings
    source = .data(table, numbers: numbers)
  }

  /// Reads a table: a line for each character with its number in decimal, a tab, and its readings parted by blanks.
  ///
  /// A reading is small letters, ü as v, with a digit for the tone or without; the first is the usual one.
  ///
  /// - Throws: `PinyinError` that names the first line that is not so.
  public init(table text: some StringProtocol) throws(PinyinError) {
    var lines: [(scalar: UInt32, readings: [(name: String, tone: UInt8)])] = []
    var names: Set<String> = []
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() where !line.isEmpty
    {
      let fields = line.split(separator: "\t", omittingEmptySubsequences: false)
      guard fields.count == 2, let scalar = UInt32(fields[0]), Unicode.Scalar(scalar) != nil else {
        throw PinyinError(.readingsLine, ["line": "\(index + 1)"])
      }
      var readings: [(name: String, tone: UInt8)] = []
      for field in fields[1].split(whereSeparator: \.isWhitespace) {
        let (name, tone) = Self.parted(field)
        guard 1...Spellings.longest ~= name.unicodeScalars.count else {
          throw PinyinError(.readingsLine, ["line": "\(index + 1)"])
        }
        names.insert(name)
        readings.append((name, tone))
      }
      lines.append((scalar, readings))
    }
    guard names.count <= Spellings.most, Set(names.flatMap(\.unicodeScalars)).count <= Spellings.mostLetters else {
      throw PinyinError(.readingsTooMany, ["count": "\(names.count)"])
    }
    let spellings = Spellings(names)
    var table: [UInt32: [Entry]] = [:]
    table.reserveCapacity(lines.count)
    for line in lines {
      table[line.scalar] = line.readings.prefix(255).enumerated().map { index, reading in
        Entry(
          spelling: spellings.number(of: reading.name) ?? 0, tone: reading.tone, grade: index == 0 ? .usual : .common)
      }
    }
    self.spellings = spellings
    source = .table(table)
  }

  /// The readings of the characters of a segment that was read from a file; others have the kit's own where these are
  /// spelled as one of the file's.
  init(_ spellings: Spellings, of segment: IndexSegment) {
    self.spellings = spellings
    var table: [UInt32: [Entry]] = [:]
    for character in segment.classes.dropFirst() {
      table[character.scalar] = (character.start..<character.start + character.count).map {
        Entry(rawValue: segment.readings[$0])
      }
    }
    let own = SearchReadings.builtIn
    source = .merged(table, own, numbers: own.spellings.names.map { spellings.number(of: $0) })
  }

  private static func parted(_ field: some StringProtocol) -> (name: String, tone: UInt8) {
    guard let last = field.unicodeScalars.last, "0"..."5" ~= last else { return (String(field), 0) }
    return (String(field.dropLast()), last == "0" ? 5 : UInt8(last.value - 48))
  }

  /// A spelling in letters that are on every keyboard.
  private static func letters(_ spelling: String) -> String { spelling == "ê" ? "e" : spelling }

  /// Calls `body` for each reading of a character, the usual one first.
  func forEach(of scalar: UInt32, _ body: (Entry) -> Void) {
    switch source {
    case .table(let table):
      table[scalar]?.forEach(body)
    case .merged(let table, let others, let numbers):
      if let entries = table[scalar] { return entries.forEach(body) }
      others.forEach(of: scalar) { entry in
        guard let number = numbers[entry.spelling] else { return }
        body(Entry(rawValue: entry.rawValue & ~0xFFFF | UInt32(number)))
      }
    case .data(let table, let numbers):
      let list = table[scalar]
      for (index, reading) in list.enumerated() {
        body(
          Entry(
            spelling: Int(numbers[Int(reading.syllable.rawValue) & 2047]), tone: reading.tone.rawValue,
            grade: list.isRare(index) ? .all : index == 0 ? .usual : .common))
      }
    }
  }
}

extension PinyinError.Code {
  /// A line of a table of readings that is no character with its readings; `line` is which.
  static var readingsLine: Self { .malformed("pinyin-readings-line") }
  /// A table with more different readings than an index can tell apart.
  static var readingsTooMany: Self { .malformed("pinyin-readings-many") }
}
