import MPaaSFramework
import Testing

@testable import MPaaSRPC

@Suite("Calls as they are sent") struct WireTests {
  private struct Signer: RPCSigner {
    func fields(for input: RPCSigningInput) throws(RPCError) -> [String: String] {
      ["Sign": "\(input.operationType)|\(String(decoding: input.data, as: UTF8.self))|\(input.timestamp)"]
    }
  }

  private func client(_ server: ServerDouble, _ change: (inout RPCConfiguration) -> Void = { _ in }) -> RPCClient {
    var configuration = RPCConfiguration(gateway: "https://gw.example.com/mgw.htm")
    change(&configuration)
    var parts = RPCClient.Parts(transport: server.transport)
    parts.signer = Signer()
    parts.clock = ManualClock().clock
    return RPCClient(configuration, parts: parts)
  }

  private let server = ServerDouble { _, _ throws(RPCError) in .ok("true", ["result-status": "1000"]) }

  @Test("have name, time and signature in header fields, and the arguments as their content")
  func headers() async throws {
    #expect(try await client(server).call(RPCMethod<Bool>("alipay.client.getRSAKey"), "a", 9.45, ["x": 1]))
    let request = try #require(server.requests.first)
    #expect(request.method == "POST" && request.url == "https://gw.example.com/mgw.htm")
    #expect(request.body == Array(#"["a",9.45,{"x":1}]"#.utf8))
    #expect(request.headers["Operation-Type"] == "alipay.client.getRSAKey")
    #expect(request.headers["Ts"] == "1790000000000")
    #expect(request.headers["Sign"] == #"alipay.client.getRSAKey|["a",9.45,{"x":1}]|1790000000000"#)
    #expect(request.headers["Content-Type"] == "application/json")
  }

  @Test("may be a form")
  func form() async throws {
    _ = try await client(server) { $0.wire = .form }.call(RPCMethod<Bool>("shop.a&b"), "ü=1")
    let request = try #require(server.requests.first)
    let parts = String(decoding: request.body ?? [], as: UTF8.self).split(separator: "&")
    #expect(parts.prefix(2) == ["operationType=shop.a%26b", "requestData=%5B%22%C3%BC%3D1%22%5D"])
    #expect(parts.map { $0.prefix { $0 != "=" } } == ["operationType", "requestData", "sign", "ts"])
    #expect(request.headers["Content-Type"] == "application/x-www-form-urlencoded")
    #expect(request.headers["Operation-Type"] == nil)
  }

  @Test("are signed as their method or else the configuration says, and not sent without a key")
  func signing() async throws {
    for (signs, signCheck, isSigned) in [
      (true, nil, true), (false, nil, false), (true, false, false), (false, true, true),
    ] as [(Bool, Bool?, Bool)] {
      let server = ServerDouble { _, _ throws(RPCError) in .ok("true") }
      _ = try await client(server) { $0.signs = signs }.call(RPCMethod<Bool>("shop.order", signCheck: signCheck))
      #expect((server.requests.first?.headers["Sign"] != nil) == isSigned)
    }
    let bare = RPCClient(RPCConfiguration(gateway: "https://a.example.com"), parts: .init(transport: server.transport))
    let result = await outcome { () throws(RPCError) in try await bare.send(RPCCall("shop.order")) }
    #expect(result.error?.code == .notSigned)
  }

  @Test("go to no address without encryption, and to none that is malformed")
  func addresses() async {
    for (address, code) in [
      ("http://gw.example.com/mgw.htm", RPCError.Code.cleartext), ("ftp://a.example.com", .addressMalformed),
      ("gw.example.com", .addressMalformed), ("https://", .addressMalformed),
      ("https://user@a.example.com", .addressMalformed),
      ("https://a.example.com/\r\nX: 1", .addressMalformed), ("", .addressMalformed),
    ] {
      var call = RPCCall("shop.order")
      call.gateway = address
      let given = call
      let result = await outcome { () throws(RPCError) in try await client(server).send(given) }
      #expect(result.error?.code == code, "\(address)")
    }
    #expect(server.requests.isEmpty)
    let open = client(server) { $0.allowsCleartext = true }
    var call = RPCCall("shop.order")
    call.gateway = "http://127.0.0.1:1/"
    let given = call
    #expect(await outcome { () throws(RPCError) in try await open.send(given) }.error == nil)
  }

  @Test("take no header field that would break out of its line", arguments: ["a\r\nB: c", "a\u{0}", "\u{7f}"])
  func fields(value: String) async {
    var call = RPCCall("shop.order")
    call.headers["X-A"] = value
    let given = call
    let result = await outcome { () throws(RPCError) in try await client(server).send(given) }
    #expect(result.error?.code == .headerMalformed)
    let named = await outcome { () throws(RPCError) in try await client(server).send(RPCCall("a" + value)) }
    #expect(named.error?.code == .headerMalformed)
  }

  @Test("are refused on the spot where they need a user and none is logged in")
  func login() async {
    var call = RPCCall("shop.order")
    call.checkLogin = true
    let given = call
    let result = await outcome { () throws(RPCError) in try await client(server).send(given) }
    #expect(result.error?.code == .notLoggedIn && server.requests.isEmpty)
  }

