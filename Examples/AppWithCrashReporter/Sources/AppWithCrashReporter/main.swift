import CrashReporter

// AppWithCrashReporter FOLDER [crash]: the reports lie in FOLDER; with `crash` the app reads past the end of an array.
let arguments = Array(CommandLine.arguments.dropFirst())

try CrashReporter.install(
  .init(directory: arguments.first ?? "reports", identifier: "com.example.app", version: "1.0", build: "1"))
CrashReporter.leaveBreadcrumb("started")

for report in try await CrashReporter.processPendingReports().made {
  print("the last run crashed: \(report.path)")
}

if arguments.contains("crash") {
  print("the price of item 7: \(price(of: 7, in: [12, 30, 8]))")
}

func price(of item: Int, in prices: [Int]) -> Int {
  prices[item]
}
