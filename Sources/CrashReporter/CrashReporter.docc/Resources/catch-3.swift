import CrashReporter

try CrashReporter.install(.init(directory: "reports", identifier: "com.example.shop", version: "1.0", build: "1"))
CrashReporter.leaveBreadcrumb("started")

func price(of item: Int, in prices: [Int]) -> Int {
  CrashReporter.leaveBreadcrumb("price of item \(item)")
  return prices[item]
}

let item = CommandLine.arguments.contains("crash") ? 7 : 1
print("item \(item) costs \(price(of: item, in: [12, 30, 8]))")
