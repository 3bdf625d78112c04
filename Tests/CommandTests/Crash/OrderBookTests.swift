import Foundation
import MPaaSTestSupport
import Testing

/// The sample app of `make demo`, and what its crash becomes.
@Suite("The sample app") struct OrderBookTests {
  static let environment = ["SWIFT_BACKTRACE": "enable=no"]

  /// The report of a crash, symbolicated, as JSON.
  private func symbolicated(_ path: String, _ home: TemporaryFolder) throws -> [String: Any] {
    try json(try mpaas("crash", "symbolicate", path, "--json", home: home).output)
  }

  /// The calls of the crashed thread: function and file name.
  private func calls(_ report: [String: Any]) throws -> [String] {
    let threads = try #require(report["threads"] as? [[String: Any]])
    let index = try #require(report["faultingThread"] as? Int)
    #expect(threads[index]["name"] as? String == "matcher")
    let frames = try #require(threads[index]["frames"] as? [[String: Any]])
    return frames.map { frame in
      let file = (frame["sourceFile"] as? String)?.split(separator: "/").last ?? ""
      return "\(frame["symbol"] as? String ?? "?") \(file):\(frame["sourceLine"] ?? "")"
    }
  }

  private func check(_ report: [String: Any]) throws {
    #expect((report["exception"] as? [String: Any])?["signal"] as? String == "SIGILL")
    #expect((report["missing"] as? [Any])?.isEmpty == true)
    let calls = try calls(report)
    let wanted = ["level(at:", "take(_:", "fill(level:", "ob_sweep", "match(_:"]
    var rest = calls[...]
    for name in wanted {
      let short = name.prefix { $0 != "(" }
      let found = rest.firstIndex { $0.contains(short) }
      #expect(found != nil, "\(name) is not in \(calls)")
      if let found { rest = rest[found...].dropFirst() }
    }
    #expect(calls.contains { $0.contains(".level(at") && $0.hasSuffix("PriceLadder.swift:27") })
    #expect(calls.contains { $0.hasPrefix("ob_sweep order_book.c:") })
    let names = Set((report["threads"] as? [[String: Any]] ?? []).compactMap { $0["name"] as? String })
    #expect(names.isSuperset(of: ["feed", "matcher", "risk", "publisher"]))
  }

  @Test("crashes where it must, and its report of the next start shows Swift, C and inlined calls")
  func inProcess() throws {
    let home = try TemporaryFolder()
    let folder = home.path + "/reports"
    let crashed = try Command.run("orderbook", ["--report-to", folder], environment: Self.environment)
    #expect(crashed.signal == 4)
    let next = try Command.run(
      "orderbook", ["--report-to", folder, "--orders", "50"], environment: Self.environment)
    #expect(next.status == 0)
    let path = try #require(next.output.firstMatch(of: /its report is (.+\.ips)\n/).map { String($0.output.1) })
    let report = try symbolicated(path, home)
    try check(report)
    let crumbs = ((report["mpaas"] as? [String: Any])?["breadcrumbs"] as? [[String: Any]] ?? []).compactMap {
      $0["name"] as? String
    }
    #expect(crumbs.contains("matcher: block order 1500, 1000000 pieces"))
    let shown = try mpaas("crash", "show", path, home: home).output
    #expect(shown.contains("Version:             1.2 (34)"))
    #expect(try mpaas("crash", "list", folder, home: home).output.contains("orderbook ["))
  }

  @Test("crashes in the same way where it is watched from outside")
  func outside() throws {
    let home = try TemporaryFolder()
    let path = home.path + "/outside.ips"
    let orderbook = Command.products.appending(path: "orderbook").path
    let run = try mpaas("crash", "run", "--output", path, "--", orderbook, home: home, environment: Self.environment)
    #expect(run.status == 132)
    #expect(run.output.contains(path))
    try check(try symbolicated(path, home))
  }
}
