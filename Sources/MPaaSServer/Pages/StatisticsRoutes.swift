import Hummingbird

/// The server's counts, as JSON and as Prometheus reads it.
struct StatisticsRoutes: ServerRoutes {
  private let services: ServerServices

  init(_ services: ServerServices) { self.services = services }

  /// The answer of `GET /api/v1/statistics`.
  struct Statistics: Encodable {
    /// `accepted.crash`, `duplicate.crash`, `bytes.crash`, `refused.CODE`, `left-out.ITEM` ….
    let counts: [String: Int64]
    /// Changes that wait for the disk.
    let waiting: Int
  }

  func add(to router: Router<ServerContext>) {
    let readers = router.group().add(middleware: PermissionMiddleware(.read, services))
    readers.get("/api/v1/statistics") { _, _ in
      Response.json(Statistics(counts: services.counts.all, waiting: services.store.backlog))
    }
    readers.get("/metrics") { _, _ in
      let text =
        Self.metrics(services.counts.all, waiting: services.store.backlog)
        + (services.meter.lines + [
          "# HELP mpaas_connections_open Connections that are open.", "# TYPE mpaas_connections_open gauge",
          "mpaas_connections_open \(services.connections.count)",
        ]).joined(separator: "\n") + "\n"
      return Response.bytes(Array(text.utf8), "text/plain; version=0.0.4; charset=utf-8")
    }
  }

  /// - Source: "Exposition formats", prometheus.io/docs/instrumenting/exposition_formats.
  static func metrics(_ counts: [String: Int64], waiting: Int) -> String {
    let families = [
      ("accepted", "kind", "Things stored, by kind."), ("duplicate", "kind", "Things sent again, stored once."),
      ("bytes", "kind", "Bytes of what was stored, as sent."), ("refused", "code", "Requests refused, by reason."),
      ("left-out", "item", "Items of envelopes that the server has no use for."),
      ("evicted", "kind", "Things removed since the disk's budget was used up, by kind."),
    ]
    var lines: [String] = []
    for (family, label, help) in families {
      let name = "mpaas_\(family == "left-out" ? "left_out" : family)_total"
      lines += ["# HELP \(name) \(help)", "# TYPE \(name) counter"]
      for (key, value) in counts.sorted(by: { $0.key < $1.key }) where key.hasPrefix(family + ".") {
        let word = key.dropFirst(family.count + 1).filter { $0 != "\"" && $0 != "\\" && $0 != "\n" }
        lines.append("\(name){\(label)=\"\(word)\"} \(value)")
      }
    }
    lines += [
      "# HELP mpaas_store_waiting Changes that wait for the disk.", "# TYPE mpaas_store_waiting gauge",
      "mpaas_store_waiting \(waiting)",
    ]
    return lines.joined(separator: "\n") + "\n"
  }
}
