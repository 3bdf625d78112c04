import Foundation
import MPaaSNetwork
import MPaaSSupport
import MPaaSTestSupport
import Testing

@Suite("What the control API reads and writes") struct ControlTests {
  @Test("values are numbers in the attribute's unit, or have a unit of their own")
  func attributes() throws {
    let cases: [(Condition.Kind, String, JSONValue.Object)] = [
      (.latency, "latency=1s", ["latency": 1000]), (.latency, "latency=1m30s", ["latency": 90000]),
      (.latency, "jitter=2.5", ["jitter": .number(2.5)]), (.latency, "distribution=pareto", ["distribution": "pareto"]),
      (.bandwidth, "rate=256kbit", ["rate": 32]), (.bandwidth, "rate=100", ["rate": 100]),
      (.bandwidth, "rate=100kB/s", ["rate": 100]), (.bandwidth, "rate_bps=1.5Mbit/s", ["rate_bps": 1_500_000]),
      (.bandwidth, "shared=yes", ["shared": true]), (.slicer, "delay=1ms", ["delay": 1000]),
      (.slicer, "average_size=1KiB", ["average_size": 1024]), (.loss, "probability=2%", ["probability": .number(0.02)]),
      (.httpError, "status=503", ["status": 503]),
      (.httpError, "headers=Retry-After: 5; X-A: b", ["headers": ["Retry-After": "5", "X-A": "b"]]),
      (.httpDelay, "path=/a=b", ["path": "/a=b"]),
    ]
    for (kind, word, expected) in cases {
      let read = try kind.attributes(of: [word])
      #expect(read == expected, "\(word)")
      let others: JSONValue.Object = kind == .slicer ? ["average_size": 9] : [:]
      #expect(throws: Never.self) { try Condition(kind: kind, attributes: others.merging(read) { $1 }) }
    }
  }

  @Test("what is no value, no attribute and no word is refused")
  func refusals() {
    for (kind, word, code) in [
      (Condition.Kind.latency, "latency=soon", "net-attribute-text"), (.latency, "latency", "net-attribute-word"),
      (.latency, "rate=1", "net-attribute-unknown"), (.bandwidth, "rate=1s", "net-attribute-text"),
      (.latency, "latency=", "net-attribute-text"), (.loss, "probability=200%", "net-attribute-text"),
      (.bandwidth, "shared=maybe", "net-attribute-text"), (.dnsFailure, "answer=yes", "net-attribute-text"),
    ] {
      #expect { try kind.attributes(of: [word]) } throws: { ($0 as? NetworkError)?.code.word == code }
    }
  }

  @Test("a path comes back as it was, whatever is in it")
  func percent() {
    for text in ["a/b", "重庆 25%", "?&=#", "", "..", "%zz"] {
      #expect(PercentEncoding.decodeLeniently(PercentEncoding.encode(text).utf8) == text)
    }
    #expect(PercentEncoding.decodeLeniently("%zz%4".utf8) == "%zz%4")
    #expect(PercentEncoding.decodeLeniently("%+4".utf8) == "%+4")
    let request = ControlRequest("GET", "/proxies/a%2Fb/toxics?x=%26&y")
    #expect(request.path == ["proxies", "a/b", "toxics"])
    #expect(request.query == ["x": "&", "y": ""])
  }

  @Test("only addresses, localhost and allowed names may call the server")
  func hosts() {
    for host in ["127.0.0.1:8474", "localhost", "LOCALHOST:1", "[::1]:8474", "10.0.0.1", "proxy.test"] {
      #expect(ControlHost.isAllowed(host, names: ["proxy.test"]), "\(host)")
    }
    for host in ["evil.example", "127.0.0.1.evil.example", "[evil]", "", "localhost.evil"] {
      #expect(!ControlHost.isAllowed(host, names: ["proxy.test"]), "\(host)")
    }
  }

