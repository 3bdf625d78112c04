import MPaaSProtocol
import MPaaSTestSupport
import NIOCore
import Testing

@testable import MPaaSServer

@Suite("Clients that read slowly") struct SlowReaderTests {
  @Test("are ended where they stay below the least rate, and not before a whole time of waiting")
  func pace() {
    var pace = AnswerPace(rate: 1000, patience: .seconds(10))
    let start = NIODeadline.uptimeNanoseconds(1_000_000_000)
    pace.write(1_000_000)
    // 1,000 bytes a second, then 900.
    var waiting = 900_000
    var ended: Int?
    for second in 0..<100 where ended == nil {
      if pace.isTooSlow(waiting: waiting, at: start + .seconds(Int64(second))) { ended = second }
      waiting -= second < 40 ? 1000 : 900
    }
    #expect(ended == 50)
    // A burst in each time of patience is as good.
    pace = AnswerPace(rate: 1000, patience: .seconds(10))
    pace.write(1_000_000)
    waiting = 900_000
    for second in 0..<100 {
      let isSlow = pace.isTooSlow(waiting: waiting, at: start + .seconds(Int64(second)))
      #expect(!isSlow)
      if second % 9 == 5 { waiting -= 10_000 }
    }
    // A client that waits for the server is not slow.
    pace = AnswerPace(rate: 1000, patience: .seconds(10))
    for second in 0..<100 {
      pace.write(10)
      let isSlow = pace.isTooSlow(waiting: second % 3 == 0 ? 10 : 0, at: start + .seconds(Int64(second)))
      #expect(!isSlow)
    }
  }

  @Test("or not at all keep no turn from others, however many they are", .timeLimit(.minutes(10)))
  func turns() async throws {
    let server = try await TestServer()
    let bytes = [UInt8](repeating: 7, count: 16 << 20)
    let location = try await server.made(bytes.count)
    _ = try await server.tus("PATCH", location, ["Upload-Offset": "0"], body: bytes)
    let head = StrangerRequest.head("GET \(TestServer.path(location))", ["Authorization: Bearer \(server.token)"])
    let deaf = try (0..<40).map { _ in try TestConnection(server.port) }
    for connection in deaf { try await connection.write(head) }
    // Their first pieces are on the way, and those of others go on.
    for connection in deaf { #expect(try await connection.some(1) == 1) }
    let reader = try TestConnection(server.port)
    try await reader.write(head)
    let isWhole = try await reader.answer().body == bytes
    #expect(isWhole)
    for connection in deaf { connection.cut() }
    await server.end()
  }

  @Test("lose their connection, though they read something all the time", .timeLimit(.minutes(10)))
  func slow() async throws {
    let before = try await TestServer()
    let location = try await before.made(64 << 20)
    let bytes = [UInt8](repeating: 7, count: 64 << 20)
    _ = try await before.tus("PATCH", location, ["Upload-Offset": "0"], body: bytes)
    await before.end()
    let server = try await TestServer(in: before.folder) {
      $0.limits.idle = 2
      // So much that a test of seconds shows it.
      $0.limits.leastRate = 4 << 20
    }
    let slow = try TestConnection(server.port)
    try await slow.write(
      StrangerRequest.head("GET \(TestServer.path(location))", ["Authorization: Bearer \(server.token)"]))
    var taken = 0
    while taken < bytes.count {
      let count = try await slow.some(128 << 10)
      guard count > 0 else { break }
      taken += count
      try await Task.sleep(for: .milliseconds(200))
    }
    #expect(taken < 32 << 20)
    await server.end()
  }
}
