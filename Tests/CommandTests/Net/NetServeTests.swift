import Foundation
import MPaaSTestSupport
import Testing

@Suite("mpaas net serve") struct NetServeTests {
  let home: TemporaryFolder

  init() throws { home = try TemporaryFolder() }

  private func write(_ text: String, to name: String) throws -> String {
    let url = home.url.appending(path: name)
    try Data(text.utf8).write(to: url)
    return url.path
  }

  @Test("says where it serves, and ends well when it is told to", arguments: [SIGINT, SIGTERM])
  func life(_ signal: Int32) throws {
    let server = try NetServer(home: home)
    #expect((server.ready["proxies"] as? [Any])?.isEmpty == true)
    #expect(server.ready["restored"] as? Int == 0)
    #expect(try server.ask("GET", "/health").object()["status"] as? String == "ok")
    let listen = try server.create("p")["listen"]
    #expect(server.program.end(signal) == 0)
    #expect(!NetServer.isUp(listen))
  }

  @Test("listens for other machines only when it is told to", arguments: ["0.0.0.0:0", ":0", "[::]:0"])
  func remote(_ address: String) throws {
    let outcome = try mpaas("net", "serve", "--api", address, "--json", home: home)
    #expect(outcome.status == 64)
    #expect(outcome.errors.contains("net-serve-remote"))
    let server = try NetServer("--remote", home: home, api: address)
    #expect(server.program.end(SIGTERM) == 0)
  }

  @Test("an address that is taken is said to be")
  func taken() throws {
    let server = try NetServer(home: home)
    let outcome = try mpaas("net", "serve", "--api", server.address, "--json")
    #expect(outcome.status == 73)
    #expect(outcome.errors.contains("net-api-listen"))
  }

  @Test("takes proxies and toxics of TOML, with units, and a profile")
  func toml() throws {
    let config = try write(
      """
      profile = "3g"
      # Two ways to write attributes.
      [[proxy]]
      name = "api"
      listen = "127.0.0.1:0"
      upstream = "localhost:9"
      seed = 7
      [[proxy.toxic]]
      type = "latency"
      latency = "1s"
      jitter = 50
      [[proxy.toxic]]
      type = "bandwidth"
      stream = "upstream"
      attributes = { rate = "256kbit" }
      [[proxy]]
      name = "off"
      listen = "127.0.0.1:0"
      upstream = "localhost:9"
      enabled = false
      """, to: "net.toml")
    let server = try NetServer("--config", config, home: home)
    #expect((server.ready["proxies"] as? [[String: Any]])?.compactMap { $0["name"] as? String } == ["api", "off"])
    let toxics = try server.toxics("api")
    #expect(toxics[0]["attributes"] as? [String: Double] == ["latency": 1000, "jitter": 50])
    #expect((toxics[1]["attributes"] as? [String: Any])?["rate"] as? Double == 32)
    #expect(toxics.dropFirst(2).allSatisfy { ($0["name"] as? String)?.hasPrefix("profile.") == true })
    #expect(toxics.count > 2)
    #expect(try server.proxies()["api"]?["seed"] as? Int == 7)
    #expect(try server.proxies()["off"]?["enabled"] as? Bool == false)
  }

  @Test("takes toxiproxy's JSON")
  func json() throws {
    let config = try write(
      #"[{"name":"a","listen":"[::1]:0","upstream":"h:1"},{"name":"b","listen":"127.0.0.1:0","upstream":"h:2","enabled":false}]"#,
      to: "toxiproxy.json")
    let server = try NetServer("--config", config, home: home)
    #expect(try server.proxies().keys.sorted() == ["a", "b"])
  }

