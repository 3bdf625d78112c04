import MPaaSFramework
import MPaaSLock
import MPaaSRPC
import Testing

@Suite("Layers around calls") struct MiddlewareOrderTests {
  /// The deed of a layer in a case.
  enum Deed: CaseIterable, Sendable {
    case passes, refusesCall, refusesAnswer, answers, repeats, changesError
  }

  /// A layer that writes down what it sees.
  struct Layer: RPCMiddleware {
    let name: String
    let deed: Deed
    let log: @Sendable (String) -> Void

    func before(_ call: inout RPCCall) async throws(RPCError) {
      log("before \(name)")
      call.headers["X-Way"] = (call.headers["X-Way"] ?? "") + name
      if deed == .refusesCall { throw .stopped("call \(name)") }
    }

    func after(_ response: inout RPCResponse, to call: RPCCall) async throws(RPCError) {
      log("after \(name)")
      if deed == .refusesAnswer { throw .stopped("answer \(name)") }
    }

    func failed(_ error: RPCError, in call: RPCCall) async throws(RPCError) -> RPCRecovery {
      log("failed \(name)")
      switch deed {
      case .answers: return .respond(RPCResponse(status: 299))
      case .repeats: return .again
      case .changesError: throw .stopped("changed \(name)")
      default: return .fail
      }
    }
  }

  /// The order that must be seen, told by a model that knows nothing of the client.
  struct Model {
    var log: [String] = []
    let layers: [(name: String, deed: Deed)]
    let serverFails: Bool

    mutating func run(_ index: Int) -> String {
      guard index < layers.count else {
        log.append("server")
        return serverFails ? "error" : "answer"
      }
      let (name, deed) = layers[index]
      var isSecond = false
      while true {
        log.append("before \(name)")
        if deed == .refusesCall { return "error" }
        if run(index + 1) == "answer" {
          log.append("after \(name)")
          return deed == .refusesAnswer ? "error" : "answer"
        }
        log.append("failed \(name)")
        if deed == .answers { return "answer" }
        guard deed == .repeats, !isSecond else { return "error" }
        isSecond = true
      }
    }
  }

  @Test("see calls in their order and answers in the reverse one, whatever each of three does")
  func orders() async {
    var count = 0
    for first in Deed.allCases {
      for second in Deed.allCases {
        for third in Deed.allCases {
          for serverFails in [false, true] {
            let deeds = [("a", first), ("b", second), ("c", third)]
            for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
              await check(order.map { deeds[$0] }, serverFails)
              count += 1
            }
          }
        }
      }
    }
    #expect(count == 6 * 6 * 6 * 2 * 6)
  }

  private func check(_ layers: [(name: String, deed: Deed)], _ serverFails: Bool) async {
    let log = Log()
    let server = ServerDouble { _, _ throws(RPCError) in
      log.add("server")
      return RPCTransport.Response(status: serverFails ? 418 : 200)
    }
    let client = server.client(
      middleware: layers.map { layer in
        Layer(name: layer.name, deed: layer.deed, log: { log.add($0) })
      })
    let result = await outcome { () throws(RPCError) in try await client.send(RPCCall("shop.order")) }
    var model = Model(layers: layers, serverFails: serverFails)
    let expected = model.run(0)
    #expect(log.lines == model.log, "\(layers) \(serverFails)")
    #expect((result.error == nil ? "answer" : "error") == expected)
  }

  @Test("each sees what those before it changed")
  func changes() async throws {
    let server = ServerDouble { _, _ throws(RPCError) in .ok() }
    let client = server.client(middleware: ["a", "b", "c"].map { Layer(name: $0, deed: .passes, log: { _ in }) })
    _ = try await client.send(RPCCall("shop.order"))
    #expect(server.requests.first?.headers["X-Way"] == "abc")
  }

  @Test("the session is renewed once where the gateway says that it is over")
  func session() async throws {
    let id = Lock("old")
    let server = ServerDouble { request, _ throws(RPCError) in
      request.headers["sessionId"] == "new" ? .ok("1") : .ok("", ["result-status": "2000"])
    }
    let layer = RPCSessionMiddleware(
      session: { RPCSession(userID: "42", sessionID: id.withLock { $0 }) },
      renew: {
        id.withLock { $0 = "new" }
        return true
      })
    let client = server.client(middleware: [layer])
    #expect(try await client.call(RPCMethod<Int>("shop.order")) == 1)
    #expect(server.requests.count == 2)
  }

  @Test("errors are shown as the gateway's text, and in the language of the app")
  func notices() async throws {
    let shown = Log()
    let server = ServerDouble { _, number throws(RPCError) in
      number == 0
        ? .ok("", ["result-status": "1002", "tips": "%E7%A8%8D%E7%AD%89"]) : .ok("", ["result-status": "4001"])
    }
    let layer = RPCErrorMiddleware(language: { .simplifiedChinese }) { notice, _ in
      shown.add("\(notice.style.rawValue) \(notice.text)")
    }
    let client = server.client(middleware: [layer])
    for _ in 0..<2 { _ = await outcome { () throws(RPCError) in try await client.send(RPCCall("shop.order")) } }
    #expect(shown.lines == ["limit 稍等", "toast 请求超时，请重试。"])
  }
}

/// Lines that several tasks write.
final class Log: Sendable {
  private let state = Lock<[String]>([])
  var lines: [String] { state.withLock { $0 } }
  func add(_ line: String) { state.withLock { $0.append(line) } }
}
