/// Statistics in the text format of Prometheus (exposition format 0.0.4): toxiproxy's names, and ours beside them.
package enum PrometheusText {
  package static let type = "text/plain; version=0.0.4; charset=utf-8"

  package static func text(_ statistics: [ProxyStatistics], of proxies: [ProxyDefinition]) -> String {
    var page = Page()
    let definitions = Dictionary(proxies.map { ($0.name, $0) }) { first, _ in first }
    for (name, help, path) in counters {
      page.head("toxiproxy_proxy_\(name)", "counter", help)
      for one in statistics {
        for (direction, traffic) in directions(of: one) {
          page.line(
            "toxiproxy_proxy_\(name)",
            [
              ("direction", direction), ("listener", definitions[one.proxy]?.listen ?? ""), ("proxy", one.proxy),
              ("upstream", definitions[one.proxy]?.upstream ?? ""),
            ], "\(traffic[keyPath: path])")
        }
      }
    }
    ours(statistics, proxies, &page)
    return page.text
  }

  private typealias Traffic = ProxyStatistics.Traffic

  private static var counters: [(String, String, KeyPath<Traffic, Int64>)] {
    [
      ("received_bytes_total", "Bytes that came in.", \.received), ("sent_bytes_total", "Bytes that went on.", \.sent),
    ]
  }

  private static func directions(of one: ProxyStatistics) -> [(String, Traffic)] {
    [("upstream", one.upstream), ("downstream", one.downstream)]
  }

  private static func ours(_ statistics: [ProxyStatistics], _ proxies: [ProxyDefinition], _ page: inout Page) {
    func perProxy(_ name: String, _ type: String, _ help: String, _ value: (ProxyStatistics) -> Int64) {
      page.head("mpaas_net_\(name)", type, help)
      for one in statistics { page.line("mpaas_net_\(name)", [("proxy", one.proxy)], "\(value(one))") }
    }
    func perDirection(_ name: String, _ type: String, _ help: String, _ value: (Traffic) -> Int64) {
      page.head("mpaas_net_\(name)", type, help)
      for one in statistics {
        for (direction, traffic) in directions(of: one) {
          page.line("mpaas_net_\(name)", [("direction", direction), ("proxy", one.proxy)], "\(value(traffic))")
        }
      }
    }
    perProxy("open_connections", "gauge", "Connections that are open.") { Int64($0.openConnections) }
    perProxy("connections_total", "counter", "Connections that were opened.") { $0.connections }
    perProxy("failed_connections_total", "counter", "Connections that were refused or failed.") { $0.failedConnections }
    perProxy("requests_total", "counter", "Requests of HTTP and DNS proxies.") { $0.requests }
    perDirection("datagrams_total", "counter", "Datagrams that came in.") { $0.datagrams }
    perDirection("lost_datagrams_total", "counter", "Datagrams that were lost on purpose.") { $0.lost }
    perDirection("held_bytes", "gauge", "Bytes that are held now.") { Int64($0.held) }
    page.head("mpaas_net_proxy_enabled", "gauge", "Whether the proxy listens.")
    for proxy in proxies { page.line("mpaas_net_proxy_enabled", [("proxy", proxy.name)], proxy.isEnabled ? "1" : "0") }
    page.head("mpaas_net_toxics", "gauge", "Toxics in force.")
    for proxy in proxies { page.line("mpaas_net_toxics", [("proxy", proxy.name)], "\(proxy.toxics.count)") }
    delays(statistics, &page)
  }

  /// A histogram has no sum here: what is known of a delay is its bucket.
  private static func delays(_ statistics: [ProxyStatistics], _ page: inout Page) {
    let name = "mpaas_net_delay_seconds"
    page.head("\(name)_bucket", "counter", "Deliveries that were held at most so long.")
    for one in statistics {
      for (direction, traffic) in directions(of: one) {
        var sum: Int64 = 0
        for (index, count) in traffic.delays.enumerated() {
          sum += count
          let isLast = index == traffic.delays.count - 1
          let border = isLast ? "+Inf" : "\(Double(UInt64(1) << UInt64(index)) / 1000)"
          page.line("\(name)_bucket", [("direction", direction), ("proxy", one.proxy), ("le", border)], "\(sum)")
        }
      }
    }
  }

  private struct Page {
    var text = ""

    mutating func head(_ name: String, _ type: String, _ help: String) {
      text += "# HELP \(name) \(help)\n# TYPE \(name) \(type)\n"
    }

    mutating func line(_ name: String, _ labels: [(String, String)], _ value: String) {
      let written = labels.map { "\($0.0)=\"\(Self.escaped($0.1))\"" }.joined(separator: ",")
      text += "\(name){\(written)} \(value)\n"
    }

    private static func escaped(_ text: String) -> String {
      var result = ""
      for character in text.unicodeScalars {
        switch character {
        case "\\": result += "\\\\"
        case "\"": result += "\\\""
        case "\n": result += "\\n"
        default: result.unicodeScalars.append(character)
        }
      }
      return result
    }
  }
}
