/// Adds up what the samples of a journal count.
struct TrafficTally {
  private let begin: Double
  private var proxies: [String: NetworkReport.Proxy] = [:]
  /// The proxies in the order in which they came.
  private var order: [String] = []
  private var delays: [String: (up: [Int64], down: [Int64])] = [:]
  private var before: [String: ProxyStatistics] = [:]
  private var lastTime: Double?
  private(set) var points: [NetworkReport.Point] = []
  private static let buckets = 21

  init(begin: Double, states: [Journal.State]) {
    self.begin = begin
    for state in states {
      for proxy in state.proxies {
        var known = proxies[proxy.name] ?? NetworkReport.Proxy(name: proxy.name)
        if proxies[proxy.name] == nil { order.append(proxy.name) }
        known.kind = proxy.kind
        known.listen = proxy.listen
        known.upstream = proxy.upstream
        proxies[proxy.name] = known
      }
    }
  }

  var allProxies: [NetworkReport.Proxy] {
    order.compactMap { name in
      var proxy = proxies[name]
      proxy?.up.delays = delays[name].flatMap { NetworkReport.Delays($0.up) }
      proxy?.down.delays = delays[name].flatMap { NetworkReport.Delays($0.down) }
      return proxy
    }
  }

  mutating func add(_ sample: Journal.Sample) {
    if sample.isFirst {
      before = [:]
      lastTime = nil
    }
    let duration = sample.time - (lastTime ?? sample.time)
    var point = NetworkReport.Point(time: sample.time - begin, duration: duration, up: 0, down: 0, open: 0)
    var late = [Int64](repeating: 0, count: Self.buckets)
    for now in sample.proxies {
      let (up, down) = add(now)
      for index in 0..<Self.buckets { late[index] += up.delays[index] + down.delays[index] }
      point.up += Double(up.sent) * 8
      point.down += Double(down.sent) * 8
      point.open += now.openConnections
    }
    if lastTime != nil, duration > 0 {
      point.up /= duration
      point.down /= duration
      point.delays = NetworkReport.Delays(late)
      points.append(point)
    }
    lastTime = sample.time
  }

  private mutating func add(_ now: ProxyStatistics) -> (up: Growth, down: Growth) {
    let was = before[now.proxy] ?? ProxyStatistics(proxy: now.proxy)
    before[now.proxy] = now
    let up = Growth(now.upstream, was.upstream)
    let down = Growth(now.downstream, was.downstream)
    if proxies[now.proxy] == nil { order.append(now.proxy) }
    var proxy = proxies[now.proxy] ?? NetworkReport.Proxy(name: now.proxy)
    proxy.connections += now.connections < was.connections ? now.connections : now.connections - was.connections
    proxy.failed += max(0, now.failedConnections - was.failedConnections)
    proxy.requests += max(0, now.requests - was.requests)
    up.add(to: &proxy.up)
    down.add(to: &proxy.down)
    proxies[now.proxy] = proxy
    let empty = [Int64](repeating: 0, count: Self.buckets)
    var sum = delays[now.proxy] ?? (empty, empty)
    for index in 0..<Self.buckets {
      sum.up[index] += up.delays[index]
      sum.down[index] += down.delays[index]
    }
    delays[now.proxy] = sum
    return (up, down)
  }
}

/// The growth of one direction's counters.
private struct Growth {
  let received: Int64
  let sent: Int64
  let datagrams: Int64
  let lost: Int64
  let delays: [Int64]

  /// Counters that went back belong to a proxy that was made anew.
  init(_ now: ProxyStatistics.Traffic, _ was: ProxyStatistics.Traffic) {
    let was = now.sent < was.sent || now.received < was.received ? ProxyStatistics.Traffic() : was
    received = now.received - was.received
    sent = now.sent - was.sent
    datagrams = max(0, now.datagrams - was.datagrams)
    lost = max(0, now.lost - was.lost)
    delays = zip(now.delays, was.delays).map { max(0, $0 - $1) }
  }

  func add(to traffic: inout NetworkReport.Traffic) {
    traffic.received += received
    traffic.sent += sent
    traffic.datagrams += datagrams
    traffic.lost += lost
  }
}
