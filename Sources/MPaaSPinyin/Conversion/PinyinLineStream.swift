#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Lines of UTF-8 to a JSON object a line: the text, and its characters with their readings.
package struct PinyinLineStream: ~Copyable {
  private let options: PinyinOptions
  private let readings: ReadingTable
  private let table: SpellingTable
  private let isLossy: Bool
  private var analysis: TextAnalysis
  private var output = OutputBytes()
  /// The beginning of a line whose end has not come yet.
  private var rest: [UInt8] = []
  /// The line's offset in the input.
  private var offset = 0

  /// Output is handed on when it is more than this.
  private static let full = 1 << 16

  package init(
    _ options: PinyinOptions, data: PinyinData = .builtIn, engine: (any ReadingEngine)? = nil, isLossy: Bool = false
  ) {
    self.options = options
    self.isLossy = isLossy
    readings = data.readings
    table = SpellingTable(options.spelling, hasVariants: options.mergesErhua)
    analysis = TextAnalysis(data, options, engine: engine)
  }

  /// Takes a piece of the input and hands on the lines that are whole with it.
  ///
  /// - Throws: `invalidUTF8`, after the lines before that line were handed on.
  package mutating func feed(
    _ bytes: UnsafeRawBufferPointer, _ write: (UnsafeRawBufferPointer) -> Void
  ) throws {
    defer { output.flush(write) }
    guard let start = bytes.baseAddress else { return }
    var place = 0
    while place < bytes.count, let newline = memchr(start + place, 0x0A, bytes.count - place) {
      let end = UnsafeRawPointer(newline) - start
      let part = UnsafeRawBufferPointer(rebasing: bytes[place..<end])
      place = end + 1
      if rest.isEmpty {
        try convert(part, write)
      } else {
        rest.append(contentsOf: part)
        try convertRest(write)
      }
      offset += 1
      if output.count >= Self.full { output.flush(write) }
    }
    rest.append(contentsOf: bytes[place...])
  }

  /// Converts the last line where no line end closed it, and gets ready for another text.
  package mutating func finish(_ write: (UnsafeRawBufferPointer) -> Void) throws {
    defer { output.flush(write) }
    if !rest.isEmpty { try convertRest(write) }
    offset = 0
  }

  /// Converts one text as a line of its own, whatever it contains.
  package mutating func add(_ text: String, _ write: (UnsafeRawBufferPointer) -> Void) throws {
    defer { output.flush(write) }
    var text = text
    try text.withUTF8 { bytes in try convertWhole(UnsafeRawBufferPointer(bytes), write) }
  }

  private mutating func convertRest(_ write: (UnsafeRawBufferPointer) -> Void) throws {
    var line: [UInt8] = []
    swap(&line, &rest)
    defer {
      line.removeAll(keepingCapacity: line.capacity < 1 << 20)
      swap(&line, &rest)
    }
    try line.withUnsafeBytes { bytes in try convert(bytes, write) }
  }

  /// A line without its line feed.
  private mutating func convert(
    _ line: UnsafeRawBufferPointer, _ write: (UnsafeRawBufferPointer) -> Void
  ) throws {
    let hasReturn = line.last == 0x0D
    try convertWhole(UnsafeRawBufferPointer(rebasing: hasReturn ? line.dropLast() : line[...]), write)
    offset += line.count
  }

  private mutating func convertWhole(
    _ text: UnsafeRawBufferPointer, _ write: (UnsafeRawBufferPointer) -> Void
  ) throws {
    guard let wrong = analysis.read(text) else { return put(text, write) }
    guard isLossy else { throw PinyinError.invalidUTF8(text[wrong], at: offset + wrong) }
    var repaired = String(decoding: text, as: UTF8.self)
    repaired.withUTF8 { bytes in
      _ = analysis.read(UnsafeRawBufferPointer(bytes))
      put(UnsafeRawBufferPointer(bytes), write)
    }
  }
}

// MARK: - JSON

extension PinyinLineStream {
  private mutating func put(_ text: UnsafeRawBufferPointer, _ write: (UnsafeRawBufferPointer) -> Void) {
    output.put("{\"text\":\"")
    output.put(jsonInside: text)
    output.put("\",\"syllables\":[")
    let separators: (StaticString, StaticString) = ("{\"text\":\"", ",{\"text\":\"")
    var isFirst = true
    var cursor = TextAnalysis.Cursor()
    while let found = analysis.next(&cursor) {
      output.put(isFirst ? separators.0 : separators.1)
      isFirst = false
      // A Chinese character and what hangs on it: nothing in it needs an escape but what precedes it.
      output.put(jsonInside: UnsafeRawBufferPointer(rebasing: text[found.utf8]))
      output.put("\",\"pinyin\":\"")
      if found.reading != .none {
        output.put(table.bytes(found.reading, variant: found.hasErhua ? SpellingTable.erhua : 0))
      }
      output.put("\",\"range\":[")
      output.put(decimal: found.graphemes.lowerBound)
      output.put(UInt8(ascii: ","))
      output.put(decimal: found.graphemes.upperBound)
      output.put("],\"utf16\":[")
      output.put(decimal: found.utf16.lowerBound)
      output.put(UInt8(ascii: ","))
      output.put(decimal: found.utf16.upperBound - 1)
      output.put("],\"word\":")
      output.put(decimal: found.word)
      output.put(",\"confidence\":")
      output.put(Self.confidences[Int(found.confidence)])
      if options.heteronyms != .chosenOnly { putReadings(found) }
      output.put(UInt8(ascii: "}"))
      if output.count >= Self.full { output.flush(write) }
    }
    output.put("]}\n")
  }

  private mutating func putReadings(_ found: TextAnalysis.Found) {
    output.put(",\"readings\":[")
    let list = readings[found.scalar]
    var isFirst = true
    for (number, reading) in list.enumerated() where options.heteronyms == .all || !list.isRare(number) {
      if !isFirst { output.put(UInt8(ascii: ",")) }
      isFirst = false
      output.put(UInt8(ascii: "\""))
      output.put(table.bytes(reading))
      output.put(UInt8(ascii: "\""))
    }
    output.put(UInt8(ascii: "]"))
  }

  /// 0 to 1 with up to three places, by the engine's number.
  private static let confidences: [SIMD16<UInt8>] = (0...255).map { value in
    let thousandths = (value * 1000 + 127) / 255
    var text = "\(thousandths / 1000)"
    if thousandths % 1000 != 0 {
      text += "." + "\(1000 + thousandths % 1000)".dropFirst()
      while text.last == "0" { text.removeLast() }
    }
    var bytes = SIMD16<UInt8>()
    for (index, byte) in text.utf8.enumerated() { bytes[index] = byte }
    bytes[15] = UInt8(text.utf8.count)
    return bytes
  }
}
