import MPaaSLock

/// Converts Chinese text to pinyin.
///
/// It can be used from several threads at once, and keeps its working memory from call to call:
///
///     let converter = PinyinConverter(PinyinOptions(.marks))
///     converter.pinyin("重庆的银行行长")  // chóng qìng de yín háng háng zhǎng
///     converter.syllables("重庆")[0].reading?.digits  // chong2
public struct PinyinConverter: Sendable {
  /// The ways in which text is read and written.
  public let options: PinyinOptions
  private let data: PinyinData
  private let engine: any ReadingEngine
  private let benches = Benches()

  /// Makes a converter.
  ///
  /// - Parameters:
  ///   - options: The way in which text is read and written; the defaults of `PinyinOptions` unless given.
  ///   - data: The dictionary; the built-in one unless given.
  public init(_ options: PinyinOptions = PinyinOptions(), data: PinyinData = .builtIn) {
    self.init(options, data: data, engine: data.engine(options.chosenEngine))
  }

  /// A converter for which somebody else chooses the readings.
  package init(_ options: PinyinOptions, data: PinyinData = .builtIn, engine: any ReadingEngine) {
    self.options = options
    self.data = data
    self.engine = engine
  }

  /// The text with its Chinese characters in pinyin; what is not Chinese stays as it is.
  public func pinyin(_ text: String) -> String {
    withBench { bench in
      var result: [UInt8] = []
      result.reserveCapacity(text.utf8.count * 2)
      var text = text
      text.withUTF8 { bytes in
        var rest = UnsafeRawBufferPointer(bytes)[...]
        while !rest.isEmpty {
          let piece = rest.prefix(1 << 16)
          rest = rest.dropFirst(1 << 16)
          // A string is always UTF-8.
          try? bench.stream.feed(UnsafeRawBufferPointer(rebasing: piece)) { result.append(contentsOf: $0) }
        }
      }
      try? bench.stream.finish { result.append(contentsOf: $0) }
      return String(decoding: result, as: UTF8.self)
    }
  }

  /// The Chinese characters of a text, in their order; nothing else has an entry.
  public func syllables(_ text: String) -> [PinyinSyllable] {
    withBench { bench in
      var result: [PinyinSyllable] = []
      var text = text
      text.withUTF8 { bytes in
        let bytes = UnsafeRawBufferPointer(bytes)
        _ = bench.analysis.read(bytes)
        var cursor = TextAnalysis.Cursor()
        while let found = bench.analysis.next(&cursor) { result.append(syllable(found, in: bytes)) }
      }
      return result
    }
  }

  private func syllable(_ found: TextAnalysis.Found, in bytes: UnsafeRawBufferPointer) -> PinyinSyllable {
    let list = data.readings[found.scalar]
    let listed = list.enumerated().filter { number, _ in
      options.heteronyms == .all || options.heteronyms == .common && !list.isRare(number)
    }
    return PinyinSyllable(
      text: String(decoding: bytes[found.utf8], as: UTF8.self),
      reading: found.reading == .none ? nil : found.reading,
      pinyin: found.reading == .none ? "" : options.spelling.text(found.reading, hasErhua: found.hasErhua),
      readings: listed.map(\.element), confidence: Double(found.confidence) / 255, word: found.word,
      startsWord: found.startsWord, hasErhua: found.hasErhua, graphemes: found.graphemes, utf16: found.utf16)
  }

  private func withBench<Value>(_ work: (Bench) -> Value) -> Value {
    let bench = benches.take() ?? Bench(options, data, engine)
    defer { benches.giveBack(bench) }
    return work(bench)
  }
}

/// The working memory of one conversion.
///
/// `@unchecked Sendable`: whoever took it from `Benches` has it alone.
private final class Bench: @unchecked Sendable {
  var stream: PinyinTextStream
  var analysis: TextAnalysis

  init(_ options: PinyinOptions, _ data: PinyinData, _ engine: any ReadingEngine) {
    stream = PinyinTextStream(options, data: data, engine: engine)
    analysis = TextAnalysis(data, options, engine: engine)
  }
}

/// Working memory that is not in use.
private final class Benches: Sendable {
  private let free = Lock<[Bench]>([])

  func take() -> Bench? { free.withLock { $0.popLast() } }

  func giveBack(_ bench: Bench) {
    free.withLock { if $0.count < 16 { $0.append(bench) } }
  }
}
