import MPaaSPinyin
import MPaaSSupport

/// `dictionary FILE`: characters a second of the engine alone, line by line, the best of five runs.
enum DictionarySpeed {
  static func run(_ arguments: [String]) throws {
    let clock = ContinuousClock()
    let start = clock.now
    let engine = DictionaryEngine(.builtIn)
    _ = engine.choices("银行行长".unicodeScalars.map(\.value))
    let cold = clock.now - start
    let texts = try lines(arguments.first ?? "").map { $0.unicodeScalars.map(\.value) }
    let total = texts.reduce(0) { $0 + $1.count }
    var best = Duration.seconds(3600)
    var choices = [ReadingChoice](repeating: ReadingChoice(), count: texts.map(\.count).max() ?? 0)
    for _ in 0..<5 {
      let time = clock.measure {
        choices.withUnsafeMutableBufferPointer { target in
          for text in texts {
            text.withUnsafeBufferPointer {
              engine.read($0, as: .text, into: UnsafeMutableBufferPointer(rebasing: target.prefix($0.count)))
            }
          }
        }
      }
      best = min(best, time)
    }
    let seconds = Double(best.components.attoseconds) / 1e18 + Double(best.components.seconds)
    print(
      #"{"characters":\#(total),"per_second":\#(Int(Double(total) / seconds)),"first_ms":\#(Double(cold.components.attoseconds) / 1e15)}"#
    )
  }
}

extension DictionaryEngine {
  func choices(_ scalars: [UInt32], as kind: TextKind = .text) -> [ReadingChoice] {
    var choices = [ReadingChoice](repeating: ReadingChoice(), count: scalars.count)
    scalars.withUnsafeBufferPointer { source in
      choices.withUnsafeMutableBufferPointer { read(source, as: kind, into: $0) }
    }
    return choices
  }
}

private func lines(_ path: String) throws -> [Substring] {
  let bytes = try Bytes.mapping(path)
  return String(decoding: bytes.buffer, as: UTF8.self).split(separator: "\n")
}
