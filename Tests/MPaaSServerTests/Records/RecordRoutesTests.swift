import Foundation
import MPaaSDatabase
import MPaaSTestSupport
import Testing

@testable import MPaaSServer

@Suite("Records and alive reports at the server") struct RecordRoutesTests {
  private let batch = Array(#"{"id":"b","app":"shop","device":"d","type":"behavior","lines":["one","二"]}"#.utf8)

  @Test("a batch sent twice is stored once, and answered alike")
  func twice() async throws {
    let server = try await TestServer()
    let first = try await server.send("POST", "/api/v1/records", body: batch)
    let second = try await server.send("POST", "/api/v1/records", body: batch)
    #expect(first.status == 201)
    #expect(first.json["duplicate"] as? Bool == false)
    #expect(second.status == 200)
    #expect(second.json["duplicate"] as? Bool == true)
    #expect(first.json["size"] as? Int == second.json["size"] as? Int)
    let kept = try await server.list("/api/v1/records", "batches")
    #expect(kept.count == 1)
    #expect(kept.first?["lines"] as? [String] == ["one", "二"])
    #expect(try await server.list("/api/v1/records?type=crash", "batches").isEmpty)
    await server.end()
  }

  @Test("a stored batch that is damaged is told as such beside those that are whole, and counted", .inFile)
  func damaged() async throws {
    for damage in ["x''", "substr(body, 1, length(body) - 3)", "x'28b52ffd00ffffffffff'", "zeroblob(100)"] {
      let server = try await TestServer()
      for id in ["b", "c"] {
        let body = #"{"id":"\#(id)","app":"shop","device":"d","type":"behavior","lines":["one"]}"#
        #expect(try await server.send("POST", "/api/v1/records", body: Array(body.utf8)).status == 201)
      }
      try await server.services.store.write { try $0.run("UPDATE record_batches SET body = \(damage) WHERE id = 'b'") }
      let kept = try await server.list("/api/v1/records", "batches")
      let states = Dictionary(uniqueKeysWithValues: kept.map { ($0["id"] as? String, $0["damaged"] as? Bool) })
      #expect(states == ["b": true, "c": nil])
      #expect(server.services.counts["damaged.records"] == 1)
      await server.end()
    }
  }

  @Test("what is no batch is refused, and says which field is wrong")
  func refused() async throws {
    let server = try await TestServer()
    for (body, field) in [
      (#"{"id":1}"#, "id"), ("no", "JSON"), (#"{"id":"a","app":"x","device":"d","lines":[]}"#, "type"),
    ] {
      let answer = try await server.send("POST", "/api/v1/records", body: Array(body.utf8))
      #expect(answer.status == 400, "\(answer.text)")
      #expect(answer.text.contains(field), "\(answer.text)")
    }
    let line = #"{"id":"b","app":"shop","device":"d","type":"behavior","lines":["one\ntwo"]}"#
    #expect(try await server.send("POST", "/api/v1/records", body: Array(line.utf8)).status == 400)
    await server.end()
  }

  @Test("an alive report counts its device once, however often it is sent")
  func alive() async throws {
    let server = try await TestServer()
    for (id, device) in [("1", "a"), ("1", "a"), ("2", "a"), ("3", "b")] {
      let body = #"{"id":"\#(id)","app":"shop","version":"2","device":"\#(device)","time":1}"#
      #expect([200, 201].contains(try await server.send("POST", "/api/v1/alive", body: Array(body.utf8)).status))
    }
    let version = try #require(try await server.list("/api/v1/alive", "versions").first)
    #expect(version["devices"] as? Int == 2)
    #expect(version["reports"] as? Int == 3)
    await server.end()
  }
}
