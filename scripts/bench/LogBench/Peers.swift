import MPaaSLogReading
import MPaaSLogs
import MPaaSTrust

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// `LogBench PATH --read [--xlog-key KEY] [--identity FILE]` prints the messages of files of any writer, one a line, and
/// on the error stream how many places could not be read; with `--containing TEXT` how often they contain it.
func read(_ arguments: Arguments) throws {
  var opening = LogOpening()
  opening.loganKey = try LoganKey("0123456789abcdef:fedcba9876543210")
  if !arguments.xlogKey.isEmpty { opening.xlogKey = try XlogKey(arguments.xlogKey) }
  if !arguments.identity.isEmpty { opening.keys = LogKeys([try arguments.key()]) }
  var found = 0
  var text = ""
  let inputs = try LogInputs([arguments.folder], opening)
  let summary = try LogMerge(inputs, LogReadOptions(LogQuery())).run { item in
    let message = item.record.entry.message
    if !arguments.containing.isEmpty {
      found += message.split(separator: arguments.containing, omittingEmptySubsequences: false).count - 1
    } else {
      text += message + "\n"
      if text.utf8.count > 1 << 20 {
        put(text, to: 1)
        text = ""
      }
    }
    return true
  }
  put(arguments.containing.isEmpty ? text : "\(found)\n", to: 1)
  put("\(inputs.problems.count + summary.problems.count)\n", to: 2)
}

private func put(_ text: String, to descriptor: Int32) {
  var rest = Array(text.utf8)[...]
  while !rest.isEmpty {
    let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
    guard count > 0 else { return }
    rest = rest.dropFirst(count)
  }
}

/// `LogBench FOLDER --count-in FILE` appends numbered records until it is killed, and says in FILE how many.
func writeNumbered(_ arguments: Arguments) throws {
  let writer = try arguments.writer()
  let descriptor = open(arguments.counter, O_RDWR | O_CREAT, 0o600)
  guard descriptor >= 0, ftruncate(descriptor, 8) == 0,
    let place = mmap(nil, 8, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0), place != MAP_FAILED
  else { return }
  let count = place.assumingMemoryBound(to: UInt64.self)
  while true {
    writer.append(LogEntry(.info, "Bench", "#\(count.pointee)# a line as any other, of \(count.pointee % 977) items"))
    count.pointee += 1
  }
}
