// The program that tests kill: moves a queue until it is empty, and says what it has done.
//
//   TransferSubject QUEUE METHOD URL FILE [BATCH [CHUNK]]      adds a transfer, then moves all
//
// MPAAS_TOKEN goes in each request's Authorization.
import MPaaSSupport
import MPaaSTransfer

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

let words = CommandLine.arguments
guard words.count >= 5, let method = Transfer.Method(rawValue: words[2]) else {
  print("usage: TransferSubject QUEUE METHOD URL FILE [BATCH [CHUNK]]")
  exit(64)
}
var transfer = Transfer(method, words[3], file: words[4], batch: words.count > 5 ? words[5] : nil)
if words.count > 6 { transfer.chunk = Int64(words[6]) }
var options = TransferOptions()
options.firstPause = 0.02
options.longestPause = 0.2
options.rest = 0.3
options.failuresBeforeRest = 20
if let token = getenv("MPAAS_TOKEN").map({ String(cString: $0) }) {
  options.headers = { _ in ["Authorization": "Bearer \(token)"] }
}
let queue = try TransferQueue(words[1], options: options)
let id = try queue.add(transfer)
let summary = try await queue.run()
let record = try queue.record(id)
print(record?.state.rawValue ?? "gone", record?.sha256 ?? "-", record?.error ?? "-")
exit(record?.state == .done ? 0 : 1)
