// The program that tests kill: adds calls to a queue, and sends all that wait.
//
//   RPCSubject QUEUE URL FIRST COUNT      adds the calls FIRST, FIRST + 1, …, and says which it has added
import MPaaSRPC
import MPaaSSupport

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

let words = CommandLine.arguments
guard words.count == 5, let first = Int(words[3]), let count = Int(words[4]) else {
  print("usage: RPCSubject QUEUE URL FIRST COUNT")
  exit(64)
}

/// Writes a line at once, for a reader who may kill this program right after.
@Sendable func say(_ line: String) {
  let bytes = Array((line + "\n").utf8)
  _ = write(STDOUT_FILENO, bytes, bytes.count)
}

var configuration = RPCConfiguration(gateway: words[2])
configuration.allowsCleartext = true
configuration.signs = false
configuration.retry = .none
configuration.breaker = nil
let client = RPCClient(configuration, userAgent: "RPCSubject")
let queue = try RPCQueue(words[1], client: client)
let sender = Task { () throws -> Bool in
  // Both at the same time, so that a kill may meet any step of either.
  while true {
    let summary = try await queue.run { waiting, _ in say("answered \(waiting.key)") }
    if let error = summary.error { say("failed \(error.code.id)") }
    if try queue.waiting().isEmpty { return true }
  }
}
let method = RPCMethod<RPCValue>("shop.order")
for number in first..<(first + count) {
  try queue.add(try method.call(number), key: "k\(number)")
  say("added \(number)")
}
_ = try await sender.value
try await queue.run()
say("done")
