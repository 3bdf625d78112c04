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
/// `LogBench FILE --text` writes the lines for those; `LogBench FOLDER --read [--xlog-key KEY]` tells how many records
/// the files of any writer hold.
struct Arguments {
  var folder = ""
  var count = 2_000_000
  var threads = 1
  var isPlain = false
  var level: Int32 = 1
  var figures = false
  var text = false
  var read = false
  var xlogKey = ""

  init(_ words: [String]) {
    var words = words[...]
    while let word = words.popFirst() {
      switch word {
      case "--count": count = words.popFirst().flatMap { Int($0) } ?? count
      case "--threads": threads = words.popFirst().flatMap { Int($0) } ?? threads
      case "--level": level = words.popFirst().flatMap { Int32($0) } ?? level
      case "--plain": isPlain = true
      case "--figures": figures = true
      case "--text": text = true
      case "--read": read = true
      case "--xlog-key": xlogKey = words.popFirst() ?? xlogKey
      default: folder = word
      }
    }
  }
}

func measure(_ arguments: Arguments) throws {
  let lines = LogLines(65_536)
  var options = LogWriterOptions()
  if !arguments.isPlain, let recipient = AgeIdentity.generate().recipient { options.recipients = [recipient] }
  options.largestTotal = 1 << 40
  options.compressionLevel = arguments.level
  let writer = try LogWriter(folder: arguments.folder, options: options)
  let share = arguments.count / arguments.threads
  let before = Usage.now
  lines.write(to: writer, count: share, threads: arguments.threads)
  let appended = Usage.now
  writer.close()
  let after = Usage.now
  let records = share * arguments.threads
  let text = lines.bytes(records: share) * arguments.threads
  let size = LogFolder(arguments.folder).files.reduce(0) { $0 + Int($1.size) }
  if arguments.figures {
    print(records, appended.wall - before.wall, after.wall - before.wall, after.processor - before.processor)
    return
  }
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

/// Counts the records that files of any writer hold, and tells what could not be read.
func read(_ arguments: Arguments) throws {
  var opening = LogOpening()
  opening.loganKey = try LoganKey("0123456789abcdef:fedcba9876543210")
  if !arguments.xlogKey.isEmpty { opening.xlogKey = try XlogKey(arguments.xlogKey) }
  var records = 0
  let inputs = try LogInputs([arguments.folder], opening)
  let summary = try LogMerge(inputs, LogReadOptions(LogQuery())).run { _ in
    records += 1
    return true
  }
  print(records, summary.problems.count)
}

let arguments = Arguments(Array(CommandLine.arguments.dropFirst()))
if arguments.text {
  try Data(LogLines(65_536).text.utf8).write(to: URL(filePath: arguments.folder))
} else if arguments.read {
  try read(arguments)
} else {
  try measure(arguments)
}
