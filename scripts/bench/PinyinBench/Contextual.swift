import MPaaSPinyin

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// `speed ENGINE [SECONDS]` prints how many characters an engine reads in a second of processor time.
///
/// Running text: the sentences of CPP dev one after the other, each read by itself, and the same as one text in pieces of
/// 4,096 characters; the first time (cold) is that of the first sentence, with all that is made at first use.
func speed(_ arguments: [String]) throws {
  guard let kind = arguments.first.flatMap(PinyinEngine.init) else {
    return print("usage: PinyinBench speed \(PinyinEngine.allCases.map(\.rawValue).joined(separator: "|")) [SECONDS]")
  }
  let seconds = arguments.dropFirst().first.flatMap(Double.init) ?? 3
  let sentences = try PolyphoneItem.all().map(\.scalars)
  var engine: (any ReadingEngine)?
  let cold = processorTime {
    let made = PinyinData.builtIn.engine(kind)
    _ = made.choices(sentences[0], as: .text)
    engine = made
  }
  guard let engine else { return }
  let text = Array(sentences.joined())
  let pieces = stride(from: 0, to: text.count, by: 4096).map { Array(text[$0..<min($0 + 4096, text.count)]) }
  print(#"{"engine":"\#(kind)","cold_ms":\#((cold * 1e6).rounded() / 1000),"#, terminator: "")
  for (name, parts) in [("sentences", sentences), ("text", pieces)] {
    var choices = [ReadingChoice](repeating: engine.choices([0x4E00], as: .text)[0], count: 8192)
    var best = 0.0
    var spent = 0.0
    while spent < seconds {
      let took = processorTime {
        choices.withUnsafeMutableBufferPointer { output in
          for part in parts {
            part.withUnsafeBufferPointer { input in
              engine.read(input, as: .text, into: UnsafeMutableBufferPointer(rebasing: output[..<input.count]))
            }
          }
        }
      }
      best = max(best, Double(text.count) / took)
      spent += took
    }
    print(#""\#(name)_chars_per_s":\#(Int(best)),"#, terminator: "")
  }
  print(#""chars":\#(text.count)}"#)
}

/// The seconds of processor time that this thread spends on some work.
func processorTime(_ work: () -> Void) -> Double {
  func now() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
  let start = now()
  work()
  return now() - start
}