  @Test(
    "a configuration that is wrong is refused with its place",
    arguments: [
      ("[[proxy]]\nname = \"a\"\nupstreem = \"b:1\"", "upstreem"), ("[[proxy]]\nupstream = \"b:1\"", "name"),
      ("[[proxy]]\nname = \"a\"", "upstream"), ("proxi = 1", "proxi"), ("[[proxy]\n", ":1"),
      ("[{\"name\": 1}]", "name"), ("[{]", ":1"),
      ("[[proxy]]\nname=\"a\"\nupstream=\"b:1\"\n[[proxy.toxic]]\ntype=\"latency\"\nlatency=\"soon\"", "soon"),
      ("[[proxy]]\nname=\"a\"\nupstream=\"b:1\"\n[[proxy]]\nname=\"a\"\nupstream=\"b:1\"", "two proxies"),
    ])
  func wrong(_ text: String, _ named: String) throws {
    let config = try write(text, to: "net.toml")
    let outcome = try mpaas("net", "serve", "--api", "127.0.0.1:0", "--config", config, home: home)
    #expect([64, 65, 78].contains(outcome.status), "\(outcome.errors)")
    #expect(outcome.errors.contains(named), "\(outcome.errors)")
    #expect(!outcome.errors.contains("Swift."))
  }

