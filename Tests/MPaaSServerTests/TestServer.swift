import Foundation
import MPaaSDatabase
import MPaaSDatabaseTestSupport
import MPaaSObjectStoreTestSupport
import MPaaSProtocol
import MPaaSSupport
import MPaaSTestSupport
import Synchronization
import Testing

@testable import MPaaSServer

/// A server of this process on a free port of 127.0.0.1, with a data folder of its own.
final class TestServer: Sendable {
  /// The seconds that a connection may be idle: a busy machine may let minutes pass between connecting and asking.
  static let patience = 600

  let run: ServerRun
  let folder: TemporaryFolder
  /// A token that may do everything: the start's, or another where a start told one already.
  let token: String
  private let kept = Mutex<[any Sendable]>([])

  /// - Parameters:
  ///   - folder: One that another server had before it, to begin again with.
  ///   - isTidied: False where the test tidies, and nothing else may do so meanwhile.
  ///   - uptime: What requests are slowed by; nil for a clock that goes.
  ///   - environment: The key of a bucket; nil for that of the tests.
  ///   - patience: Seconds for which a bucket that is away is waited for.
  ///   - configure: Changes the configuration.
  init(
    in folder: TemporaryFolder? = nil, time: Time? = nil, isTidied: Bool = true,
    uptime: Time? = nil, environment: [String: String]? = nil, patience: Double = 30,
    _ configure: (inout ServerConfiguration) -> Void = { _ in }
  ) async throws {
    self.folder = try folder ?? TemporaryFolder()
    var configuration = ServerConfiguration(data: self.folder.path + "/data", listen: "127.0.0.1:0")
    configuration.limits.idle = Self.patience
    configure(&configuration)
    try configuration.takeTestDatabase(self.folder)
    configuration.takeTestBlobs()
    let running = ServerServices.uptime()
    run = try await ServerRun(
      configuration, now: { time?.now ?? Date().timeIntervalSince1970 }, uptime: { uptime?.now ?? running() },
      tidyingEvery: isTidied ? .seconds(5) : nil, environment: environment ?? BucketDouble.environment,
      patience: patience)
    if let first = run.ready.token {
      token = first
      // For servers that go on with the folder.
      try Data(first.utf8).write(to: self.folder.url.appending(path: "token"))
    } else {
      token = try await run.services.access.issue(
        "again", Set(Scope.allCases), lifetime: 1e6, mayStayInMemory: true
      ).token
    }
  }

  /// Keeps a folder, or else what ends with its owner, for as long as the server.
  func keep(_ owned: any Sendable) { kept.withLock { $0.append(owned) } }

  var services: ServerServices { run.services }
  var port: UInt16 { UInt16(run.ready.url.split(separator: ":").last ?? "") ?? 0 }

  /// Sends one request on a connection of its own, with the start's token unless `headers` has another.
  func send(
    _ method: String, _ path: String, _ headers: [String: String] = [:], body: [UInt8]? = nil
  ) async throws -> TestAnswer {
    var all = headers
    if all["Authorization"] == nil { all["Authorization"] = "Bearer \(token)" }
    if all["Authorization"] == "" { all["Authorization"] = nil }
    if let body, all["Transfer-Encoding"] == nil, all["Content-Length"] == nil {
      all["Content-Length"] = "\(body.count)"
    }
    let head =
      "\(method) \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nConnection: close\r\n"
      + all.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)\r\n" }.joined() + "\r\n"
    let connection = try TestConnection(port)
    return try await connection.exchange(Array(head.utf8) + (body ?? []), isHead: method == "HEAD")
  }

  func end() async { await run.end() }

  /// The number of requests that write to uploads now.
  var writers: Int {
    for routes in run.routes { if let routes = routes as? UploadRoutes { return routes.uploads.claims.count } }
    return 0
  }
}

extension Trait where Self == ConditionTrait {
  /// Skips tests that look into the file of SQLite, or do what SQLite alone takes, while others run over PostgreSQL.
  static var inFile: Self {
    .enabled(if: ProcessInfo.processInfo.environment["MPAAS_TEST_DATABASE"] == nil, "the database is no file")
  }
}

extension SQLDatabase {
  /// The names of all tables; of those with a column of this name where one is given.
  func tables(withColumn column: String? = nil) throws -> [String] {
    let names = try rows(
      isRemote
        ? """
        SELECT DISTINCT table_name FROM information_schema.columns
        WHERE table_schema = current_schema() AND column_name = coalesce(?1, column_name) ORDER BY 1
        """
        : """
        SELECT DISTINCT m.name FROM sqlite_schema m JOIN pragma_table_info(m.name) c ON c.name = coalesce(?1, c.name)
        WHERE m.type = 'table' ORDER BY 1
        """,
      [column.map { .text($0) } ?? .null]
    ) { $0.text(0) }
    return names
  }
}

