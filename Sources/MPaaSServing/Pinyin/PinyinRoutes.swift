import MPaaSPinyin
import MPaaSSupport
import MPaaSTerminal
import MPaaSTransferTools
import PinyinServingKit

/// Routes of the requests of editors and scripts: searches, conversions, and health (Documentation/PinyinServe.md).
struct PinyinRoutes: Sendable {
  let service: PinyinService
  /// Names beside addresses and `localhost` that requests may call the server by.
  let hosts: Set<String>
  /// Web origins whose pages may read the answers.
  let origins: Set<String>
  /// The version that answers tell.
  let version: String
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
    case "/search": return Self.json(try service.search(request.arguments, path: request.path))
    case "/convert":
      let text: PinyinService.Text = request.method == "POST" ? .body(request.body) : .argument
      let lines = try service.convert(request.arguments, text, path: request.path)
      return HTTPAnswer(200, headers: [("Content-Type", "application/x-ndjson; charset=utf-8")], body: .bytes(lines))
    default: return Self.json(Array(try Terminal.json(health()).utf8))
    }
  }

  private static func json(_ text: [UInt8], status: Int = 200) -> HTTPAnswer {
    HTTPAnswer(
      status, headers: [("Content-Type", "application/json; charset=utf-8")],
      body: .bytes(text + [UInt8(ascii: "\n")]))
  }

  // MARK: Health

  private func health() -> ServedHealth {
    let records = service.records
    let generation = records?.generation
    return ServedHealth(
      status: records?.failure == nil ? "ok" : "outdated", version: version,
      generation: generation?.number,
      records: generation?.searched.index.count, data: records?.path, problem: records?.failure?.id.name)
  }

  // MARK: Refusing

  private func refusal(_ error: any Error) -> HTTPAnswer {
    let refusal = error as? Refusal
    let diagnostic =
      refusal?.diagnostic ?? (error as? any DiagnosticConvertible)?.diagnostic
      ?? Diagnostic("internal-fault", ["reason": "\(error)"], exit: .internalFault)
    let status = refusal?.status ?? Self.status(of: error)
    var answer = Self.json(Array(((try? diagnostic.json(catalogue)) ?? "{}").utf8), status: status)
    if status == 405 { answer.headers.append(("Allow", diagnostic.values["methods"] ?? "")) }
    return answer
  }

  private static func status(of error: any Error) -> Int {
    switch (error as? PinyinError)?.code {
    case .requestNoData: 404
    case .requestBody: 413
    default: error is any DiagnosticConvertible ? 400 : 500
    }
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

/// The health of a server of pinyin.
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
