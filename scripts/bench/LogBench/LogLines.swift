import MPaaSLogs

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Lines as apps log them, the same each time: 108 bytes on average.
struct LogLines: Sendable {
  private let entries: [LogEntry]

  init(_ count: Int) {
    var random = SplitMix(state: 42)
    entries = (0..<count).map { Self.line($0, &random) }
  }

  private static func line(_ index: Int, _ random: inout SplitMix) -> LogEntry {
    func number(_ limit: UInt64) -> String { String(random.next() % limit) }
    func word(_ words: [String]) -> String { words[Int(random.next() % UInt64(words.count))] }
    func hex(_ digits: Int) -> String {
      let text = String(random.next(), radix: 16)
      return String((String(repeating: "0", count: 16) + text).suffix(digits))
    }
    let path = word(["/v2/cart/items", "/v2/orders", "/v1/user/profile", "/v3/search", "/v2/pay/prepare"])
    switch random.next() % 8 {
    case 0, 1, 2:
      return LogEntry(
        .info, "Network",
        "\(word(["GET", "GET", "POST"])) https://api.example.com\(path)?page=\(number(40)) status=\(word(["200", "200", "200", "304", "502"])) bytes=\(number(40_000)) time=\(number(900))ms id=\(hex(8))"
      )
    case 3:
      return LogEntry(
        .debug, "Cache",
        "hit key=\(word(["image", "feed", "profile", "config"])):\(number(100_000)) age=\(number(600))s entries=\(number(5000)) size=\(number(64))MB evicted=\(number(9)) in segment \(number(16)) of store main"
      )
    case 4:
      return LogEntry(
        .info, "Lifecycle",
        "view controller \(word(["Home", "Cart", "Order", "Pay", "Search"]))ViewController did appear after \(number(400)) ms, memory \(number(300)) MB, depth \(number(6)), restored=false"
      )
    case 5:
      return LogEntry(
        .warning, "Database",
        "slow query \(number(2000))ms: SELECT * FROM messages WHERE conversation=\(number(9000)) ORDER BY sent_at DESC LIMIT \(number(100))"
      )
    case 6:
      return LogEntry(
        .error, "Payment",
        "order \(number(100_000_000)) refused by gateway: code=\(word(["E1021", "E2001", "E4403"])) trace=\(hex(12)) retry in \(number(60)) s, amount=\(number(100_000)) CNY"
      )
    default:
      return LogEntry(
        .info, "Location",
        "fix accuracy=\(number(60))m speed=\(number(30))m/s course=\(number(360)) satellites=\(number(16)) source=\(word(["gps", "wifi", "cell"])) significant=\(word(["true", "false"])) age=\(number(5000))ms"
      )
    }
  }

  /// The lines as text: `LEVEL<tab>TAG<tab>MESSAGE`, the level as a digit from 1 (debug) to 4 (error).
  var text: String {
    var text = ""
    for entry in entries {
      let level =
        switch entry.level {
        case .debug: 1
        case .info: 2
        case .warning: 3
        default: 4
        }
      text += "\(level)\t\(entry.tag)\t\(entry.message)\n"
    }
    return text
  }

  /// Bytes of the messages of so many records.
  func bytes(records: Int) -> Int {
    let all = entries.reduce(0) { $0 + $1.message.utf8.count }
    let rest = entries.prefix(records % entries.count).reduce(0) { $0 + $1.message.utf8.count }
    return records / entries.count * all + rest
  }

  /// Appends `count` records from each of so many threads, and returns when all have.
  func write(to sink: some LogSink, count: Int, threads: Int) {
    guard threads > 1 else { return write(to: sink, count: count) }
    let work = { @Sendable in write(to: sink, count: count) }
    var running: [pthread_t] = []
    for _ in 0..<threads {
      let box = Unmanaged.passRetained(Box(work))
      #if canImport(Darwin)
        var thread: pthread_t?
        pthread_create(&thread, nil, { Unmanaged<Box>.fromOpaque($0).takeRetainedValue().run() }, box.toOpaque())
        if let thread { running.append(thread) }
      #else
        var thread = pthread_t()
        pthread_create(
          &thread, nil, { $0.flatMap { Unmanaged<Box>.fromOpaque($0).takeRetainedValue().run() } }, box.toOpaque())
        running.append(thread)
      #endif
    }
    for thread in running { pthread_join(thread, nil) }
  }

  private func write(to sink: some LogSink, count: Int) {
    var index = 0
    for _ in 0..<count {
      sink.append(entries[index])
      index += 1
      if index == entries.count { index = 0 }
    }
  }

  private final class Box {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    func run() -> UnsafeMutableRawPointer? {
      body()
      return nil
    }
  }
}

/// SplitMix64, so that all runs write the same.
struct SplitMix {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ mixed >> 27) &* 0x94d0_49bb_1331_11eb
    return mixed ^ mixed >> 31
  }
}

/// Time by the clock, and processor time of all threads, in seconds.
struct Usage {
  let wall: Double
  let processor: Double

  static var now: Usage {
    Usage(wall: seconds(CLOCK_MONOTONIC), processor: seconds(CLOCK_PROCESS_CPUTIME_ID))
  }

  private static func seconds(_ clock: clockid_t) -> Double {
    var time = timespec()
    clock_gettime(clock, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
