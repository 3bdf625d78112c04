import MPaaSNetwork
import MPaaSSupport
import MPaaSTerminal

/// The end of a program, and what went over its network.
struct FinishedRun: Presentable {
  struct Traffic: Encodable {
    let bytes: Int64
    let packets: Int64
    let lost: Int64

    init(_ traffic: ProxyStatistics.Traffic) {
      bytes = traffic.sent
      packets = traffic.datagrams
      lost = traffic.lost
    }
  }

  let mode: String
  let conditions: String
  let status: Int32
  let signal: Int32?
  let pid: Int32
  let upstream: Traffic
  let downstream: Traffic

  /// - Parameter statistics: Of the network's parts, the program's own first.
  init(
    mode: String, conditions: String, status: Int32, signal: Int32?, pid: Int32, statistics: [ProxyStatistics]
  ) {
    self.mode = mode
    self.conditions = conditions
    self.status = status
    self.signal = signal
    self.pid = pid
    let main = statistics.first ?? ProxyStatistics(proxy: "")
    upstream = Traffic(main.upstream)
    downstream = Traffic(main.downstream)
  }

  var exit: ExitStatus { ExitStatus(rawValue: status) }

  /// Standard output is the program's.
  func document(_ catalogue: Catalogue) -> Document { [] }
}
