import MPaaSSupport

/// A written `NetworkJournal`, read again.
package struct Journal: Sendable, Equatable {
  /// Statistics of all proxies at a time.
  package struct Sample: Sendable, Equatable {
    package var time: Double
    package var proxies: [ProxyStatistics]
    /// Tells whether the counters begin anew with it: another program went on with the file.
    package var isFirst: Bool
  }

  /// The state of all proxies from a time on.
  package struct State: Sendable, Equatable {
    package struct Proxy: Sendable, Equatable {
      package var name: String
      package var kind: String
      package var listen: String
      package var upstream: String
      package var isEnabled: Bool
      package var toxics: [Condition]
    }

    /// A toxic in words.
    package struct Condition: Sendable, Hashable {
      package var name: String
      package var phrase: String
    }

    package var time: Double
    package var proxies: [Proxy]
  }

  package var events: [NetworkEvent] = []
  package var samples: [Sample] = []
  package var states: [State] = []
  /// Lines that are of no form known here, such as the last of a program that was killed.
  package var unreadable = 0

  /// Reads the lines of a journal.
  ///
  /// - Parameter file: What errors name.
  /// - Throws: `NetworkError` where no line is of a journal.
  package init(_ text: String, file: String) throws(NetworkError) {
    var isFirst = true
    var hasHeader = false
    for line in text.utf8.split(separator: 0x0a) {
      guard let object = (try? JSONValue.reading(Substring(line)))?.object, let time = object["time"]?.double,
        time.isFinite, abs(time) < 1e12
      else {
        unreadable += 1
        continue
      }
      if object["journal"] != nil {
        isFirst = true
        hasHeader = true
      } else if let name = object["event"]?.string, let kind = NetworkEvent.Kind(rawValue: name) {
        events.append(
          NetworkEvent(
            time: time, kind: kind, proxy: object["proxy"]?.string,
            details: (object["details"]?.object ?? [:]).compactMapValues(\.string)))
      } else if let proxies = object["sample"]?.array {
        let read = proxies.compactMap { $0.object.flatMap(ProxyStatistics.init(journalled:)) }
        samples.append(Sample(time: time, proxies: read, isFirst: isFirst))
        isFirst = false
      } else if let proxies = object["state"]?.array {
        states.append(State(time: time, proxies: proxies.compactMap { $0.object.flatMap(State.Proxy.init) }))
      } else {
        unreadable += 1
      }
    }
    guard hasHeader else { throw NetworkError(.journalForeign, ["file": file], at: .file(file)) }
  }
}

extension Journal.State.Proxy {
  fileprivate init?(_ object: JSONValue.Object) {
    guard let name = object["proxy"]?.string else { return nil }
    self.init(
      name: name, kind: object["kind"]?.string ?? "", listen: object["listen"]?.string ?? "",
      upstream: object["upstream"]?.string ?? "", isEnabled: object["enabled"]?.bool ?? true,
      toxics: (object["toxics"]?.array ?? []).compactMap { toxic in
        guard let toxic = toxic.object, let phrase = toxic["phrase"]?.string else { return nil }
        return Journal.State.Condition(name: toxic["name"]?.string ?? "", phrase: phrase)
      })
  }
}

extension ProxyStatistics {
  fileprivate init?(journalled object: JSONValue.Object) {
    guard let name = object["proxy"]?.string else { return nil }
    func count(_ key: String, _ object: JSONValue.Object) -> Int64 { max(0, object[key]?.integer() ?? 0) }
    func traffic(_ key: String) -> Traffic {
      var traffic = Traffic()
      guard let object = object[key]?.object else { return traffic }
      traffic.received = count("received", object)
      traffic.sent = count("sent", object)
      traffic.datagrams = count("datagrams", object)
      traffic.lost = count("lost", object)
      traffic.held = Int(clamping: count("held", object))
      for (index, value) in (object["delays"]?.array ?? []).prefix(traffic.delays.count).enumerated() {
        traffic.delays[index] = max(0, value.integer() ?? 0)
      }
      return traffic
    }
    self.init(proxy: name)
    openConnections = Int(clamping: count("open", object))
    connections = count("connections", object)
    failedConnections = count("failed", object)
    requests = count("requests", object)
    upstream = traffic("upstream")
    downstream = traffic("downstream")
  }
}

extension NetworkError.Code {
  /// A file that is no journal.
  package static var journalForeign: Self { malformed("net-journal-foreign") }
}