extension ServerConfiguration {
  /// Takes a database of PostgreSQL where `MPAAS_TEST_DATABASE=postgres` asks for it: a fresh one for each folder.
  mutating func takeTestDatabase(_ folder: TemporaryFolder) throws {
    guard database == nil, ProcessInfo.processInfo.environment["MPAAS_TEST_DATABASE"] == "postgres",
      let server = PostgresServer.shared
    else { return }
    let file = folder.path + "/database"
    if let known = try? String(contentsOfFile: file, encoding: .utf8) {
      database = known
    } else {
      let made = try server.database()
      try Data(made.utf8).write(to: URL(filePath: file))
      database = made
    }
  }
}

/// The answer to a request; names of headers in lower case.
struct TestAnswer: Sendable {
  var status = 0
  var headers: [String: String] = [:]
  var body: [UInt8] = []
  /// The statuses and headers of informational answers before it.
  var before: [(status: Int, headers: [String: String])] = []

  var text: String { String(decoding: body, as: UTF8.self) }
  var json: [String: Any] { (try? JSONSerialization.jsonObject(with: Data(body))) as? [String: Any] ?? [:] }
}

/// A plain connection; what blocks is done on threads that tasks do not wait for.
final class TestConnection: Sendable {
  let descriptor: Int32

  init(_ port: UInt16) throws { descriptor = try LoopbackClient.connect(port) }

  deinit { Foundation.close(descriptor) }

  /// Ends the connection without a word, as one that is cut.
  func cut() { shutdown(descriptor, Int32(SHUT_RDWR)) }

  static func elsewhere<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      // Not a queue's thread: those are few, and the server under test works on them too.
      DetachedThread.run { continuation.resume(with: Result { try body() }) }
    }
  }

  /// Sends bytes; says whether all went out.
  @discardableResult
  func write(_ bytes: [UInt8]) async throws -> Bool {
    try await Self.elsewhere { [descriptor] in
      var rest = bytes[...]
      while !rest.isEmpty {
        let count = rest.withUnsafeBytes { Foundation.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { return false }
        rest = rest.dropFirst(count)
      }
      return true
    }
  }

  /// Reads at most so many bytes; how many came, 0 at the end.
  func some(_ most: Int) async throws -> Int {
    try await Self.elsewhere { [descriptor] in
      var piece = [UInt8](repeating: 0, count: most)
      while true {
        let count = read(descriptor, &piece, most)
        if count < 0, errno == EINTR { continue }
        return max(count, 0)
      }
    }
  }

  /// Sends bytes and reads the answer; an empty one where the connection ends first.
  func exchange(_ bytes: [UInt8], isHead: Bool = false) async throws -> TestAnswer {
    // A server that refuses a body answers before all of it is there.
    async let sent = write(bytes)
    let answer = try await answer(isHead: isHead)
    if answer.status != 0 || answer.body.isEmpty { cut() }
    _ = try await sent
    return answer
  }

  /// Reads the next answer to its end.
  func answer(isHead: Bool = false) async throws -> TestAnswer {
    try await Self.elsewhere { [descriptor] in
      var answer = TestAnswer()
      while true {
        var head: [UInt8] = []
        var one: UInt8 = 0
        while !head.suffix(4).elementsEqual([13, 10, 13, 10]) {
          let count = read(descriptor, &one, 1)
          // A signal that another test sends ends nothing here.
          if count < 0, errno == EINTR { continue }
          guard count == 1 else { return TestAnswer() }
          head.append(one)
        }
        let lines = String(decoding: head, as: UTF8.self).components(separatedBy: "\r\n")
        answer.status = lines.first.flatMap { Int($0.split(separator: " ").dropFirst().first ?? "") } ?? 0
        answer.headers = [:]
        for line in lines.dropFirst() {
          guard let colon = line.firstIndex(of: ":") else { continue }
          let value = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
          answer.headers[line[..<colon].lowercased()] = value
        }
        if answer.status >= 200 { break }
        answer.before.append((answer.status, answer.headers))
      }
      if isHead { return answer }
      let length = answer.headers["content-length"].flatMap(Int.init)
      var piece = [UInt8](repeating: 0, count: 1 << 16)
      while length.map({ answer.body.count < $0 }) ?? (answer.headers["transfer-encoding"] != nil) {
        // No byte of the next answer.
        let count = read(descriptor, &piece, min(length.map { $0 - answer.body.count } ?? .max, piece.count))
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { break }
        answer.body += piece.prefix(count)
        if length == nil, answer.body.suffix(5).elementsEqual(Array("0\r\n\r\n".utf8)) { break }
      }
      return answer
    }
  }
}
