import CrashReporter

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A sample app: an order book with several threads that crashes while it matches a block order.
///
/// `orderbook [--report-to DIR] [--orders N]`; without `--report-to` nothing catches the crash in the process.
let arguments = CommandLine.arguments

func value(of option: String) -> String? {
  arguments.firstIndex(of: option).flatMap { arguments.indices.contains($0 + 1) ? arguments[$0 + 1] : nil }
}

if let directory = value(of: "--report-to") {
  try CrashReporter.install(
    .init(directory: directory, identifier: "com.example.orderbook", version: "1.2", build: "34", appKey: "DEMO"))
  CrashReporter.setUser(id: "trader-7")
  for report in try await CrashReporter.processPendingReports().made {
    print("orderbook: the last run crashed; its report is \(report.path)")
  }
}

let count = value(of: "--orders").flatMap(UInt64.init) ?? OrderFeed.blockOrder + 500
print("orderbook: matching \(count) orders on four threads")
// A crash would take what is still in the buffer with it.
fflush(nil)
let matched = Exchange(feed: OrderFeed(count: count)).run()
print("orderbook: matched \(matched) orders, market closed")
