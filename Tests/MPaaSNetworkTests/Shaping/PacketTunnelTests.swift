import MPaaSNetwork
import MPaaSSupport
import MPaaSTestSupport
import NIOCore
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

#if os(Linux)

  /// Two namespaces of their own with a tunnel between them, and a socket in each.
  private final class TunnelScene: Sendable {
    let tunnel: PacketTunnel
    let inner: Int32
    let outer: Int32
    private let threads: [SerialThread]
    let addresses = TunnelAddresses(slot: 5)

    /// nil where the rights for it are missing.
    static func make(seed: UInt64 = 1) async throws -> TunnelScene? {
      if let obstacle = await NamespaceNetwork.obstacle() {
        print("skipped: \(obstacle.values["step"] ?? "") \(obstacle.values["reason"] ?? "")")
        return nil
      }
      return try await TunnelScene(seed: seed)
    }

    private init(seed: UInt64) async throws {
      let addresses = addresses
      func side(_ device: String, _ address: UInt32) async throws -> (SerialThread, Int32, Int32) {
        let thread = try SerialThread()
        let ends = try await thread.attempt { () throws(NetworkError) in
          try TunnelDevice.enterNewNamespace()
          let descriptor = try TunnelDevice.open(device)
          try TunnelDevice.configure(device, address)
          return (descriptor, Datagrams.open(at: address))
        }
        return (thread, ends.0, ends.1)
      }
      let inside = try await side("mpaas0", addresses.inside)
      let outside = try await side("mpaas5", addresses.gateway)
      (inner, outer) = (inside.2, outside.2)
      let packets = try SerialThread()
      threads = [inside.0, outside.0, packets]
      let tunnel = try PacketTunnel(
        inner: OpenFile(descriptor: inside.1, path: "mpaas0"), outer: OpenFile(descriptor: outside.1, path: "mpaas5"),
        gateway: addresses.gateway, seed: seed)
      self.tunnel = tunnel
      Task { await packets.perform { tunnel.run() } }
    }

    deinit {
      tunnel.end()
      close(inner)
      close(outer)
    }

    /// Waits until conditions that were set are in force.
    func settle() async throws { try await Task.sleep(for: .milliseconds(20)) }
  }

  /// UDP sockets of port 7000.
  private enum Datagrams {
    static func open(at address: UInt32) -> Int32 {
      let descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
      var name = self.name(address)
      _ = withUnsafePointer(to: &name) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, 16) }
      }
      var size: Int32 = 8 << 20
      setsockopt(descriptor, SOL_SOCKET, SO_RCVBUFFORCE, &size, 4)
      return descriptor
    }

    private static func name(_ address: UInt32) -> sockaddr_in {
      var name = sockaddr_in()
      name.sin_family = sa_family_t(AF_INET)
      name.sin_port = UInt16(7000).bigEndian
      name.sin_addr.s_addr = address.bigEndian
      return name
    }

    static func send(_ bytes: [UInt8], _ descriptor: Int32, to address: UInt32) {
      var name = self.name(address)
      _ = withUnsafePointer(to: &name) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          sendto(descriptor, bytes, bytes.count, 0, $0, 16)
        }
      }
    }

    /// nil where nothing came for so long.
    static func receive(_ descriptor: Int32, within milliseconds: Int) async -> [UInt8]? {
      let deadline = ContinuousClock.now + .milliseconds(milliseconds)
      var waited = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      // Waits beside the threads that tests share: whoever blocks them all keeps the packet from coming.
      while poll(&waited, 1, 0) != 1 {
        guard ContinuousClock.now < deadline else { return nil }
        try? await Task.sleep(for: .milliseconds(1))
      }
      var bytes = [UInt8](repeating: 0, count: 2048)
      let count = recv(descriptor, &bytes, bytes.count, 0)
      return count < 0 ? nil : Array(bytes[..<count])
    }
  }

  @Suite("A tunnel between two namespaces", .serialized) struct PacketTunnelTests {
    @Test("carries packets both ways as they are")
    func carries() async throws {
      guard let scene = try await TunnelScene.make() else { return }
      for round in 0..<50 {
        let sent = (0..<(round * 29)).map { UInt8(truncatingIfNeeded: $0 &* round) }
        Datagrams.send(sent, scene.inner, to: scene.addresses.gateway)
        #expect(await Datagrams.receive(scene.outer, within: 60_000) == sent)
        Datagrams.send(sent, scene.outer, to: scene.addresses.inside)
        #expect(await Datagrams.receive(scene.inner, within: 60_000) == sent)
      }
    }

    @Test("no packet comes before its delay, in its direction only, and a change is in force at once")
    func delay() async throws {
      guard let scene = try await TunnelScene.make() else { return }
      scene.tunnel.setLayer("profile", [Toxic(.latency(Latency(.milliseconds(80))), direction: .upstream)])
      try await scene.settle()
      var start = ContinuousClock.now
      Datagrams.send([1], scene.inner, to: scene.addresses.gateway)
      #expect(await Datagrams.receive(scene.outer, within: 60_000) == [1])
      #expect(ContinuousClock.now - start >= .milliseconds(80))
      scene.tunnel.setLayer("profile", [Toxic(.latency(Latency(.milliseconds(40))), direction: .downstream)])
      try await scene.settle()
      start = .now
      Datagrams.send([2], scene.outer, to: scene.addresses.inside)
      #expect(await Datagrams.receive(scene.inner, within: 60_000) == [2])
      #expect(ContinuousClock.now - start >= .milliseconds(40))
    }

    @Test("losses lie within binomial bounds, and the same seed loses the same packets")
    func loss() async throws {
      func arrivals() async throws -> [Int]? {
        guard let scene = try await TunnelScene.make(seed: 42) else { return nil }
        scene.tunnel.setLayer("profile", [Toxic(.loss(Loss(0.1)), direction: .upstream)])
        try await scene.settle()
        var arrived: [Int] = []
        for number in 0..<2000 {
          Datagrams.send([UInt8(number >> 8), UInt8(number & 0xff)], scene.inner, to: scene.addresses.gateway)
          // The device's queue holds 1000 packets: those that it loses are not the tunnel's.
          if number % 200 == 199 { try await Task.sleep(for: .milliseconds(20)) }
        }
        while let bytes = await Datagrams.receive(scene.outer, within: 300) {
          arrived.append(Int(bytes[0]) << 8 | Int(bytes[1]))
        }
        return arrived
      }
      guard let first = try await arrivals(), let second = try await arrivals() else { return }
      // Five standard deviations of 2000 draws at 10 %.
      #expect(abs(first.count - 1800) <= 67)
      #expect(first == second)
    }

    @Test("flight mode tells who sends, and ends as it began")
    func flightMode() async throws {
      guard let scene = try await TunnelScene.make() else { return }
      scene.tunnel.setLayer("profile", [Toxic(.flightMode, direction: .upstream), Toxic(.flightMode)])
      try await scene.settle()
      Datagrams.send([1], scene.inner, to: scene.addresses.gateway)
      #expect(await Datagrams.receive(scene.outer, within: 100) == nil)
      scene.tunnel.setLayer("profile", [])
      try await scene.settle()
      Datagrams.send([2], scene.inner, to: scene.addresses.gateway)
      #expect(await Datagrams.receive(scene.outer, within: 60_000) == [2])
    }

    @Test("a toxicity of a half touches some flows whole and others not at all")
    func toxicity() async throws {
      var direction = TunnelDirection(seed: 9)
      direction.change(to: [Toxic(.blackout, direction: .upstream, toxicity: 0.5)], at: .uptimeNanoseconds(0))
      var passed = 0
      for port in 0..<400 {
        var arrived = 0
        for round in 0..<3 {
          let packet = SamplePacket.ipv4(
            transport: 6, payload: SamplePacket.tcp(0x10, ports: (UInt16(2000 + port), 80)))
          direction.receive(packet, at: .uptimeNanoseconds(UInt64(round)))
          _ = direction.advance(to: .uptimeNanoseconds(UInt64(round))) { _ in arrived += 1 }
        }
        #expect(arrived == 0 || arrived == 3)
        passed += arrived == 3 ? 1 : 0
      }
      #expect((140...260).contains(passed))
    }
  }
#endif
