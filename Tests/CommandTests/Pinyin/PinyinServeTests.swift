import Foundation
import MPaaSTestSupport
import Testing

/// An answer of a server, as its bytes came.
struct RawAnswer {
  let status: Int
  let head: String
  let body: String
  /// The body, whether it is a text or not.
  let bytes: [UInt8]

  /// The JSON object of the body.
  func object() throws -> [String: Any] { try json(body) }
  /// The code of the error that the body tells.
  var code: String? { ((try? object())?["error"] as? [String: Any])?["code"] as? String }

  /// Sends bytes to a port of this machine, and reads until the other side closes.
  static func exchange(_ port: UInt16, _ bytes: [UInt8]) throws -> RawAnswer {
    let connection = try LoopbackClient.connect(port)
    defer { close(connection) }
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      guard count > 0 else { break }
      rest = rest.dropFirst(count)
    }
    var answer: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = read(connection, &buffer, buffer.count)
      guard count > 0 else { break }
      answer += buffer[..<count]
    }
    let text = String(decoding: answer, as: UTF8.self)
    let parts = text.components(separatedBy: "\r\n\r\n")
    return RawAnswer(
      status: Int(text.split(separator: " ").dropFirst().first ?? "") ?? 0, head: parts[0],
      body: parts.dropFirst().joined(separator: "\r\n\r\n"),
      bytes: Array(answer.dropFirst((answer.firstRange(of: "\r\n\r\n".utf8)?.upperBound ?? answer.count))))
  }
}

@Suite("mpaas pinyin serve") struct PinyinServeTests {
  let home: TemporaryFolder
  let data: String

  init() throws {
    home = try TemporaryFolder()
    data = home.path + "/contacts.txt"
    try write(["张三", "李小龙", "Tom张", "西安", "先"])
  }

