import MPaaSPinyin

/// `convert [ENGINE] [text|json] [CHARACTERS]`: characters converted in a second of processor time, bytes to bytes.
///
/// And how many without the engine's share. The text is that of CPP dev, repeated.
func conversion(_ arguments: [String]) throws {
  let engine = arguments.first.flatMap(PinyinEngine.init) ?? .dictionary
  let isJSON = arguments.dropFirst().first == "json"
  let wanted = arguments.dropFirst(2).first.flatMap(Int.init) ?? 10_000_000
  let sentences = try PolyphoneItem.all().map { $0.scalars }
  let characters = sentences.reduce(0) { $0 + $1.count + 1 }
  let rounds = max(1, wanted / characters)
  let text = sentences.map { String(String.UnicodeScalarView($0.compactMap(Unicode.Scalar.init))) + "\n" }.joined()
  let options = PinyinOptions(isJSON ? .digits : .marks, engine: engine)

  var written = 0
  var failure: (any Error)?
  let all = processorTime {
    do {
      written = isJSON ? try lines(text, options, rounds) : try stream(text, options, rounds)
    } catch {
      failure = error
    }
  }
  if let failure { throw failure }
  let alone = engineTime(sentences, PinyinData.builtIn.engine(engine), rounds)
  let count = Double(characters * rounds)
  print(
    #"{"measure":"convert","engine":"\#(engine.rawValue)","output":"\#(isJSON ? "json" : "text")","characters":\#(Int(count)),"#
      + #""bytes":\#(written),"characters_per_second":\#(Int(count / all)),"engine_per_second":\#(Int(count / alone)),"#
      + #""without_engine_per_second":\#(Int(count / max(all - alone, 1e-9)))}"#)
}

private func pieces(_ text: String, _ rounds: Int, _ body: (UnsafeRawBufferPointer) throws -> Void) rethrows {
  let bytes = Array(text.utf8)
  try bytes.withUnsafeBytes { bytes in
    for _ in 0..<rounds {
      var rest = bytes[...]
      while !rest.isEmpty {
        try body(UnsafeRawBufferPointer(rebasing: rest.prefix(1 << 16)))
        rest = rest.dropFirst(1 << 16)
      }
    }
  }
}

private func stream(_ text: String, _ options: PinyinOptions, _ rounds: Int) throws -> Int {
  var stream = PinyinTextStream(options)
  var written = 0
  try pieces(text, rounds) { try stream.feed($0) { written += $0.count } }
  try stream.finish { written += $0.count }
  return written
}

private func lines(_ text: String, _ options: PinyinOptions, _ rounds: Int) throws -> Int {
  var stream = PinyinLineStream(options)
  var written = 0
  try pieces(text, rounds) { try stream.feed($0) { written += $0.count } }
  try stream.finish { written += $0.count }
  return written
}

/// Seconds that the engine needs for the same sentences.
private func engineTime(_ sentences: [[UInt32]], _ engine: any ReadingEngine, _ rounds: Int) -> Double {
  var choices = [ReadingChoice](
    repeating: engine.choices([0x4E00], as: .text)[0], count: sentences.map(\.count).max() ?? 0)
  return processorTime {
    for _ in 0..<rounds {
      for sentence in sentences {
        sentence.withUnsafeBufferPointer { scalars in
          choices.withUnsafeMutableBufferPointer {
            engine.read(scalars, as: .text, into: UnsafeMutableBufferPointer(rebasing: $0[..<scalars.count]))
          }
        }
      }
    }
  }
}
