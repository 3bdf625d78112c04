import MPaaSSupport
import MPaaSToolSupport

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Shapes interfaces by what the kernel has, and takes it back.
package struct KernelShaper: Sendable {
  private let system: ShapingSystem
  private let ledger: ShapingLedger

  package init(ledger: ShapingLedger, system: ShapingSystem = .live) {
    self.ledger = ledger
    self.system = system
  }

  /// The features of the kernel, tried in a namespace that goes away; nil where the rights to try are missing.
  package func features() async -> ShapingFeatures? {
    guard let thread = try? SerialThread() else { return nil }
    let processes = system.processes
    return try? await thread.attempt { () throws(NetworkError) in
      try TunnelDevice.enterNewNamespace()
      return ShapingFeatures.probed(by: processes)
    }
  }

  /// The interface that leads to the world.
  package static var defaultInterface: String? {
    #if os(Linux)
      return defaultInterface(in: smallFile("/proc/thread-self/net/route") ?? "")
    #else
      return "en0"
    #endif
  }

  /// - Parameter routes: `/proc/net/route`.
  package static func defaultInterface(in routes: String) -> String? {
    for line in routes.split(separator: "\n").dropFirst() {
      let fields = line.split(separator: "\t")
      if fields.count > 7, fields[1] == "00000000", fields[7] == "00000000" { return String(fields[0]) }
    }
    return nil
  }

  /// The device through which what comes in on an interface is led.
  ///
  /// - Throws: `net-interface-unknown`.
  package static func device(of interface: String) throws(NetworkError) -> String {
    let number = if_nametoindex(interface)
    // Commands are made of words: a name that is none of one's own is refused.
    guard number != 0, !interface.isEmpty, interface.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x2f && $0 < 0x7f }) else {
      throw NetworkError(.interfaceUnknown, ["interface": interface])
    }
    return "mpifb\(number)"
  }

  /// Does a plan after it is written down; what we did to the interface before is undone first.
  ///
  /// - Parameter overridesOthers: Whether a queue that somebody else made may be replaced; it does not come back.
  /// - Throws: `net-shaping-impossible`, `net-interface-occupied`, `net-shaping-refused`, `net-command-failed`.
  package func apply(
    _ plan: ShapePlan, label: String, holding: Bool, overridesOthers: Bool
  ) throws(NetworkError) -> ShapingRecord {
    guard !plan.isEmpty else { throw NetworkError(.shapingImpossible, ["interface": plan.interface]) }
    for record in ledger.all().records where record.interface == plan.interface && record.kind != .run {
      switch ledger.standing(of: record) {
      case .elsewhere: continue
      case .live: throw NetworkError(.interfaceOccupied, ["interface": plan.interface, "queue": record.label])
      case .applied, .stale, .gone: ledger.undo(record)
      }
    }
    if let queue = foreignQueue(on: plan.interface) {
      guard overridesOthers else {
        throw NetworkError(.interfaceOccupied, ["interface": plan.interface, "queue": queue])
      }
      system.processes.undo([SystemCommand("tc qdisc del dev \(plan.interface) ingress")])
    }
    let record = ledger.record(
      holding ? .hold : .shape, label: label, interface: plan.interface, undo: plan.undo)
    do throws(FileError) {
      try ledger.write(record)
    } catch {
      throw .tunnel(error.path, errno: error.code.rawValue)
    }
    do throws(NetworkError) {
      try system.processes.perform(plan.steps)
      return record
    } catch {
      ledger.remove(record)
      let reason = error.values["reason"] ?? ""
      guard reason.contains("not permitted") || reason.contains("ermission") else { throw error }
      throw NetworkError(.shapingRefused, error.values)
    }
  }

  /// Undoes what `apply` did.
  func takeBack(_ record: ShapingRecord) { ledger.undo(record) }

  /// A queue of an interface that the kernel did not make by itself.
  private func foreignQueue(on interface: String) -> String? {
    let outcome = system.processes.attempt(SystemCommand("tc -j qdisc show dev \(interface)"))
    guard outcome.status == 0, let list = Self.json(outcome.output)?.array else { return nil }
    for queue in list.compactMap(\.object) {
      let (kind, handle) = (queue["kind"]?.string ?? "", queue["handle"]?.string ?? "")
      if kind == "ingress" || kind == "clsact" { return kind }
      if queue["root"] == true, handle != "0:", handle != "\(ShapePlan.handle):" { return "\(kind) \(handle)" }
    }
    return nil
  }

  private static func json(_ text: String) -> JSONValue? {
    Array(text.utf8).withUnsafeBytes { try? JSONValue(reading: $0) }
  }
}
