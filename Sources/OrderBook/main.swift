import CrashReporter
import MPaaSHotpatch
import MPaaSPerformance

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A sample app: an order book with several threads that crashes while it matches a block order.
///
/// `orderbook [--report-to DIR] [--orders N] [--recount always|forever]
/// [--hotpatches REPOSITORY --state DIR --root FILE --trust PEM --identity FILE]`;
/// without `--report-to` nothing catches the crash in the process, without `--hotpatches` nothing mends it. With `--recount`
/// the book is counted anew behind each order, or without an end.
/// `orderbook --symbols` prints what patches may change in it.
let arguments = CommandLine.arguments

func value(of option: String) -> String? {
  arguments.firstIndex(of: option).flatMap { arguments.indices.contains($0 + 1) ? arguments[$0 + 1] : nil }
}

if arguments.contains("--symbols") {
  print(Hotpatches.symbols, terminator: "")
  exit(0)
}

if let directory = value(of: "--report-to") {
  try CrashReporter.install(
    .init(
      directory: directory, identifier: Hotpatches.app, version: Hotpatches.version, build: "34", appKey: "DEMO"))
  CrashReporter.setUser(id: "trader-7")
  for report in try await CrashReporter.processPendingReports().made {
    let isHang = report.path.split(separator: "/").last?.hasPrefix("hang-") == true
    print("orderbook: the last run \(isHang ? "hung" : "crashed"); its report is \(report.path)")
  }
}

var client: HotpatchClient?
if let repository = value(of: "--hotpatches"), let state = value(of: "--state"), let root = value(of: "--root"),
  let trust = value(of: "--trust"), let identity = value(of: "--identity")
{
  client = try Hotpatches.client(
    of: repository, state: state, root: root, trust: trust, identity: identity,
    isWatched: value(of: "--report-to") != nil)
  await client?.start()
}

let count = value(of: "--orders").flatMap(UInt64.init) ?? OrderFeed.blockOrder + 500
print("orderbook: matching \(count) orders on four threads")
// A crash would take what is still in the buffer with it.
fflush(nil)
let recount = value(of: "--recount").flatMap(Exchange.Recount.init) ?? .never
var monitor: HangMonitor?
if recount == .forever, let directory = value(of: "--report-to") {
  monitor = HangMonitor(directory: directory, watchesMainQueue: false)
  try monitor?.start()
}
let matched = Exchange(feed: OrderFeed(count: count), recount: recount, monitor: monitor).run()
print("orderbook: matched \(matched) orders, market closed")
client?.confirmHealthy()
// The process ends now; what was said is to be on the disk before.
await client?.flush()