  @Test("a configuration of any bytes is read or refused")
  func fuzz() throws {
    var random = SeededRandom(seed: 8474)
    let texts = [
      "profile = \"3g\"\n[[proxy]]\nname = \"a\"\nlisten = \"127.0.0.1:0\"\nupstream = \"b:1\"\n[[proxy.toxic]]\ntype = \"latency\"\nlatency = \"1s\"\n",
      #"[{"name":"a","listen":"127.0.0.1:0","upstream":"b:1","enabled":false,"toxics":[{"type":"latency"}]}]"#,
    ]
    for round in 0..<6 {
      var bytes = Array(texts[round % 2].utf8)
      for _ in 0..<3 {
        bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      let config = home.url.appending(path: "fuzz")
      // The state of a directory that cannot be made ends it where the text can be read.
      try Data(bytes).write(to: config)
      let outcome = try mpaas(
        "net", "serve", "--api", "127.0.0.1:0", "--config", config.path,
        environment: ["MPAAS_HOME": "/dev/null/nowhere"])
      #expect([64, 65, 66, 69, 73, 74, 78].contains(outcome.status), "\(outcome.status) \(outcome.errors)")
    }
  }

  @Test("after kill -9 the same proxies, ports and toxics are back, and it is said")
  func killed() throws {
    let port = try RawAnswer.freePort()
    let first = try NetServer(home: home, api: "127.0.0.1:\(port)")
    try first.create("one")
    #expect(
      try first.ask("POST", "/proxies/one/toxics", #"{"type":"latency","attributes":{"latency":7}}"#).status == 200)
    #expect(
      try first.ask(
        "POST", "/proxies/one/toxics", #"{"type":"slicer","name":"s","toxicity":0.5,"attributes":{"average_size":9}}"#
      ).status == 200)
    try first.create("two")
    #expect(try first.ask("PATCH", "/proxies/two", #"{"enabled":false}"#).status == 200)
    #expect(try first.ask("POST", "/profiles/3g/apply", #"{"proxies":["one"]}"#).status == 200)
    #expect(try first.ask("POST", "/buttons/2g").status == 200)
    let before = try first.ask("GET", "/proxies").body
    _ = first.program.end(SIGKILL)
    let second = try NetServer(home: home, api: "127.0.0.1:\(port)")
    #expect(second.ready["restored"] as? Int == 2)
    let after = try second.ask("GET", "/proxies").body
    #expect(NSDictionary(dictionary: try parsed(after)) == NSDictionary(dictionary: try parsed(before)))
    #expect(try second.ask("GET", "/profiles").object()["applied"].map { "\($0)".contains("3g") } == true)
    #expect(try second.ask("GET", "/buttons").object()["pressed"] as? [String] == ["2g"])
    // Told to end, it leaves nothing to the next, unless that asks for it.
    #expect(second.program.end(SIGTERM) == 0)
    let third = try NetServer(home: home, api: "127.0.0.1:\(port)")
    #expect(third.ready["restored"] as? Int == 0)
    #expect(third.program.end(SIGTERM) == 0)
  }

  @Test("--restore brings back what an orderly end left, --fresh nothing")
  func restore() throws {
    let port = try RawAnswer.freePort()
    let address = "127.0.0.1:\(port)"
    let first = try NetServer(home: home, api: address)
    try first.create("one")
    #expect(first.program.end(SIGTERM) == 0)
    let second = try NetServer("--restore", home: home, api: address)
    #expect(second.ready["restored"] as? Int == 1)
    _ = second.program.end(SIGKILL)
    let third = try NetServer("--fresh", home: home, api: address)
    #expect(third.ready["restored"] as? Int == 0)
    #expect(try third.proxies().isEmpty)
  }

  @Test("what was kept and cannot be read is said, and the server begins without")
  func broken() throws {
    let port = try RawAnswer.freePort()
    let folder = home.url.appending(path: "data/network")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data("{\"format\":1,\"proxies\":[7".utf8).write(to: folder.appending(path: "127.0.0.1_\(port).json"))
    let server = try NetServer(home: home, api: "127.0.0.1:\(port)")
    #expect(try server.proxies().isEmpty)
    #expect(server.ready["restored"] as? Int == 0)
  }

  @Test(
    "gives back what fifty streams had held, while another connection stays",
    .enabled(if: FileManager.default.fileExists(atPath: "/proc/self/status")))
  func memory() throws {
    let server = try NetServer(home: home)
    let outcome = try Command.run(
      "python3", ["-c", Self.streams, "\(server.port)", "\(server.program.process.processIdentifier)"],
      environment: ["no_proxy": "*"])
    #expect(outcome.status == 0, "\(outcome.errors)")
    let megabytes = outcome.output.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
    try #require(megabytes.count == 3, "\(outcome.output)")
    #expect(megabytes[1] > megabytes[0] + 100, "too little was held to show anything: \(megabytes)")
    #expect(megabytes[2] < megabytes[0] + 50, "before, while they ran, after: \(megabytes)")
  }

  /// Sends 6 MB by each of fifty streams through a proxy that delays by two seconds; prints the server's resident
  /// megabytes before, at most, and after.
  private static let streams = """
    import json, socket, sys, threading, time, urllib.request
    api, pid = "http://127.0.0.1:" + sys.argv[1], sys.argv[2]
    def resident():
        with open(f"/proc/{pid}/status") as status:
            return next(int(line.split()[1]) // 1024 for line in status if line.startswith("VmRSS"))
    sink = socket.create_server(("127.0.0.1", 0), backlog=64)
    def drain(connection):
        while connection.recv(1 << 16): pass
        connection.close()
    def accept():
        while True: threading.Thread(target=drain, args=(sink.accept()[0],), daemon=True).start()
    threading.Thread(target=accept, daemon=True).start()
    def post(path, body):
        request = urllib.request.Request(api + path, json.dumps(body).encode(), {"User-Agent": "test"})
        return json.load(urllib.request.urlopen(request))
    upstream = "127.0.0.1:%d" % sink.getsockname()[1]
    proxy = post("/proxies", {"name": "p", "listen": "127.0.0.1:0", "upstream": upstream})
    post("/proxies/p/toxics", {"type": "latency", "stream": "upstream", "attributes": {"latency": 2000}})
    host, port = proxy["listen"].rsplit(":", 1)
    idle = socket.create_connection((host, int(port)))
    before, most = resident(), 0
    def stream():
        with socket.create_connection((host, int(port))) as connection:
            connection.sendall(bytes(6_000_000))
            connection.shutdown(socket.SHUT_WR)
            connection.recv(1)
    streams = [threading.Thread(target=stream) for _ in range(50)]
    for each in streams: each.start()
    while any(each.is_alive() for each in streams):
        most = max(most, resident())
        time.sleep(0.02)
    after, end = resident(), time.monotonic() + 20
    while after > before + 40 and time.monotonic() < end:
        time.sleep(0.1)
        after = resident()
    print(before, most, after)
    """
}

private func parsed(_ text: String) throws -> [String: Any] { try json(text) }
