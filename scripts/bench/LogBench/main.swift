import MPaaSLogs
import MPaaSSupport
import MPaaSTrust

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Times the writer of logs; scripts/bench/logs runs it.
///
/// `LogBench FOLDER [--count N] [--threads N] [--plain] [--level N]` writes so many records and tells the rate by the
/// clock, by processor time of all threads, and what the files take beside the text; with `--figures` as four numbers
/// (records, seconds until all were appended, seconds in all, processor seconds in all), as the drivers of other writers.
/// `Peers.swift` has what else it does for those.
struct Arguments {
  enum Work { case measure, text, read, numbered, recover }

  var work = Work.measure
  var folder = ""
  var count = 2_000_000
  var threads = 1
  var isPlain = false
  var level: Int32 = 1
  var figures = false
  var xlogKey = ""
  var identity = ""
  var counter = ""
  var containing = ""

  init(_ words: [String]) {
    var words = words[...]
    while let word = words.popFirst() {
      switch word {
      case "--count": count = words.popFirst().flatMap { Int($0) } ?? count
      case "--threads": threads = words.popFirst().flatMap { Int($0) } ?? threads
      case "--level": level = words.popFirst().flatMap { Int32($0) } ?? level
      case "--plain": isPlain = true
      case "--figures": figures = true
      case "--text": work = .text
      case "--read": work = .read
      case "--recover": work = .recover
      case "--count-in":
        work = .numbered
        counter = words.popFirst() ?? ""
      case "--xlog-key": xlogKey = words.popFirst() ?? ""
      case "--identity": identity = words.popFirst() ?? ""
      case "--containing": containing = words.popFirst() ?? ""
      default: folder = word
      }
    }
  }

  /// A writer of the folder, encrypted unless told otherwise.
  func writer() throws -> LogWriter {
    var options = LogWriterOptions()
    if !isPlain, let recipient = try key().recipient { options.recipients = [recipient] }
    options.largestTotal = 1 << 40
    options.compressionLevel = level
    return try LogWriter(folder: folder, options: options)
  }

  /// The identity of the file that is named, made where there is none; else one that nobody keeps.
  func key() throws -> AgeIdentity {
    guard !identity.isEmpty else { return AgeIdentity.generate() }
    if let text = try? String(contentsOfFile: identity, encoding: .utf8) { return try AgeIdentity(text) }
    let made = AgeIdentity.generate()
    try Data((made.text ?? "").utf8).write(to: URL(filePath: identity))
    return made
  }
}

func measure(_ arguments: Arguments) throws {
  let lines = LogLines(65_536)
  let writer = try arguments.writer()
  let share = arguments.count / arguments.threads
  let before = Usage.now
  lines.write(to: writer, count: share, threads: arguments.threads)
  let appended = Usage.now
  writer.close()
  let after = Usage.now
  let records = share * arguments.threads
  if arguments.figures {
    print(records, appended.wall - before.wall, after.wall - before.wall, after.processor - before.processor)
    return
  }
  let text = lines.bytes(records: share) * arguments.threads
  let size = LogFolder(arguments.folder).files.reduce(0) { $0 + Int($1.size) }
  func million(_ seconds: Double) -> String { "\(Double(Int(Double(records) / seconds / 10_000)) / 100)" }
  func hundredths(_ value: Double) -> String { "\(Double(Int(value * 100)) / 100)" }
  print(
    "records \(records), \(text / max(records, 1)) bytes each, threads \(arguments.threads),",
    arguments.isPlain ? "not encrypted" : "encrypted")
  print(
    "append: \(million(appended.wall - before.wall)) M/s by the clock;",
    "all told: \(million(after.wall - before.wall)) M/s by the clock,",
    "\(million(after.processor - before.processor)) M/s by processor time")
  print("files: \(size) bytes, ratio \(hundredths(Double(text) / Double(max(size, 1)))) of the messages alone")
}

let arguments = Arguments(Array(CommandLine.arguments.dropFirst()))
switch arguments.work {
case .measure: try measure(arguments)
case .text: try Data(LogLines(65_536).text.utf8).write(to: URL(filePath: arguments.folder))
case .read: try read(arguments)
case .numbered: try writeNumbered(arguments)
case .recover: try arguments.writer().close()
}
