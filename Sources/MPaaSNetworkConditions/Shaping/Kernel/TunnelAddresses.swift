/// The names and addresses of one tunnel: four addresses of `10.213.0.0/16`, by a number that no other tunnel uses.
package struct TunnelAddresses: Sendable, Hashable {
  package let slot: Int

  package static let slots = 1 << 14
  private static let base: UInt32 = 10 << 24 | 213 << 16
  package static let prefix = 30
  package static let mtu = 1500

  package init(slot: Int) {
    self.slot = slot % Self.slots
  }

  package var network: UInt32 { Self.base + UInt32(slot) * 4 }
  /// The address of the outer device: the host, as a program in the namespace sees it.
  package var gateway: UInt32 { network + 1 }
  /// The address of the program.
  package var inside: UInt32 { network + 2 }
  package var outerDevice: String { "mpaas\(slot)" }
  package static let innerDevice = "mpaas0"

  package static func text(_ address: UInt32) -> String {
    (0..<4).reversed().map { String(address >> UInt32($0 * 8) & 0xff) }.joined(separator: ".")
  }

  /// Tells whether a route of the host leads to some of the addresses; wide routes, such as those of a private
  /// network's default way, do not count, since ours is narrower.
  ///
  /// - Parameter routes: `/proc/net/route`: fields at tabs, addresses in hexadecimal, in the host's byte order.
  package func isTaken(in routes: String) -> Bool {
    routes.split(separator: "\n").dropFirst().contains { line in
      let fields = line.split(separator: "\t").map { $0.filter { $0 != " " } }
      guard fields.count > 7, let destination = UInt32(fields[1], radix: 16), let mask = UInt32(fields[7], radix: 16)
      else { return false }
      let (net, bits) = (UInt32(bigEndian: destination), UInt32(bigEndian: mask))
      return bits.nonzeroBitCount > 16 && (network & bits == net || net & 0xffff_fffc == network)
    }
  }
}

/// The rules of the host that lead packets of a tunnel to the world and back.
package struct TunnelRules: Sendable, Hashable {
  package let addresses: TunnelAddresses
  /// The port of 127.0.0.1 that answers names; nil where there is none.
  package let resolver: UInt16?

  package init(addresses: TunnelAddresses, resolver: UInt16?) {
    self.addresses = addresses
    self.resolver = resolver
  }

  private var device: String { addresses.outerDevice }
  private var subnet: String { "\(TunnelAddresses.text(addresses.network))/\(TunnelAddresses.prefix)" }
  private var gateway: String { TunnelAddresses.text(addresses.gateway) }

  /// By iptables, in front of what a firewall there may forbid.
  package var iptables: [ReversibleCommand] {
    func rule(_ chain: String, _ match: String, _ target: String, table: String = "nat") -> ReversibleCommand {
      let start = "iptables -w -t \(table)"
      let rest = "\(chain) \(match) -m comment --comment \(device) -j \(target)"
      return ReversibleCommand("\(start) \(table == "nat" ? "-A" : "-I") \(rest)", undo: "\(start) -D \(rest)")
    }
    let toHost = "-i \(device) -d \(gateway)"
    return names.map { transport, port in
      rule("PREROUTING", "\(toHost) -p \(transport) --dport 53", "DNAT --to-destination 127.0.0.1:\(port)")
    } + [
      rule("PREROUTING", toHost, "DNAT --to-destination 127.0.0.1"),
      rule("POSTROUTING", "-s \(subnet) ! -o \(device)", "MASQUERADE"),
      rule("INPUT", "-i \(device)", "ACCEPT", table: "filter"),
      rule("FORWARD", "-i \(device)", "ACCEPT", table: "filter"),
      rule("FORWARD", "-o \(device)", "ACCEPT", table: "filter"),
    ]
  }

  /// By nft, in a table of our own.
  package var nft: [ReversibleCommand] {
    [
      ReversibleCommand("nft add table ip \(device)", undo: "nft delete table ip \(device)"),
      ReversibleCommand("nft add chain ip \(device) pre { type nat hook prerouting priority -100 ; }"),
      ReversibleCommand("nft add chain ip \(device) post { type nat hook postrouting priority 100 ; }"),
    ]
      + names.map { transport, port in
        ReversibleCommand(
          "nft add rule ip \(device) pre iifname \(device) ip daddr \(gateway) \(transport) dport 53 "
            + "dnat to 127.0.0.1:\(port)")
      } + [
        ReversibleCommand("nft add rule ip \(device) pre iifname \(device) ip daddr \(gateway) dnat to 127.0.0.1"),
        ReversibleCommand("nft add rule ip \(device) post ip saddr \(subnet) oifname != \(device) masquerade"),
      ]
  }

  private var names: [(String, UInt16)] {
    guard let resolver else { return [] }
    return [("udp", resolver), ("tcp", resolver)]
  }

  /// Within the namespace: ports of its 127.0.0.1 that lead to those of the host.
  package func inner(hostPorts: [UInt16]) -> [ReversibleCommand] {
    guard !hostPorts.isEmpty else { return [] }
    let inside = TunnelAddresses.innerDevice
    return hostPorts.flatMap { port in
      ["tcp", "udp"].map {
        ReversibleCommand(
          "iptables -w -t nat -A OUTPUT -d 127.0.0.1 -p \($0) --dport \(port) -j DNAT --to-destination \(gateway)")
      }
    } + [ReversibleCommand("iptables -w -t nat -A POSTROUTING -s 127.0.0.0/8 -o \(inside) -j MASQUERADE")]
  }
}