  private var definitions: [ProxyDefinition] {
    [
      ProxyDefinition(
        name: "重庆/\"a\"", listen: "127.0.0.1:80", upstream: "b:1",
        toxics: [
          Toxic(.latency(Latency(.microseconds(1500), jitter: .seconds(1), distribution: .pareto)), toxicity: 0.25),
          Toxic(name: "x", .noop, direction: .upstream),
        ], seed: .max),
      ProxyDefinition(
        name: "tls", kind: .tls, listen: ":0", routes: ["*.a": "b:2"],
        tls: ProxyDefinition.TLS(certificate: "c", key: "k", toUpstream: true, authorities: "x"), isEnabled: false),
    ]
  }

  @Test("what is kept is read as it was written, and whatever is damaged is refused or read")
  func kept() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/state.json"
    let state = KeptState(
      proxies: definitions, layers: ["profile": AppliedLayer(name: "3g", proxies: ["tls"], place: 2)], hasEnded: true)
    let bytes = Array(state.json.line.utf8)
    try Data(bytes).write(to: URL(filePath: path))
    #expect(try KeptState(at: path) == state)
    #expect(try KeptState(at: path + ".none") == nil)
    var random = SeededRandom(seed: 5)
    for _ in 0..<300 {
      var damaged = bytes
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        damaged[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 32...126, using: &random)
      }
      if Bool.random(using: &random) {
        damaged = Array(damaged.prefix(Int.random(in: 0..<bytes.count, using: &random)))
      }
      try Data(damaged).write(to: URL(filePath: path))
      do {
        _ = try KeptState(at: path)
      } catch {
        #expect(error.code.word == "net-state-malformed")
      }
    }
  }

  @Test("a damaged configuration is refused or read")
  func configuration() throws {
    let texts = [
      "profile = \"3g\"\n[[proxy]]\nname = \"a\"\nupstream = \"b:1\"\nroutes = { a = \"b:1\" }\n[[proxy.toxic]]\ntype = \"latency\"\nlatency = \"1s\"\n",
      #"[{"name":"a","upstream":"b:1","enabled":false,"toxics":[{"type":"loss","attributes":{"probability":"2%"}}]}]"#,
    ]
    for text in texts { #expect(try NetworkConfiguration(text, file: "f").proxies.first?.toxics.count == 1) }
    var random = SeededRandom(seed: 6)
    for round in 0..<400 {
      var bytes = Array(texts[round % 2].utf8)
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      do {
        _ = try NetworkConfiguration(String(decoding: bytes, as: UTF8.self), file: "f")
      } catch {
        #expect(error is any DiagnosticConvertible, "\(error)")
      }
    }
  }

  @Test("labels of metrics are escaped, and delays are counted up to each border")
  func metrics() {
    var statistics = ProxyStatistics(proxy: "a\"b\\c\nd")
    statistics.downstream.sent = 7
    statistics.downstream.delays[0] = 1
    statistics.downstream.delays[3] = 2
    let text = PrometheusText.text([statistics], of: [ProxyDefinition(name: "a\"b\\c\nd", listen: "l", upstream: "u")])
    let labels = #"{direction="downstream",listener="l",proxy="a\"b\\c\nd",upstream="u"}"#
    #expect(text.contains("toxiproxy_proxy_sent_bytes_total\(labels) 7\n"), "\(text)")
    #expect(text.contains("le=\"0.004\"} 1\n"))
    #expect(text.contains("le=\"0.008\"} 3\n"))
    #expect(text.contains("le=\"+Inf\"} 3\n"))
    #expect(statistics.downstream.delay(atShare: 0.99).map { (4...8).contains($0) } == true)
    #expect(statistics.upstream.delay(atShare: 0.5) == nil)
    #expect(ProxyStatistics(statistics.json.object ?? [:]) == statistics)
  }

  @Test("a timeline of the API is read as it was written")
  func timeline() throws {
    let timeline = Timeline(
      name: "t",
      steps: [
        Timeline.Step(at: .milliseconds(1500), for: .seconds(2), [Toxic(.flightMode)], label: "flight mode"),
        Timeline.Step(at: .seconds(5), [Toxic(.blackout, direction: .upstream)], label: "blackout"),
      ], length: .seconds(60), repeats: true)
    #expect(try Timeline(api: timeline.apiJSON.object ?? [:]) == timeline)
  }
}
