import MPaaSRPC
import MPaaSSigning
import Testing

@Suite("Signed calls") struct SigningTests {
  @Test(
    "have a signature that the gateway's side of the kit takes, in both forms",
    arguments: [
      SigningAlgorithm.hmacSHA256, .hmacSM3, .md5Salt,
    ])
  func operations(algorithm: SigningAlgorithm) async throws {
    for wire in RPCConfiguration.Wire.allCases {
      let signer = try RequestSigner(algorithm, key: try RequestKey(secret: "s3cr3t"))
      let server = ServerDouble { _, _ throws(RPCError) in .ok("true") }
      var parts = RPCClient.Parts(transport: server.transport)
      parts.signer = RPCKeySigner(signer)
      var configuration = RPCConfiguration(gateway: "https://gw.example.com/mgw.htm")
      configuration.wire = wire
      configuration.headers = ["AppId": "SHOP", "WorkspaceId": "default"]
      let client = RPCClient(configuration, parts: parts)
      #expect(try await client.call(RPCMethod<Bool>("com.example.pay"), ["amount": 9.45], "重庆 & Co"))
      let sent = try #require(server.requests.first)
      let request = SigningRequest(
        method: sent.method, target: sent.url, headers: sent.headers.map { RequestField($0.key, $0.value) },
        body: sent.body)
      let signature = sent.headers["Sign"] ?? request.form.first { $0.name == "sign" }?.value
      #expect(try signer.verifies(signature ?? "", of: request), "\(wire)")
    }
  }

  @Test("of HTTP have the gateway's own text, with the name of the key")
  func requests() async throws {
    let signer = try RequestSigner(.hmacSHA256, key: try RequestKey(secret: "s3cr3t"), form: BackEndForm())
    let server = ServerDouble { _, _ throws(RPCError) in .ok() }
    var parts = RPCClient.Parts(transport: server.transport)
    parts.signer = RPCKeySigner(signer, keyName: "k1")
    let client = RPCClient(RPCConfiguration(), parts: parts)
    var call = RPCCall(
      "POST", url: "https://a.example.com/a?b=1", body: Array("{}".utf8), contentType: "application/json")
    call.signCheck = true
    _ = try await client.send(call)
    let sent = try #require(server.requests.first)
    #expect(sent.headers[BackEndForm.keyNameHeader] == "k1")
    let request = SigningRequest(method: "POST", target: "/a?b=1", body: Array("{}".utf8))
    #expect(try signer.verifies(sent.headers[BackEndForm.signatureHeader] ?? "", of: request))
  }

  @Test("are signed anew in each attempt, since the time is a part of the text")
  func attempts() async throws {
    let clock = ManualClock()
    let server = ServerDouble { _, number throws(RPCError) in
      clock.advance(.seconds(1))
      return number == 0 ? RPCTransport.Response(status: 503) : .ok()
    }
    var parts = RPCClient.Parts(transport: server.transport)
    parts.signer = RPCKeySigner(try RequestSigner(.hmacSHA256, key: try RequestKey(secret: "s")))
    parts.clock = clock.clock(chance: { 0 })
    parts.clock.sleep = { _ in }
    let client = RPCClient(RPCConfiguration(gateway: "https://gw.example.com"), parts: parts)
    _ = try await client.send(.read())
    #expect(Set(server.requests.compactMap { $0.headers["Sign"] }).count == 2)
    #expect(Set(server.requests.compactMap { $0.headers["Ts"] }).count == 2)
  }
}