  @Test("have the settings of all, then of their gateway, then of their operation, then their own")
  func scopes() async throws {
    let client = client(server)
    client.configure(.all) { $0.headers["X"] = "all" }
    client.configure(.gateway("https://other.example.com")) { $0.headers["X"] = "gateway" }
    client.configure(.operation("shop.special.*")) { configuration in
      configuration.gateway = "https://other.example.com/mgw.htm"
      configuration.timeout = .seconds(3)
    }
    client.configure(.operation("shop.special.last")) { $0.headers["X"] = "operation" }
    for name in ["shop.order", "shop.special.first", "shop.special.last"] { _ = try await client.send(RPCCall(name)) }
    var own = RPCCall("shop.special.last")
    (own.headers["X"], own.gateway, own.timeout) = ("own", "https://other.example.com.evil.example/", .seconds(1))
    _ = try await client.send(own)
    #expect(server.requests.map { $0.headers["X"] } == ["all", "gateway", "operation", "own"])
    #expect(server.requests.map(\.timeout) == [.seconds(30), .seconds(3), .seconds(3), .seconds(1)])
    #expect(server.requests.last?.url == "https://other.example.com.evil.example/")
    own.headers["X"] = nil
    _ = try await client.send(own)
    #expect(server.requests.last?.headers["X"] == "operation")
    client.configure(.operation("shop.special.last")) { $0.headers["X"] = nil }
    _ = try await client.send(own)
    #expect(server.requests.last?.headers["X"] == nil)
  }

  private struct Interface: MPaaSAppInterface {
    let appKey: String? = "SHOP_IOS"
    let workspaceID: String? = "default"
    let userID: String? = "42"
    let rpcTimeout = TimeSpan.seconds(7)
    let gateway: GatewayConfiguration?
    let commonInterceptor: (any RPCInterceptor)? = Interceptor()

    struct Interceptor: RPCInterceptor {
      func willSend(_ request: inout MessageTransport.Request) async throws { request.headers["X-I"] = "1" }
      func didReceive(
        _ response: inout MessageTransport.Response, to request: MessageTransport.Request
      ) async throws { response.body = Array("false".utf8) }
    }
  }

  @Test("have the settings of the app's interface and its GatewayConfig.plist")
  func interface() async throws {
    let plist = """
      <?xml version="1.0"?><plist version="1.0"><dict><key>Release</key><dict>
      <key>mPaasRpcGateway</key><string>https://gw.example.com/mgw.htm</string>
      <key>mPaasRpcETagURL</key><string>https://etag.example.com/mgw.htm</string></dict></dict></plist>
      """
    let interface = Interface(gateway: try GatewayConfiguration(Array(plist.utf8)))
    let parts = RPCClient.Parts(interface, transport: server.transport, signer: Signer())
    let client = RPCClient(try RPCConfiguration(interface, for: .release), parts: parts)
    #expect(try await client.call(RPCMethod<Bool>("shop.order", checkLogin: true)) == false)
    _ = try await client.send(.read())
    #expect(server.requests.map(\.url) == ["https://gw.example.com/mgw.htm", "https://etag.example.com/mgw.htm"])
    let request = try #require(server.requests.first)
    #expect(request.headers["AppId"] == "SHOP_IOS" && request.headers["WorkspaceId"] == "default")
    #expect(request.headers["X-I"] == "1" && (.seconds(6) ... .seconds(7)).contains(request.timeout))
  }

  @Test("of generated messages go through the client, and get answers of any status")
  func messages() async throws {
    let server = ServerDouble { request, _ throws(RPCError) in
      request.url.hasSuffix("1") ? .ok("{}") : RPCTransport.Response(status: 404)
    }
    let transport = client(server).messageTransport
    for (path, status) in [("1", 200), ("2", 404)] {
      let answer = try await transport(MessageTransport.Request(url: "https://api.example.com/books/\(path)"))
      #expect(answer.status == status)
    }
  }

  @Test("end as the gateway's code says, with the texts of both languages")
  func codes() async {
    for number in [
      1001, 1002, 1005, 2000, 3000, 3001, 3002, 3003, 4001, 4002, 4003, 5000, 6004, 7000, 7001, 7002, 7003, 7007, 7014,
      8002,
    ] {
      let server = ServerDouble { _, _ throws(RPCError) in .ok("", ["result-status": String(number), "memo": "why"]) }
      let result = await outcome { () throws(RPCError) in try await client(server).send(RPCCall("shop.order")) }
      #expect(result.error?.code == .gateway && result.error?.resultCode?.rawValue == number)
      #expect(result.error?.response?.memo == "why")
      #expect(result.error?.resultCode?.isKnown == (number != 6004))
      for language in TextLanguage.allCases {
        let text = result.error?.message(in: language) ?? ""
        #expect(text.contains(String(number)) && !text.contains("{") && text.contains("shop.order"))
        #expect(result.error?.notice(in: language).text.isEmpty == false)
      }
    }
  }

  @Test("that ask whether an answer is still good are answered with 304, and others are refused")
  func notModified() async throws {
    let server = ServerDouble { _, _ throws(RPCError) in RPCTransport.Response(status: 304, headers: ["etag": "\"v1\""])
    }
    let client = client(server)
    for (field, value) in [("if-none-match", "\"v1\""), ("If-Modified-Since", "Sat, 28 Nov 2026 00:00:00 GMT")] {
      var call = RPCCall("GET", url: "https://gw.example.com/a")
      call.headers[field] = value
      let answer = try await client.send(call)
      #expect(answer.status == 304 && answer.headers["etag"] == "\"v1\"" && answer.body.isEmpty)
    }
    let plain = await outcome { () throws(RPCError) in try await client.send(RPCCall.read()) }
    #expect(plain.error?.code == .refused && plain.error?.response?.status == 304)
  }
}
