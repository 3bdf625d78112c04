// Times an upload as an app does it: TransferBench URL FILE [METHOD [CHUNK-MiB]] prints seconds, GB/s and peak memory.
import MPaaSSupport
import MPaaSTransfer

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Most memory that the process had, in MB.
func peak() -> Int {
  var usage = rusage()
  #if canImport(Glibc)
    getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
  #else
    getrusage(RUSAGE_SELF, &usage)
  #endif
  #if canImport(Darwin)
    return usage.ru_maxrss >> 20
  #else
    return usage.ru_maxrss >> 10
  #endif
}

let words = CommandLine.arguments
guard words.count >= 3, let method = Transfer.Method(rawValue: words.count > 3 ? words[3] : "tus") else {
  print("usage: TransferBench URL FILE [METHOD [CHUNK-MiB]]")
  exit(64)
}
var transfer = Transfer(method, words[1], file: words[2])
if words.count > 4 { transfer.chunk = Int64(words[4]).map { $0 << 20 } }
var options = TransferOptions()
let token = getenv("MPAAS_TOKEN").map { String(cString: $0) }
options.headers = { _ in token.map { ["Authorization": "Bearer \($0)"] } ?? [:] }
let queue = try TransferQueue(words[2] + ".queue", options: options)
let start = ContinuousClock.now
let id = try queue.add(transfer)
try await queue.run()
let took = (ContinuousClock.now - start) / .seconds(1)
let record = try queue.record(id)
let rate = Double(record?.size ?? 0) / took / 1e9
print(record?.state.rawValue ?? "?", record?.error ?? "-", "\(took) s", "\(rate) GB/s", "\(peak()) MB")
exit(record?.state == .done ? 0 : 1)
