import MPaaSSampling
import MPaaSSupport
import MPaaSTerminal

/// One look at a process: a line, or a JSON object.
struct WatchedMoment: Presentable {
  private let history: WatchHistory
  private let isJSON: Bool

  init(_ history: WatchHistory, isJSON: Bool) {
    self.history = history
    self.isJSON = isJSON
  }

  func document(_ catalogue: Catalogue) -> Document {
    guard let now = history.figures.last else { return Document() }
    let last = history.figures.count - 1
    var document = Document()
    var line = StyledText(Self.cell(Self.seconds(history.seconds(of: last)), 8), .faint)
    let share = history.processor(of: last).map { TextNumber.percent($0) } ?? "–"
    let cells = [
      ("cpu", share, 8), ("rss", ByteCount(now.memory.all.resident).description, 10),
      ("pss", ByteCount(now.memory.all.proportional).description, 10),
      ("descriptors", now.descriptors.map { "\($0)" } ?? "–", 5), ("threads", "\(now.threads.count)", 5),
    ]
    for (key, value, width) in cells {
      line.append("  " + catalogue.text("text.perf-watch-\(key)"), .faint)
      line.append(Self.cell(value, width), .number)
    }
    document.line(line)
    return document
  }

  private static func cell(_ text: String, _ width: Int) -> String { text.padded(toWidth: width, trailing: true) }

  private static func seconds(_ value: Double) -> String { TextNumber.decimal(value, places: 1) + " s" }

  private enum CodingKeys: String, CodingKey {
    case seconds, cpu, resident, proportional, swapped, descriptors, threads, memory
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    guard let now = history.figures.last else { return }
    let last = history.figures.count - 1
    try container.encode(history.seconds(of: last), forKey: .seconds)
    try container.encodeIfPresent(history.processor(of: last), forKey: .cpu)
    try container.encode(now.memory.all.resident, forKey: .resident)
    try container.encode(now.memory.all.proportional, forKey: .proportional)
    try container.encode(now.memory.all.swapped, forKey: .swapped)
    try container.encodeIfPresent(now.descriptors, forKey: .descriptors)
    try container.encode(now.threads.count, forKey: .threads)
    let kinds = now.memory.byKind.map { ($0.key.rawValue, $0.value.proportional) }
    try container.encode(Dictionary(kinds, uniquingKeysWith: { $1 }), forKey: .memory)
  }
}

/// Numbers as the views of watched processes write them.
enum TextNumber {
  static func decimal(_ value: Double, places: Int) -> String {
    let unit = (0..<places).reduce(1) { product, _ in product * 10 }
    let scaled = Int((abs(value) * Double(unit)).rounded())
    let sign = value < 0 && scaled > 0 ? "-" : ""
    return places == 0 ? "\(sign)\(scaled)" : "\(sign)\(scaled / unit).\((scaled % unit).padded(to: places))"
  }

  static func percent(_ share: Double) -> String { decimal(share * 100, places: 0) + " %" }
}
