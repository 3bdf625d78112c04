import Foundation
import MPaaSTestSupport
import Testing

@testable import MPaaSRPC

@Suite("Servers that mean harm") struct HostileServerTests {
  private func client(_ change: (inout RPCConfiguration) -> Void = { _ in }) -> RPCClient {
    var configuration = RPCConfiguration()
    configuration.allowsCleartext = true
    configuration.retry = .none
    configuration.answerLimit = 1 << 20
    configuration.timeout = .seconds(20)
    change(&configuration)
    return RPCClient(configuration, parts: .init(transport: .http(userAgent: "test")))
  }

  private func get(_ server: ScriptedServer, _ client: RPCClient) async -> Result<RPCResponse, RPCError> {
    await outcome { () throws(RPCError) in try await client.send(RPCCall("GET", url: server.url + "/a")) }
  }

  @Test("get no more memory than the limit, whatever they pack", arguments: RPCContentCoding.allCases)
  func bomb(coding: RPCContentCoding) async throws {
    guard let packed = coding.encode([UInt8](repeating: 0, count: 64 << 20)) else { return }
    let server = try ScriptedServer { _ in
      [ScriptedServer.answer("200 OK", ["Content-Encoding: \(coding.rawValue)"], body: packed)]
    }
    #expect(await get(server, client()).error?.code == .tooLarge)
  }

  @Test("send no more than the limit, with a length or without one")
  func large() async throws {
    let part = [UInt8](repeating: 65, count: 3 << 20)
    let stated = try ScriptedServer { _ in [ScriptedServer.answer("200 OK", body: part), .close] }
    let endless = try ScriptedServer { _ in
      [.send(Array("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n".utf8))] + (0..<8).map { _ in .send(part) } + [.close]
    }
    for server in [stated, endless] {
      #expect(await get(server, client()).error?.code == .tooLarge)
      let states = client().states(of: .get(server.url + "/a"))
      var last: RPCRequestState?
      for await state in states { last = state }
      guard case .failed(let error)? = last else {
        Issue.record("no failure")
        continue
      }
      #expect(error.code == .tooLarge)
    }
  }

  @Test("are waited for no longer than the deadline, however slowly they send")
  func slow() async throws {
    let server = try ScriptedServer { _ in
      [.send(Array("HTTP/1.1 200 OK\r\nContent-Length: 300\r\n\r\n".utf8))]
        + (0..<300).flatMap { _ in [.stall(seconds: 0.1), .send([65])] }
    }
    let begin = ContinuousClock.now
    #expect(await get(server, client { $0.timeout = .milliseconds(600) }).error?.code == .timedOut)
    // Other tests may keep all threads busy meanwhile.
    #expect(ContinuousClock.now - begin < .seconds(20))
  }

  @Test("are left at once where the task ends")
  func cancellation() async throws {
    let server = try ScriptedServer { _ in [.stall(seconds: 3), .close] }
    let client = client()
    let task = Task { await get(server, client) }
    await eventually { server.requests.count == 1 }
    let begin = ContinuousClock.now
    task.cancel()
    #expect(await task.value.error?.code == .cancelled)
    #expect(ContinuousClock.now - begin < .seconds(1))
  }

  @Test("gain nothing by wrong lengths, cut heads, redirects and answers that are none")
  func malformed() async throws {
    let answers: [(String, RPCError.Code)] = [
      ("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc", .unreachable),
      ("HTTP/1.1 200 OK\r\nContent-Len", .unreachable), ("", .unreachable), ("nonsense\r\n\r\n", .unreachable),
      ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab", .unreachable),
      ("HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n", .refused),
      ("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 3\r\n\r\nabc", .encodingBroken),
      ("HTTP/1.1 200 OK\r\nContent-Encoding: x\r\nContent-Length: 3\r\n\r\nabc", .encodingBroken),
      ("HTTP/1.1 200 OK\r\nResult-Status: 99999999999999999999\r\nContent-Length: 0\r\n\r\n", .middleware),
    ]
    for (answer, code) in answers {
      let server = try ScriptedServer { _ in [.send(Array(answer.utf8)), .close] }
      let result = await get(server, client())
      // A code that is no number is none.
      #expect(code == .middleware ? result.error == nil : result.error?.code == code, "\(answer): \(result)")
    }
  }

  @Test("are kept apart: connections stay open between calls to one of them")
  func connections() async throws {
    let server = try ScriptedServer { _ in [ScriptedServer.answer("200 OK", body: Array("1".utf8))] }
    let client = client { $0.caches = false }
    for _ in 0..<10 { #expect(await get(server, client).text == "1") }
    #expect(server.requests.count == 10 && server.connections == 1)
  }
}
