import MPaaSPinyin
import MPaaSSupport

/// `accuracy FIXTURES [-v]`: how many of CPP's development part, names, places and words the dictionary engine reads right;
/// `-v` shows those that it does not.
enum DictionaryAccuracy {
  static func run(_ arguments: [String]) throws {
    let folder = "\(arguments.first ?? "../shared/fixtures")/text/pinyin"
    let isVerbose = arguments.contains("-v")
    let engine = DictionaryEngine(.builtIn)
    let sentences = try lines("\(folder)/cpp_dev.sent")
    let labels = try lines("\(folder)/cpp_dev.lb")
    var right = 0
    for (sentence, label) in zip(sentences, labels) {
      let scalars = sentence.unicodeScalars.map(\.value)
      guard let mark = scalars.firstIndex(of: 0x2581) else { continue }
      let choices = engine.choices(scalars.filter { $0 != 0x2581 })
      let found = choices[mark].reading.digits
      if found == label.replacing("u:", with: "v") { right += 1 } else if isVerbose {
        print("\(sentence)\t\(label)\t\(found)\t\(choices[mark].evidence) \(choices[mark].confidence)")
      }
    }
    print(#"{"set":"cpp_dev","items":\#(labels.count),"right":\#(right)}"#)
    var counts: [String: (Int, Int)] = [:]
    for line in try lines("\(folder)/names_places.tsv") {
      let fields = line.split(separator: "\t").map(String.init)
      guard fields.count == 3 else { continue }
      let kind: TextKind = fields[0] == "name" ? .name : fields[0] == "place" ? .place : .text
      let found = engine.choices(fields[1].unicodeScalars.map(\.value), as: kind).map(\.reading.digits)
        .joined(separator: " ")
      counts[fields[0], default: (0, 0)].0 += 1
      if found == fields[2] { counts[fields[0], default: (0, 0)].1 += 1 } else if isVerbose {
        print("\(fields[0]) \(fields[1])\t\(fields[2])\t\(found)")
      }
    }
    for (kind, count) in counts.sorted(by: { $0.key < $1.key }) {
      print(#"{"set":"\#(kind)","items":\#(count.0),"right":\#(count.1)}"#)
    }
  }
}

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
