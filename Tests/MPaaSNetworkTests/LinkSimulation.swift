import MPaaSNetwork
import NIOCore

/// A shaper and a clock that jumps from one event to the next.
struct LinkSimulation {
  var shaper: StreamShaper
  /// Milliseconds may be given; kept in nanoseconds.
  private(set) var now: Int64
  private(set) var next: NIODeadline?
  /// The pieces that came out, when, in nanoseconds.
  var emitted: [(time: Int64, emission: StreamShaper.Emission)] = []

  init(_ conditions: [Condition], seed: UInt64 = 1, shared: [Int: SharedBucket] = [:], start: Int64 = 1_000_000_000) {
    now = start
    shaper = StreamShaper(
      LinkPlan(conditions: conditions, seed: seed, shared: shared), at: .uptimeNanoseconds(UInt64(start)))
    advance()
  }

  var deadline: NIODeadline { .uptimeNanoseconds(UInt64(now)) }

  mutating func advance() {
    let time = now
    var out: [(Int64, StreamShaper.Emission)] = []
    next = shaper.advance(to: deadline) { out.append((time, $0)) }
    emitted += out.map { (time: $0.0, emission: $0.1) }
  }

  /// Looks at a time only, however much was due before.
  mutating func wake(at time: Int64) {
    now = max(now, time)
    advance()
  }

  /// Goes to what is due next, where something is.
  mutating func step() {
    if let next { wake(at: Int64(clamping: next.uptimeNanoseconds)) }
  }

  /// Lets time pass, with all that is due in it, up to a time.
  mutating func run(to end: Int64) {
    while let due = next, Int64(due.uptimeNanoseconds) <= end {
      now = max(now, Int64(due.uptimeNanoseconds))
      advance()
    }
    now = max(now, end)
  }

  mutating func run(for duration: Duration) { run(to: now + duration.inNanoseconds) }

  /// Lets time pass until nothing more is to come.
  mutating func runOut(within limit: Duration = .seconds(100_000)) { run(to: now + limit.inNanoseconds) }

  mutating func receive(_ bytes: [UInt8]) {
    shaper.receive(ByteBuffer(bytes: bytes), at: deadline)
    advance()
  }

  mutating func receive(_ text: String) { receive(Array(text.utf8)) }

  mutating func end() {
    shaper.end(at: deadline)
    advance()
  }

  mutating func change(_ conditions: [Condition], seed: UInt64 = 1, shared: [Int: SharedBucket] = [:]) {
    shaper.change(to: LinkPlan(conditions: conditions, seed: seed, shared: shared), at: deadline)
    advance()
  }

  mutating func delayAll(by duration: Duration) {
    shaper.delayAll(by: duration, at: deadline)
    advance()
  }

  /// All bytes that came out.
  var bytes: [UInt8] {
    emitted.reduce(into: []) { if case .bytes(let buffer) = $1.emission { $0 += buffer.readableBytesView } }
  }

  /// The pieces that came out, in words, each with its milliseconds since the first second.
  var story: [String] {
    emitted.map { time, emission in
      let milliseconds = (time - 1_000_000_000) / 1_000_000
      switch emission {
      case .bytes(let buffer): return "\(milliseconds) \(String(buffer: buffer))"
      case .end: return "\(milliseconds) end"
      case .close: return "\(milliseconds) close"
      case .reset: return "\(milliseconds) reset"
      }
    }
  }
}
