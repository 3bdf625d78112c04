import CrashReporter
import Foundation

try CrashReporter.install(.init(directory: "reports", identifier: "com.example.shop", version: "1.0", build: "1"))
CrashReporter.leaveBreadcrumb("started")

let server = URL(fileURLWithPath: "server", isDirectory: true)
try FileManager.default.createDirectory(at: server, withIntermediateDirectories: true)
let processed = try await CrashReporter.processPendingReports { report in
  let file = URL(fileURLWithPath: report.path)
  try FileManager.default.copyItem(at: file, to: server.appendingPathComponent(file.lastPathComponent))
}
print("\(processed.uploaded.count) sent, \(processed.kept.count) kept for the next start")

func price(of item: Int, in prices: [Int]) -> Int {
  CrashReporter.leaveBreadcrumb("price of item \(item)")
  return prices[item]
}

let item = CommandLine.arguments.contains("crash") ? 7 : 1
print("item \(item) costs \(price(of: item, in: [12, 30, 8]))")
