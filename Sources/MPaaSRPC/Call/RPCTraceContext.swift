import MPaaSLock
import MPaaSRandom

/// The place of a call in a trace, which servers continue.
///
/// - Source: W3C Trace Context, level 1.
public struct RPCTraceContext: Sendable, Hashable {
  /// The trace: 32 hexadecimal digits, not all of them 0.
  public let traceID: String
  /// The span: 16 hexadecimal digits, not all of them 0.
  public let spanID: String
  /// True where the trace is recorded.
  public let isSampled: Bool
  /// The state that other systems keep in the trace; nil for none.
  public let state: String?

  /// The context of the task; calls within become its children.
  ///
  /// ```swift
  /// try await RPCTraceContext.$current.withValue(context) { try await client.call(method) }
  /// ```
  @TaskLocal public static var current: RPCTraceContext?

  /// Begins a trace.
  public init(isSampled: Bool = true) {
    self.init(traceID: Self.digits(2), isSampled: isSampled, state: nil)
  }

  private init(traceID: String, isSampled: Bool, state: String?) {
    self.traceID = traceID
    self.isSampled = isSampled
    self.state = state
    spanID = Self.digits(1)
  }

  /// Reads the field `traceparent`; nil for what is none.
  ///
  /// - Parameters:
  ///   - traceparent: `00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01`; later versions may have more behind.
  ///   - tracestate: The field `tracestate`; left out where it is longer than 512 characters.
  public init?(traceparent: String, tracestate: String? = nil) {
    let parts = traceparent.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count >= 4, Self.isHex(parts[0], 2), parts[0] != "ff", parts[0] != "00" || parts.count == 4,
      Self.isHex(parts[1], 32), parts[1].contains(where: { $0 != "0" }), Self.isHex(parts[2], 16),
      parts[2].contains(where: { $0 != "0" }), Self.isHex(parts[3], 2), let flags = UInt8(parts[3], radix: 16)
    else { return nil }
    traceID = String(parts[1])
    spanID = String(parts[2])
    isSampled = flags & 1 == 1
    state = tracestate.flatMap { $0.utf8.count <= 512 && !$0.isEmpty ? $0 : nil }
  }

  /// A span of its own in the same trace.
  public var child: RPCTraceContext { RPCTraceContext(traceID: traceID, isSampled: isSampled, state: state) }

  /// The value of the field `traceparent`.
  public var traceparent: String { "00-\(traceID)-\(spanID)-\(isSampled ? "01" : "00")" }

  private static func isHex(_ text: Substring, _ count: Int) -> Bool {
    text.utf8.count == count
      && text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || (0x61...0x66).contains($0) }
  }

  /// Chance for names, of which none is a secret: asking the system for each takes longer than signing a call.
  ///
  /// The two are seeded by the system, so that the names of two programs differ in all of their bits.
  private static let chance = Lock((SplitMix64(seed: nil), SplitMix64(seed: nil)))

  /// Sixteen random digits for each of one or two words, of which the last is not 0.
  private static func digits(_ words: Int) -> String {
    let (first, last) = chance.withLock { chance in
      var last = chance.1.next()
      while last == 0 { last = chance.1.next() }
      return (words > 1 ? chance.0.next() : 0, last)
    }
    var text: [UInt8] = []
    text.reserveCapacity(16 * words)
    if words > 1 { append(first, to: &text) }
    append(last, to: &text)
    return String(decoding: text, as: UTF8.self)
  }

  private static func append(_ word: UInt64, to text: inout [UInt8]) {
    for shift in stride(from: UInt64(60), through: 0, by: -4) {
      let digit = UInt8(truncatingIfNeeded: word >> shift & 15)
      text.append(digit < 10 ? 0x30 + digit : 0x57 + digit)
    }
  }
}
