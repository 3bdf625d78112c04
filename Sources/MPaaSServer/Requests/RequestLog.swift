import MPaaSSupport

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Lines about requests, a JSON object each: no address, no name of a user, and of paths the form that routes have.
final class RequestLog: Sendable {
  private let write: @Sendable (String) -> Void
  private let now: @Sendable () -> Double

  /// - Parameter write: Takes a line with its end.
  init(now: @escaping @Sendable () -> Double, write: @escaping @Sendable (String) -> Void) {
    (self.now, self.write) = (now, write)
  }

  /// - Parameter file: The path of the file that lines are written to; `-` is standard error.
  /// - Throws: `FileError`.
  convenience init(_ file: String, now: @escaping @Sendable () -> Double) throws {
    let output =
      file == "-" ? OpenFile(descriptor: dup(2), path: "standard error") : try OpenFile(file, .appending(0o600))
    // One write a line, which the system puts behind all others.
    self.init(now: now) { line in try? output.append(Array(line.utf8)) }
  }

  /// One request with its answer.
  struct Line: Sendable {
    var trace: TraceContext
    var method: String
    /// The path of the route; `-` for none.
    var route: String
    var status: Int
    var duration: Duration
    /// The word of a refusal.
    var code: String?
  }

  func put(_ line: Line) {
    var object: JSONValue.Object = [
      "time": JSONValue((now() * 1000).rounded() / 1000) ?? .null,
      "level": line.status >= 500 ? "error" : "info", "message": "request",
      "request_id": .string(line.trace.request), "trace_id": .string(line.trace.trace),
      "span_id": .string(line.trace.span), "method": .string(line.method), "route": .string(line.route),
      "status": JSONValue(line.status),
      "duration_ms": JSONValue(((line.duration / .milliseconds(1)) * 1000).rounded() / 1000) ?? .null,
    ]
    if let parent = line.trace.parent { object["parent_id"] = .string(parent) }
    if let code = line.code { object["code"] = .string(code) }
    write(JSONValue.object(object).line + "\n")
  }
}

/// The names by which a request is found in logs, here and elsewhere.
///
/// - Source: "Trace Context", w3.org/TR/trace-context.
struct TraceContext: Sendable, Equatable {
  /// Of the request: what the client called it, else the span.
  var request: String
  /// 32 hexadecimal digits, of all that one act sets off.
  var trace: String
  /// 16 hexadecimal digits, of what this server does.
  var span: String
  /// The span that asked.
  var parent: String?

  private static let longest = 64

  /// - Parameters:
  ///   - traceparent: The field of that name.
  ///   - request: The field `X-Request-Id`; one that is long or has other signs than those of names counts as none.
  init(traceparent: String?, request: String?) {
    span = Access.randomBytes(8).hexadecimal
    let known = traceparent.flatMap(Self.parts)
    trace = known?.trace ?? Access.randomBytes(16).hexadecimal
    parent = known?.parent
    let isName = request.map { text in
      (1...Self.longest).contains(text.utf8.count)
        && text.utf8.allSatisfy { PercentEncoding.isAlphanumeric($0) || $0 == 0x2d || $0 == 0x5f || $0 == 0x2e }
    }
    self.request = isName ?? false ? request ?? span : span
  }

  /// The parts of `00-TRACE-PARENT-FLAGS`; later versions may have more of them.
  private static func parts(_ text: String) -> (trace: String, parent: String)? {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 4 || parts.count > 4 && parts[0] != "00", parts[0].utf8.count == 2, parts[0] != "ff" else {
      return nil
    }
    let sizes = zip(parts, [2, 32, 16, 2])
    guard sizes.allSatisfy({ $0.utf8.count == $1 && $0.utf8.allSatisfy(isDigit) }) else { return nil }
    let (trace, parent) = (String(parts[1]), String(parts[2]))
    guard [trace, parent].allSatisfy({ $0.utf8.contains { $0 != 0x30 } }) else { return nil }
    return (trace, parent)
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte) }
}
