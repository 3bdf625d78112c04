import Foundation
import MPaaSLogs
import MPaaSTrust

/// A program that a test kills: logs from several threads, and says in shared memory what was logged, until it is
/// ended.
///
/// `LogSubject FOLDER COUNTS RECIPIENT|- [THREADS]`. The file COUNTS has a number of 8 bytes for each thread: how many
/// of its records `append` had returned from. A record's message is `THREAD NUMBER text`.
let arguments = CommandLine.arguments
let threads = arguments.count > 4 ? Int(arguments[4]) ?? 2 : 2
let descriptor = open(arguments[2], O_RDWR | O_CREAT, 0o600)
guard descriptor >= 0, ftruncate(descriptor, off_t(threads * 8)) == 0,
  let counts = mmap(nil, threads * 8, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0), counts != MAP_FAILED
else { exit(3) }

var options = LogWriterOptions()
if arguments[3] != "-" { options.recipients = [try AgeRecipient(arguments[3])] }
options.stagingSize = 1 << 17
// Records that are removed on purpose are not what the test looks for.
options.largestTotal = 1 << 40
let log = try LogWriter(folder: arguments[1], options: options)

/// Logs as a thread of that number, for ever.
@Sendable func write(_ thread: Int, _ log: LogWriter, _ count: UInt) {
  guard let place = UnsafeMutablePointer<UInt64>(bitPattern: count) else { exit(3) }
  // A killed run goes on counting where the one before it stopped, or one further: its last record may be there.
  var number = place.pointee + 1_000_000 - place.pointee % 1_000_000
  place.pointee = number
  while true {
    let text = String(repeating: "x", count: Int(number * 7 % 200))
    log.append(
      LogEntry(.info, "Thread", "\(thread) \(number) \(text)", fields: [LogField("n", .integer(Int64(number)))]))
    number += 1
    place.pointee = number
  }
}

for thread in 0..<threads {
  let place = UInt(bitPattern: counts + thread * 8)
  Thread.detachNewThread { [log] in write(thread, log, place) }
}
while true { sleep(60) }
