import MPaaSFramework
import MPaaSRPC
import MPaaSTestSupport
import Testing

@Suite("Requests put together piece by piece") struct RequestTests {
  @Test("have their parameters in the query, in a form, or beside files")
  func pieces() throws {
    let get = try RPCRequest.get("https://a.example.com/s?x=1").parameter("q", "重 庆").parameter("n", 2)
      .parameter("none", nil as Int?).timeout(.seconds(10)).call()
    #expect(get.form == .http(method: "GET", url: "https://a.example.com/s?x=1&q=%E9%87%8D%20%E5%BA%86&n=2"))
    #expect(get.effect == .reads && get.data.isEmpty && get.timeout == .seconds(10))
    let post = try RPCRequest.post("https://a.example.com/p").parameters(["b": "2", "a": "1"]).call()
    #expect(String(decoding: post.data, as: UTF8.self) == "a=1&b=2")
    #expect(post.contentType == "application/x-www-form-urlencoded" && post.effect == .changes)
    let file = try RPCRequest.post("https://a.example.com/p").parameter("a", "1")
      .file("photo", [1, 2, 3], alias: "name.jpg").call()
    let text = String(decoding: file.data, as: UTF8.self)
    #expect(text.contains("name=\"photo\"; filename=\"name.jpg\"") && text.contains("name=\"a\""))
    #expect(file.contentType?.hasPrefix("multipart/form-data; boundary=") == true)
    let json = try RPCRequest.post("https://a.example.com/p").json(.array([.number(1)])).key("k").call()
    #expect(json.data == Array("[1]".utf8) && json.contentType == "application/json" && json.key == "k")
    #expect(throws: RPCError.self) { try RPCRequest.get("https://a.example.com/").header("a", "b\r\nc").call() }
  }

  @Test("tell their seven states, with progress in both directions")
  func states() async throws {
    let server = ServerDouble { request, _ throws(RPCError) in
      for part in [1, 2] as [UInt64] { request.sent?(part, 2) }
      for part in [3, 6] as [UInt64] { request.received?(part, 6) }
      return request.url.hasSuffix("bad") ? RPCTransport.Response(status: 404) : .ok("<a b=\"1\"><c>x</c></a>")
    }
    let client = server.client()
    for (path, last) in [("good", "succeeded"), ("bad", "failed")] {
      var seen: [String] = []
      var response: RPCResponse?
      for await state in client.states(of: .post("https://a.example.com/\(path)").parameter("a", "b")) {
        switch state {
        case .sending: seen.append("sending")
        case .sendProgressed(let progress): seen.append("sent \(progress.fraction ?? -1)")
        case .receiving: seen.append("receiving")
        case .receiveProgressed(let progress): seen.append("received \(progress.bytes)")
        case .succeeded(let answer): (response, _) = (answer, seen.append("succeeded"))
        case .failed: seen.append("failed")
        case .cancelled: seen.append("cancelled")
        }
      }
      #expect(seen == ["sending", "sent 0.5", "sent 1.0", "receiving", "received 3", "received 6", last])
      if let response { #expect(try response.xml()["c"]?.text == "x") }
    }
  }

  @Test("end together where their page goes")
  func cancel() async throws {
    let gate = ManualClock()
    let server = ServerDouble { _, _ throws(RPCError) in
      do { try await gate.clock.sleep(.seconds(1)) } catch { throw RPCError(.cancelled) }
      return .ok()
    }
    let client = server.client()
    let requests = RPCRequests()
    let tasks = (0..<3).map { number in
      Task {
        var last: RPCRequestState?
        for await state in client.states(of: .get("https://a.example.com/\(number)"), in: requests) { last = state }
        return last
      }
    }
    await eventually { gate.pauses.count == 3 }
    #expect(requests.count == 3)
    requests.cancelRequests()
    for task in tasks {
      guard case .cancelled? = await task.value else {
        Issue.record("not canceled")
        continue
      }
    }
    #expect(requests.count == 0)
  }

  @Test("a content is read as bytes, text, JSON and XML, and refused where it is none")
  func reading() throws {
    let json = RPCResponse(status: 200, body: Array(#"{"a":9.45}"#.utf8))
    #expect(json.data.count == 10 && json.text == #"{"a":9.45}"#)
    #expect(try json.json()["a"]?.number?.description == "9.45")
    #expect(throws: RPCError.self) { try json.xml() }
    let xml = RPCResponse(status: 200, body: Array("<r><i>1</i>t<i>2</i></r>".utf8))
    #expect(try xml.xml().elements.map(\.text) == ["1", "2"])
    #expect(try xml.xml().text == "t")
    #expect(throws: RPCError.self) { try xml.json() }
    #expect(throws: RPCError.self) {
      try RPCResponse(status: 200, body: Array("<!DOCTYPE r [<!ENTITY a \"b\">]><r>&a;</r>".utf8)).xml()
    }
    #expect(try RPCResponse(status: 200).value(Int?.self) == nil)
  }
}
