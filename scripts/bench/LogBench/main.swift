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
/// clock, by processor time of all threads, and what the files take beside the text.
struct Arguments {
  var folder = ""
  var count = 2_000_000
  var threads = 1
  var isPlain = false
  var level: Int32 = 1

  init(_ words: [String]) {
    var words = words[...]
    while let word = words.popFirst() {
      switch word {
      case "--count": count = words.popFirst().flatMap { Int($0) } ?? count
      case "--threads": threads = words.popFirst().flatMap { Int($0) } ?? threads
      case "--level": level = words.popFirst().flatMap { Int32($0) } ?? level
      case "--plain": isPlain = true
      default: folder = word
      }
    }
  }
}

func measure() throws {
  let arguments = Arguments(Array(CommandLine.arguments.dropFirst()))
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

try measure()
