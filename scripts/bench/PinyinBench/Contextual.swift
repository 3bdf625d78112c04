import MPaaSPinyin

/// `speed ENGINE [SECONDS]` prints how many characters per second an engine reads on one core.
///
/// Running text: the sentences of CPP dev one after the other, each read by itself, and the same as one text in pieces of
/// 4,096 characters; the first time (cold) is that of the first sentence, with all that is made at first use.
func speed(_ arguments: [String]) throws {
  guard let kind = arguments.first.flatMap(PinyinEngine.init) else {
    return print("usage: PinyinBench speed \(PinyinEngine.allCases.map(\.rawValue).joined(separator: "|")) [SECONDS]")
  }
  let seconds = arguments.dropFirst().first.flatMap(Double.init) ?? 3
  let sentences = try PolyphoneItem.all().map(\.scalars)
  let clock = SuspendingClock()
  var engine: (any ReadingEngine)?
  let cold = clock.measure {
    let made = PinyinData.builtIn.engine(kind)
    _ = made.choices(sentences[0], as: .text)
    engine = made
  }
  guard let engine else { return }
  let text = Array(sentences.joined())
  let pieces = stride(from: 0, to: text.count, by: 4096).map { Array(text[$0..<min($0 + 4096, text.count)]) }
  print(#"{"engine":"\#(kind)","cold_ms":\#(Int(cold / .microseconds(1)).thousandths),"#, terminator: "")
  for (name, parts) in [("sentences", sentences), ("text", pieces)] {
    var choices = [ReadingChoice](repeating: engine.choices([0x4E00], as: .text)[0], count: 8192)
    var best = 0.0
    let start = clock.now
    while start.duration(to: clock.now) < .seconds(seconds) {
      let took = clock.measure {
        choices.withUnsafeMutableBufferPointer { output in
          for part in parts {
            part.withUnsafeBufferPointer { input in
              engine.read(input, as: .text, into: UnsafeMutableBufferPointer(rebasing: output[..<input.count]))
            }
          }
        }
      }
      best = max(best, Double(text.count) / (took / .seconds(1)))
    }
    print(#""\#(name)_chars_per_s":\#(Int(best)),"#, terminator: "")
  }
  print(#""chars":\#(text.count)}"#)
}

extension Int {
  fileprivate var thousandths: Double { Double(self) / 1000 }
}
