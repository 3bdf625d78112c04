import CTunnel
import MPaaSRandom
package import MPaaSSupport
import NIOCore
import Synchronization

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Two TUN devices and the conditions between them: what leaves the inner one goes upstream, what leaves the outer one
/// downstream.
///
/// Packets are carried by the thread that calls `run`; everything else may be called from anywhere.
package final class PacketTunnel: Sendable {
  /// The shaping that is to be in force.
  private struct Wanted {
    var layers: [(name: String, toxics: [Toxic])] = []
    var isChanged = false
    var isEnded = false
    /// Tells whether `run` has returned: there is no counting any more.
    var isOver = false
    /// The callers that wait for figures of now.
    var counting: [CheckedContinuation<Void, Never>] = []
  }

  private let inner: OpenFile
  private let outer: OpenFile
  private let gateway: UInt32
  private let seed: UInt64
  private let wakeUp: OpenPipe
  private let wanted = Mutex(Wanted())
  private let counted = Mutex(ProxyStatistics(proxy: "tunnel"))

  /// - Parameters:
  ///   - inner: The TUN device that a program's packets come from; not blocking.
  ///   - outer: The one that leads to the world.
  ///   - gateway: The address that tells the program that there is no network, host byte order.
  package init(
    inner: consuming OpenFile, outer: consuming OpenFile, gateway: UInt32, seed: UInt64 = 0
  ) throws(NetworkError) {
    self.inner = inner
    self.outer = outer
    self.gateway = gateway
    self.seed = seed
    do throws(FileError) {
      wakeUp = try OpenPipe(waits: false)
    } catch {
      throw .tunnel("pipe", errno: error.code.rawValue)
    }
  }

  /// Puts `toxics` in the place of those that this layer had before; layers act in the order in which they came.
  package func setLayer(_ layer: String, _ toxics: [Toxic]) {
    wanted.withLock { wanted in
      if let index = wanted.layers.firstIndex(where: { $0.name == layer }) {
        wanted.layers[index].toxics = toxics
      } else {
        wanted.layers.append((layer, toxics))
      }
      wanted.isChanged = true
    }
    wake()
  }

  /// The traffic carried until now.
  package func statistics() async -> ProxyStatistics {
    await withCheckedContinuation { continuation in
      let isOver = wanted.withLock { wanted in
        if !wanted.isOver { wanted.counting.append(continuation) }
        return wanted.isOver
      }
      if isOver { continuation.resume() } else { wake() }
    }
    return counted.withLock { $0 }
  }

  /// Has `run` return.
  package func end() {
    wanted.withLock { $0.isEnded = true }
    wake()
  }

  private func wake() { _ = write(wakeUp.writing.descriptor, "", 1) }

  /// Carries packets until `end`, or until a device is gone.
  package func run() {
    count(carry())
    let counting = wanted.withLock { wanted in
      wanted.isOver = true
      defer { wanted.counting = [] }
      return wanted.counting
    }
    for one in counting { one.resume() }
  }

  private func carry() -> Carried {
    mpaas_tunnel_exact_timers()
    var carried = Carried(
      upstream: TunnelDirection(seed: SplitMix64.mixed(seed)),
      downstream: TunnelDirection(seed: SplitMix64.mixed(seed &+ 1)))
    let watched = [inner.descriptor, outer.descriptor, wakeUp.reading.descriptor]
    var next: NIODeadline?
    while true {
      let limit = next.map { max(0, ($0 - .now()).nanoseconds) } ?? 100_000_000
      let ready = mpaas_tunnel_wait(watched, 3, limit)
      if ready < 0, ready != -EINTR { return carried }
      if ready & 4 != 0, !listen(&carried) { return carried }
      let now = NIODeadline.now()
      if ready & 1 != 0, !take(from: inner, into: &carried, .upstream, at: now) { return carried }
      if ready & 2 != 0, !take(from: outer, into: &carried, .downstream, at: now) { return carried }
      next = carry(&carried)
    }
  }

  private struct Carried {
    var upstream: TunnelDirection
    var downstream: TunnelDirection
    var isInFlight = false
  }

  /// Takes over what was changed.
  ///
  /// - Returns: Whether to go on.
  private func listen(_ carried: inout Carried) -> Bool {
    var bytes = [UInt8](repeating: 0, count: 64)
    while read(wakeUp.reading.descriptor, &bytes, bytes.count) > 0 {}
    let (layers, isChanged, isEnded, counting) = wanted.withLock { wanted in
      defer {
        wanted.isChanged = false
        wanted.counting = []
      }
      return (wanted.layers, wanted.isChanged, wanted.isEnded, wanted.counting)
    }
    if !counting.isEmpty {
      count(carried)
      for one in counting { one.resume() }
    }
    if isChanged {
      let toxics = layers.flatMap(\.toxics).filter { $0.toxicity > 0 }
      let now = NIODeadline.now()
      carried.isInFlight = toxics.contains { $0.condition == .flightMode && $0.toxicity >= 1 }
      carried.upstream.change(to: toxics.filter { $0.direction == .upstream && $0.condition.touchesPackets }, at: now)
      carried.downstream.change(
        to: toxics.filter { $0.direction == .downstream && $0.condition.touchesPackets }, at: now)
    }
    return !isEnded
  }

  /// The number of packets that are taken at once, so that those that are due do not wait long.
  private static let batch = 64
  /// More than any packet of a device with an MTU of 1500.
  private static let packetLimit = 2048

  private func take(
    from device: borrowing OpenFile, into carried: inout Carried, _ direction: Direction, at now: NIODeadline
  ) -> Bool {
    let descriptor = device.descriptor
    for _ in 0..<Self.batch {
      var packet = ByteBufferAllocator().buffer(capacity: Self.packetLimit)
      let count = packet.writeWithUnsafeMutableBytes(minimumWritableBytes: Self.packetLimit) { bytes in
        max(0, read(descriptor, bytes.baseAddress, bytes.count))
      }
      guard count > 0 else { return errno == EAGAIN || errno == EINTR || errno == EIO }
      // Packets that the system sends over IPv6 by itself, now and then, must not draw from the sequence of the seed.
      guard IPPacket(packet).isVersion4 else { continue }
      switch direction {
      case .upstream where carried.isInFlight:
        carried.upstream.refuse(packet)
        if let answer = IPPacket(packet).unreachable(from: gateway) { send(answer, to: inner) }
      case .upstream: carried.upstream.receive(packet, at: now)
      case .downstream where carried.isInFlight: carried.downstream.refuse(packet)
      case .downstream: carried.downstream.receive(packet, at: now)
      }
    }
    return true
  }

  private func carry(_ carried: inout Carried) -> NIODeadline? {
    let now = NIODeadline.now()
    let up = carried.upstream.advance(to: now) { send($0, to: outer) }
    let down = carried.downstream.advance(to: now) { send($0, to: inner) }
    guard let up, let down else { return up ?? down }
    return min(up, down)
  }

  /// A device whose queue is full loses the packet, as any link does.
  private func send(_ packet: ByteBuffer, to device: borrowing OpenFile) {
    let descriptor = device.descriptor
    packet.withUnsafeReadableBytes { bytes in
      while write(descriptor, bytes.baseAddress, bytes.count) < 0, errno == EINTR {}
    }
  }

  private func count(_ carried: Carried) {
    let (up, down) = (carried.upstream.statistics, carried.downstream.statistics)
    counted.withLock { counted in
      counted.upstream = up
      counted.downstream = down
    }
  }
}

extension Condition {
  /// Tells whether it acts on packets: streams, requests and names are the matter of proxies.
  package var touchesPackets: Bool {
    switch kind {
    case .latency, .bandwidth, .loss, .corruption, .duplicate, .reorder, .timeout, .blackout, .flightMode: true
    case .noop, .slicer, .limitData, .slowClose, .resetPeer: false
    case .httpDelay, .httpError, .httpSlowHeaders, .httpTruncatedBody, .dnsDelay, .dnsFailure: false
    }
  }
}
