import CommandKit
import MPaaSPinyin
import MPaaSSupport
import MPaaSTerminal
import MPaaSTransfer

/// Answers the requests of editors and scripts: searches, conversions, and how it is (Documentation/PinyinServe.md).
struct PinyinService: Sendable {
  /// Bytes of a text that is converted at once.
  static let bodyLimit = 16 << 20

  /// Nil where only conversion is served.
  let records: ServedRecords?
  /// Names beside addresses and `localhost` that requests may call the server by.
  let hosts: Set<String>
  /// Web origins whose pages may read the answers.
  let origins: Set<String>
  let catalogue: Catalogue

  /// A path, and the methods that it takes.
  private static let methods = [
    "/search": ["GET", "HEAD"], "/convert": ["GET", "HEAD", "POST"], "/health": ["GET", "HEAD"],
  ]

  func answer(_ request: ServedRequest) -> HTTPAnswer {
    var answer: HTTPAnswer
    do {
      answer = try checked(request)
    } catch {
      answer = refusal(error)
    }
    answer.headers += [("Cache-Control", "no-store"), ("X-Content-Type-Options", "nosniff")]
    if let origin = request.header("Origin"), origins.contains(origin) {
      answer.headers += [("Access-Control-Allow-Origin", origin), ("Vary", "Origin")]
    }
    return answer
  }

  private func checked(_ request: ServedRequest) throws -> HTTPAnswer {
    guard ServedHost.isAllowed(request.header("Host"), names: hosts) else {
      throw Refusal(403, "pinyin-serve-host", ["host": request.header("Host") ?? ""])
    }
    guard let methods = Self.methods[request.path] else {
      throw Refusal(404, "pinyin-serve-path", ["path": request.path])
    }
    guard methods.contains(request.method) else {
      throw Refusal(405, "pinyin-serve-method", ["path": request.path, "methods": methods.joined(separator: ", ")])
    }
    switch request.path {
    case "/search": return try search(request)
    case "/convert": return try convert(request)
    default: return Self.json(try Terminal.json(health()))
    }
  }

  static func json(_ text: String, status: Int = 200) -> HTTPAnswer {
    HTTPAnswer(
      status, headers: [("Content-Type", "application/json; charset=utf-8")], body: .bytes(Array((text + "\n").utf8)))
  }

  // MARK: Searching

  private func search(_ request: ServedRequest) throws -> HTTPAnswer {
    guard let generation = records?.generation else { throw Refusal(404, "pinyin-serve-no-data") }
    let arguments = try ServedArguments(request, known: ServedArguments.search)
    let query = PinyinQuery(try arguments.required("q"), options: try arguments.searchOptions())
    let limit = try arguments.limit()
    let searched = generation.searched
    let line = searched.json(of: searched.answer(query, limit: limit))
    // The same object with one more member, in front of the others.
    return Self.json(
      "{\"generation\":\(generation.number)," + String(decoding: line.dropFirst().dropLast(), as: UTF8.self))
  }

  // MARK: Converting

  private func convert(_ request: ServedRequest) throws -> HTTPAnswer {
    let isPost = request.method == "POST"
    let arguments = try ServedArguments(request, known: ServedArguments.convert + (isPost ? [] : ["text"]))
    let text = isPost ? request.body : Array(try arguments.required("text").utf8)
    guard let text else { throw Refusal(413, "pinyin-serve-body", ["limit": "\(Self.bodyLimit)"]) }
    var stream = PinyinLineStream(try arguments.pinyinOptions(), isLossy: try arguments.flag("lossy"))
    var bytes: [UInt8] = []
    let keep: (UnsafeRawBufferPointer) -> Void = { bytes += $0 }
    try text.withUnsafeBytes { try stream.feed($0, keep) }
    try stream.finish(keep)
    return HTTPAnswer(200, headers: [("Content-Type", "application/x-ndjson; charset=utf-8")], body: .bytes(bytes))
  }

  // MARK: Health

  private func health() -> ServedHealth {
    let generation = records?.generation
    return ServedHealth(
      status: records?.failure == nil ? "ok" : "outdated", version: KitVersion.current.version,
      generation: generation?.number,
      records: generation?.searched.index.count, data: records?.path, problem: records?.failure?.id.name)
  }

  // MARK: Refusing

  private func refusal(_ error: any Error) -> HTTPAnswer {
    let refusal = error as? Refusal
    let diagnostic =
      refusal?.diagnostic ?? (error as? any DiagnosticConvertible)?.diagnostic
      ?? Diagnostic("internal-fault", ["reason": "\(error)"], exit: .internalFault)
    let status = refusal?.status ?? (error is any DiagnosticConvertible ? 400 : 500)
    var answer = Self.json((try? diagnostic.json(catalogue)) ?? "{}", status: status)
    if status == 405 { answer.headers.append(("Allow", diagnostic.values["methods"] ?? "")) }
    return answer
  }
}

/// A request that is not answered, and the status that says so.
struct Refusal: Error {
  let status: Int
  let diagnostic: Diagnostic

  init(_ status: Int, _ id: DiagnosticID, _ values: [String: String] = [:]) {
    self.status = status
    diagnostic = Diagnostic(id, values, exit: .usage)
  }
}

/// How a server of pinyin is.
struct ServedHealth: Encodable {
  /// `ok`, or `outdated` where the file could not be read again and what was read before is served.
  let status: String
  let version: String
  let generation: Int?
  let records: Int?
  let data: String?
  /// The code of the diagnostic.
  let problem: String?
}