  private func write(_ lines: [String]) throws {
    try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: URL(filePath: data), options: .atomic)
  }

  private func serve(_ arguments: String...) throws -> (program: RunningProgram, port: UInt16) {
    let program = try RunningProgram(
      Command.mpaas.path,
      ["pinyin", "serve", "--listen", "127.0.0.1:0", "--json"] + arguments,
      environment: ["MPAAS_HOME": home.path, "LC_ALL": "C", "MPAAS_LANG": ""])
    let url = try #require(try json(program.line)["url"] as? String)
    return (program, try #require(UInt16(url.split(separator: ":").last ?? "")))
  }

  private func get(
    _ port: UInt16, _ target: String, host: String = "127.0.0.1", headers: [String] = [], method: String = "GET",
    body: [UInt8] = []
  ) throws -> RawAnswer {
    let head = ["\(method) \(target) HTTP/1.1", "Host: \(host)", "Connection: close", "Content-Length: \(body.count)"]
    return try RawAnswer.exchange(port, Array(((head + headers).joined(separator: "\r\n") + "\r\n\r\n").utf8) + body)
  }

  private func indexes(_ answer: RawAnswer) throws -> [Int] {
    try #require(try answer.object()["hits"] as? [[String: Any]]).compactMap { $0["index"] as? Int }
  }

  @Test(
    "says where it serves and how much it searches, and ends well when it is told to", arguments: [SIGINT, SIGTERM])
  func life(_ signal: Int32) throws {
    let (program, port) = try serve("--data", data)
    #expect(try json(program.line)["records"] as? Int == 5)
    let health = try get(port, "/health")
    #expect(health.status == 200)
    #expect(try health.object()["status"] as? String == "ok")
    #expect(try health.object()["records"] as? Int == 5)
    #expect(program.end(signal) == 0)
  }

  @Test("answers a search as the command prints it")
  func search() throws {
    let (program, port) = try serve("--data", data)
    let answer = try get(port, "/search?q=zhs")
    #expect(answer.status == 200)
    #expect(answer.head.contains("Content-Type: application/json"))
    #expect(try answer.object()["generation"] as? Int == 1)
    for (query, arguments) in [
      ("zhs", ""), ("xian", "&limit=1"), ("%E5%BC%A0s", ""), ("xi'an", ""), ("zang", "&fuzzy=z-zh"),
    ] {
      let plain = try #require(query.removingPercentEncoding)
      var words = ["pinyin", "search", "--data", data, "--json", plain]
      if arguments.hasPrefix("&limit") { words += ["--limit", "1"] }
      if arguments.hasPrefix("&fuzzy") { words += ["--sounds", "z-zh"] }
      let printed = try json(Command.run("mpaas", words, environment: ["MPAAS_HOME": home.path, "LC_ALL": "C"]).output)
      var served = try get(port, "/search?q=\(query)\(arguments)").object()
      served["generation"] = nil
      #expect(NSDictionary(dictionary: served) == NSDictionary(dictionary: printed), "\(query)")
    }
    #expect(try indexes(get(port, "/search?q=")).isEmpty)
    _ = program
  }

  @Test("converts the text of a query and of a body as the command does")
  func convert() throws {
    let (program, port) = try serve()
    let text = try #require("重庆\n银行行长 😀".addingPercentEncoding(withAllowedCharacters: .alphanumerics))
    let command = try Command.run(
      "mpaas", ["pinyin", "convert", "--style", "digits", "--json"], input: "重庆\n银行行长 😀",
      environment: ["MPAAS_HOME": home.path, "LC_ALL": "C"])
    #expect(try get(port, "/convert?text=\(text)&style=digits").body == command.output)
    let posted = try get(port, "/convert?style=digits", method: "POST", body: Array("重庆\n银行行长 😀".utf8))
    #expect(posted.status == 200)
    #expect(posted.body == command.output)
    let large = Array(String(repeating: "长大成长。", count: 20_000).utf8)
    #expect(try get(port, "/convert", method: "POST", body: large).body.utf8.count > large.count)
    #expect(try get(port, "/search?q=a").code == "pinyin-serve-no-data")
    _ = program
  }

  @Test("many ask at once while the file changes, and each answer is of one generation")
  func concurrency() async throws {
    func generation(_ number: Int) -> [String] { (0..<40).map { "张三\(number)x\($0)" } }
    try write(generation(1))
    let (program, port) = try serve("--data", data)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<8 {
        group.addTask {
          for _ in 0..<10 {
            let hits = try #require(try get(port, "/search?q=zhangsan&limit=all").object()["hits"] as? [[String: Any]])
            let texts = hits.compactMap { $0["text"] as? String }
            #expect(texts.count == 40)
            #expect(Set(texts.map { $0.split(separator: "x")[0] }).count == 1)
          }
        }
      }
      for number in 2...5 {
        try write(generation(number))
        kill(program.process.processIdentifier, SIGHUP)
        try await Task.sleep(for: .milliseconds(20))
      }
      try await group.waitForAll()
    }
    #expect(program.end(SIGTERM) == 0)
  }

  @Test("reads the file again at SIGHUP and where it changed; one that cannot be read leaves what was there")
  func reload() throws {
    let (program, port) = try serve("--data", data)
    #expect(try indexes(get(port, "/search?q=wangwu")).isEmpty)
    try write(["王五"])
    try eventually { try indexes(get(port, "/search?q=wangwu")) == [0] }
    let before = try #require(try get(port, "/health").object()["generation"] as? Int)
    kill(program.process.processIdentifier, SIGHUP)
    try eventually { (try get(port, "/health").object()["generation"] as? Int ?? 0) > before }
    try Data([0x61, 0xff]).write(to: URL(filePath: data), options: .atomic)
    try eventually { try get(port, "/health").object()["status"] as? String == "outdated" }
    #expect(try get(port, "/health").object()["problem"] as? String == "pinyin-records-not-utf8")
    #expect(try indexes(get(port, "/search?q=wangwu")) == [0])
    try write(["赵六"])
    try eventually { try get(port, "/health").object()["status"] as? String == "ok" }
    #expect(program.end(SIGTERM) == 0)
  }

  /// Waits for what comes within some seconds.
  private func eventually(_ holds: () throws -> Bool) throws {
    for _ in 0..<600 {
      if try holds() { return }
      Thread.sleep(forTimeInterval: 0.05)
    }
    Issue.record("it did not come")
  }

  @Test("a saved index is served too")
  func savedIndex() throws {
    let index = home.path + "/contacts.mpidx"
    #expect(
      try Command.run(
        "mpaas", ["pinyin", "index", "build", "--data", data, "--output", index], environment: ["MPAAS_HOME": home.path]
      ).status == 0)
    let (program, port) = try serve("--index", index)
    #expect(try indexes(get(port, "/search?q=lxl")) == [1])
    _ = program
  }

  @Test(
    "what cannot be answered is refused with a code, a sentence and help",
    arguments: [
      ("/nothing", 404, "pinyin-serve-path"), ("/search", 400, "pinyin-serve-missing"),
      ("/search?q=a&q=b", 400, "pinyin-serve-twice"), ("/search?q=a&limt=1", 400, "pinyin-serve-argument"),
      ("/search?q=a&limit=-1", 400, "pinyin-serve-value"), ("/search?q=a&fuzzy=x-y", 400, "pinyin-serve-value"),
      ("/search?q=%FF", 400, "pinyin-serve-utf8"), ("/convert", 400, "pinyin-serve-missing"),
      ("/convert?text=a&style=none-such", 400, "pinyin-serve-value"),
    ])
  func refusals(_ target: String, _ status: Int, _ code: String) throws {
    let (program, port) = try serve("--data", data)
    let answer = try get(port, target)
    #expect(answer.status == status, "\(answer)")
    #expect(answer.code == code, "\(answer)")
    let error = try #require(try answer.object()["error"] as? [String: Any])
    #expect((error["message"] as? String)?.isEmpty == false)
    #expect((error["help"] as? String)?.isEmpty == false)
    _ = program
  }

  @Test("names that are not this machine's, other methods, bodies that are too long or no UTF-8 are refused")
  func guards() throws {
    let (program, port) = try serve("--data", data, "--allow-host", "Search.test", "--allow-origin", "http://a.test")
    for host in ["evil.example", "127.0.0.1.evil.example", "", "localhost.evil.example:80"] {
      #expect(try get(port, "/health", host: host).code == "pinyin-serve-host", "\(host)")
    }
    for host in ["localhost", "LOCALHOST:\(port)", "127.0.0.1:\(port)", "[::1]:80", "search.test"] {
      #expect(try get(port, "/health", host: host).status == 200, "\(host)")
    }
    let method = try get(port, "/search?q=a", method: "DELETE")
    #expect(method.status == 405)
    #expect(method.head.contains("Allow: GET, HEAD"))
    #expect(try get(port, "/convert", method: "POST", body: [0x61, 0xe4]).status == 400)
    #expect(try get(port, "/convert?lossy=1", method: "POST", body: [0x61, 0xe4]).status == 200)
    #expect(try get(port, "/convert", method: "POST", body: Array(repeating: 0x61, count: 17 << 20)).status == 413)
    // Only pages of an origin that was named may read.
    #expect(!(try get(port, "/health", headers: ["Origin: http://b.test"]).head.contains("Allow-Origin")))
    #expect(
      try get(port, "/health", headers: ["Origin: http://a.test"]).head.contains(
        "Access-Control-Allow-Origin: http://a.test"))
    #expect(program.end(SIGTERM) == 0)
  }

  @Test("bytes that are no request do no harm")
  func noise() throws {
    let (program, port) = try serve("--data", data)
    var random = SeededRandom(seed: 11)
    for _ in 0..<SeededRandom.rounds(or: 20) {
      let noise = (0..<Int.random(in: 1...300, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
      _ = try? RawAnswer.exchange(port, noise + Array("\r\n\r\n".utf8))
      let query = (0..<20).map { _ in "%" + String(Int.random(in: 16...255, using: &random), radix: 16) }.joined()
      #expect([200, 400].contains(try get(port, "/search?q=\(query)").status))
    }
    #expect(try get(port, "/health").status == 200)
    #expect(program.end(SIGTERM) == 0)
  }

  @Test("what makes no sense is refused before it listens")
  func start() throws {
    let environment = ["MPAAS_HOME": home.path, "LC_ALL": "C", "MPAAS_LANG": ""]
    func run(_ arguments: String...) throws -> Command.Outcome {
      try Command.run("mpaas", ["pinyin", "serve"] + arguments, environment: environment)
    }
    let open = try run("--listen", "0.0.0.0:0", "--json")
    #expect(open.status == 64)
    #expect(open.errors.contains("pinyin-serve-remote"))
    #expect(try run("--data", data, "--index", data).status == 64)
    #expect(try run("--data", home.path + "/none").status == 66)
    #expect(try run("--index", data).status == 65)
    #expect(try run("--listen", "localhost").status == 64)
  }
}
