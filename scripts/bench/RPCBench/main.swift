// Times calls above their transport: all that a client does but the network.
//
//   RPCBench [ROUNDS]
import MPaaSFramework
import MPaaSRPC
import MPaaSSigning
import MPaaSSupport

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

struct Item: Codable, Sendable {
  let sku: String
  let price: RPCDecimal
  let count: Int
}

struct Order: Codable, Sendable {
  let id: Int
  let total: RPCDecimal
  let items: [Item]
}

/// Microseconds of this process on all processors.
nonisolated func processorTime() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
  return Double(time.tv_sec) * 1e6 + Double(time.tv_nsec) / 1e3
}

nonisolated let rounds = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 20_000
nonisolated let answer = RPCTransport.Response(
  status: 200, headers: ["result-status": "1000", "content-type": "application/json"],
  body: Array(
    #"{"id":7,"total":9.45,"items":[{"sku":"A-1","price":4.95,"count":1},{"sku":"B-2","price":4.50,"count":1}]}"#.utf8))
nonisolated let echo = RPCTransport { _ throws(RPCError) in answer }
nonisolated let item = Item(sku: "A-1", price: RPCDecimal("4.95") ?? 0, count: 1)

nonisolated func client(signed: Bool, full: Bool, hedged: Bool = true) throws -> RPCClient {
  var configuration = RPCConfiguration(gateway: "https://gw.example.com/mgw.htm")
  configuration.signs = signed
  configuration.headers = ["AppId": "SHOP_IOS", "WorkspaceId": "default", "Version": "1.4.2"]
  if full, hedged { configuration.hedge = RPCHedgePolicy() }
  var parts = RPCClient.Parts(transport: echo)
  if signed {
    parts.signer = RPCKeySigner(try RequestSigner(.hmacSHA256, key: try RequestKey(secret: "secret")))
  }
  if full {
    let metrics = RPCMetrics()
    parts.observers = [metrics.observe]
    parts.middleware = [
      RPCSessionMiddleware(session: { RPCSession(userID: "42", sessionID: "s") }),
      RPCErrorMiddleware(language: { .english }, show: { _, _ in }),
    ]
  }
  return RPCClient(configuration, parts: parts)
}

/// The least processor time of a call in several runs.
nonisolated func measure(_ name: String, _ body: () async throws -> Void) async throws {
  for _ in 0..<(rounds / 10) { try await body() }
  var least = Double.infinity
  for _ in 0..<5 {
    let begin = processorTime()
    for _ in 0..<(rounds / 5) { try await body() }
    least = min(least, (processorTime() - begin) / Double(rounds / 5))
  }
  print("\(name): \((least * 100).rounded() / 100) µs a call")
}

/// Apart from the main actor, whose hops would be counted with each call.
enum Calls {
  static func measureAll() async throws {
    let change = RPCMethod<Order>("shop.order.create")
    let read = RPCMethod<Order>("shop.order.read", effect: .reads)
    let bare = try client(signed: false, full: false)
    let signed = try client(signed: true, full: false)
    let full = try client(signed: true, full: true)
    let layered = try client(signed: true, full: true, hedged: false)
    let call = try change.call(item, 3)
    try await measure("signed, without reading the result") { _ = try await signed.send(call) }
    try await measure("unsigned, typed") { _ = try await bare.call(change, item, 3) }
    try await measure("signed, typed") { _ = try await signed.call(change, item, 3) }
    try await measure("signed, typed, two layers, metrics") { _ = try await layered.call(change, item, 3) }
    try await measure("a read that equal ones may join") { _ = try await layered.call(read, item, 3) }
    try await measure("a read with hedging, and a timer for it") { _ = try await full.call(read, item, 3) }
  }
}

try await Task.detached { try await Calls.measureAll() }.value
