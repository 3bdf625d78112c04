import MPaaSSupport
import Synchronization

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The network of a program in a namespace of its own: its packets go through a tunnel, and from there by the host's
/// address to the world.
///
/// The devices and the namespace go with this process and its child, however they end. The rules of the host and the
/// forwarding of packets stay after a kill: they stand in a record from before they are made.
package final class NamespaceNetwork: RunNetwork {
  package struct Options: Sendable {
    /// Ports of the namespace's 127.0.0.1 that lead to those of the host.
    package var hostPorts: [UInt16]
    /// Its name in the record and in `mpaas doctor`.
    package var label: String
    package var seed: UInt64

    package init(hostPorts: [UInt16] = [], label: String, seed: UInt64 = 0) {
      self.hostPorts = hostPorts
      self.label = label
      self.seed = seed
    }
  }

  private let tunnel: PacketTunnel
  private let packets: SerialThread
  private let space: SerialThread
  private let names: ProxyCollection?
  private let resolver: String?
  private let ledger: ShapingLedger
  private let record: ShapingRecord
  package let addresses: TunnelAddresses
  /// The reason why names are answered by whoever `/etc/resolv.conf` says, without conditions; nil where they have
  /// them.
  package let nameProblem: NetworkError?

  package var mode: ConditionedRun.Mode { .namespace }

  /// The reason why there can be no such network here; nil where there can.
  package static func obstacle() async -> NetworkError? { await TunnelDevice.obstacle() }

  /// Makes the namespace, the tunnel and the rules of the host.
  ///
  /// - Throws: `net-namespace-refused` where the rights for it are missing.
  package init(_ options: Options, ledger: ShapingLedger, system: ShapingSystem = .live) async throws(NetworkError) {
    self.ledger = ledger
    let inside = try SerialThread()
    let inner = OpenFile(
      descriptor: try await inside.attempt { () throws(NetworkError) in
        try TunnelDevice.enterNewNamespace()
        return try TunnelDevice.open(TunnelAddresses.innerDevice)
      }, path: TunnelAddresses.innerDevice)
    let (addresses, descriptor) = try Self.outerDevice()
    let outer = OpenFile(descriptor: descriptor, path: addresses.outerDevice)
    let device = addresses.outerDevice
    Self.leaveIPv6(device)
    try TunnelDevice.configure(device, addresses.gateway)
    try Self.allowLoopback(device)
    (names, nameProblem) = await Self.nameServer(seed: options.seed)
    let port = await names?.all.first.flatMap { UInt16($0.listen.split(separator: ":").last ?? "") }
    let rules = TunnelRules(addresses: addresses, resolver: port)
    record = try Self.lay(rules, options, ledger, system)
    do throws(NetworkError) {
      try await inside.attempt { () throws(NetworkError) in
        let name = TunnelAddresses.innerDevice
        Self.leaveIPv6(name)
        try TunnelDevice.configure(name, addresses.inside)
        try TunnelDevice.route(through: addresses.gateway)
        if !options.hostPorts.isEmpty { try Self.allowLoopback(name) }
        try system.processes.perform(rules.inner(hostPorts: options.hostPorts))
      }
      resolver = port == nil ? nil : try Self.resolverFile(addresses, of: record, ledger)
      packets = try SerialThread()
      tunnel = try PacketTunnel(inner: inner, outer: outer, gateway: addresses.gateway, seed: options.seed)
    } catch {
      ledger.undo(record)
      await names?.shutdown()
      throw error
    }
    space = inside
    self.addresses = addresses
    let tunnel = tunnel
    Task { [packets] in await packets.perform { tunnel.run() } }
  }

  /// A device of a number that is free, in this thread's namespace.
  private static func outerDevice() throws(NetworkError) -> (TunnelAddresses, Int32) {
    let routes = smallFile("/proc/net/route") ?? ""
    var last: NetworkError?
    for attempt in 0..<64 {
      // By the process, so that runs at the same time seldom meet.
      let addresses = TunnelAddresses(slot: (Int(getpid()) + attempt * 257) % (TunnelAddresses.slots - 1) + 1)
      if addresses.isTaken(in: routes) { continue }
      do throws(NetworkError) {
        return (addresses, try TunnelDevice.open(addresses.outerDevice))
      } catch {
        last = error
        if error.code == .namespaceRefused { break }
      }
    }
    throw last ?? .tunnel("10.213.0.0/16", errno: EADDRINUSE)
  }

  /// Has packets of a device reach 127.0.0.1; the setting goes with the device.
  private static func allowLoopback(_ device: String) throws(NetworkError) {
    let path = "/proc/sys/net/ipv4/conf/\(device)/route_localnet"
    guard setSmallFile(path, "1") else { throw .lastTunnel(path) }
  }

  /// Without an address of IPv6 programs go on to IPv4 at once, instead of after a wait.
  private static func leaveIPv6(_ device: String) {
    _ = setSmallFile("/proc/sys/net/ipv6/conf/\(device)/disable_ipv6", "1")
  }

  /// A name server of ours in front of the system's.
  private static func nameServer(seed: UInt64) async -> (ProxyCollection?, NetworkError?) {
    let collection = ProxyCollection(threads: 1)
    do throws(NetworkError) {
      let server = try await collection.add(
        ProxyDefinition(name: "names", kind: .dns, listen: "127.0.0.1:0", seed: seed))
      guard let port = server.listen.split(separator: ":").last.flatMap({ UInt16($0) }), port > 0 else {
        return (nil, nil)
      }
      return (collection, nil)
    } catch {
      await collection.shutdown()
      return (nil, error)
    }
  }

  /// Lays the rules of the host by iptables, or by nft where that fails, after they are written down.
  private static func lay(
    _ rules: TunnelRules, _ options: Options, _ ledger: ShapingLedger, _ system: ShapingSystem
  ) throws(NetworkError) -> ShapingRecord {
    var first: NetworkError?
    for steps in [rules.iptables, rules.nft] {
      let record = ledger.record(
        .run, label: options.label, interface: rules.addresses.outerDevice, undo: steps.reversed().flatMap(\.undo),
        forwards: true)
      do throws(FileError) {
        try ledger.write(record)
      } catch {
        throw .tunnel(error.path, errno: error.code.rawValue)
      }
      do throws(NetworkError) {
        try system.processes.perform(steps)
        guard system.isForwarding() || system.setForwarding(true) else {
          throw .lastTunnel("/proc/sys/net/ipv4/ip_forward")
        }
        return record
      } catch {
        ledger.undo(record)
        first = first ?? error
      }
    }
    throw first ?? NetworkError(.tunnelFailed, ["step": "NAT", "reason": ""])
  }

  /// The program's `/etc/resolv.conf`.
  private static func resolverFile(
    _ addresses: TunnelAddresses, of record: ShapingRecord, _ ledger: ShapingLedger
  ) throws(NetworkError) -> String {
    let kept = (smallFile("/etc/resolv.conf") ?? "").split(separator: "\n").filter { line in
      ["search", "domain", "options"].contains { line.hasPrefix($0) }
    }
    let lines = ["nameserver \(TunnelAddresses.text(addresses.gateway))"] + kept.map(String.init)
    do throws(FileError) {
      return try ledger.attach(Bytes(Array((lines.joined(separator: "\n") + "\n").utf8)), to: record)
    } catch {
      throw .tunnel(error.path, errno: error.code.rawValue)
    }
  }

  package func setLayer(_ layer: String, _ toxics: [Toxic]) async throws(NetworkError) {
    tunnel.setLayer(layer, toxics)
    try await names?.setLayer(layer, toxics.filter(\.touchesNames))
  }

  package func statistics() async -> [ProxyStatistics] {
    [await tunnel.statistics()] + (await names?.statistics() ?? [])
  }

  package func run(_ program: ChildProgram) async throws(NetworkError) -> ChildProgram.End {
    var program = program
    program.resolver = resolver
    program.environment["MPAAS_NET_HOST"] = TunnelAddresses.text(addresses.gateway)
    let ready = program
    return try await space.attempt { () throws(NetworkError) in try ready.run() }
  }

  package func end() async {
    tunnel.end()
    ledger.undo(record)
    await names?.shutdown()
  }
}
