import MPaaSSupport
import Synchronization

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Writes down what happens to proxies, a JSON object a line, for `mpaas net report`.
///
/// Each line is written at once, so that a program that is killed leaves all that it told. The form is described in
/// `Documentation/NetworkProfiles.md`.
public final class NetworkJournal: Sendable {
  private let file: Mutex<OpenFile>

  /// Opens a file to be written on; one that is there is written on at its end.
  ///
  /// - Throws: A `FileError` where it cannot be made.
  public init(appendingTo path: String) throws {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw FileError.last(.create, path) }
    file = Mutex(OpenFile(descriptor: descriptor, path: path))
    write(["journal": 1, "time": JSONValue(Self.now()) ?? .null])
  }

  /// Seconds since 1970.
  public static let now: @Sendable () -> Double = { Date().timeIntervalSince1970 }

  /// Writes an event down.
  public func note(_ event: NetworkEvent) {
    var line: JSONValue.Object = [
      "event": .string(event.kind.rawValue), "time": JSONValue(event.time) ?? .null,
    ]
    if let proxy = event.proxy { line["proxy"] = .string(proxy) }
    if !event.details.isEmpty { line["details"] = .object(event.details.mapValues(JSONValue.string)) }
    write(.object(line))
  }

  /// Writes a sample of statistics down.
  public func note(_ sample: [ProxyStatistics], at time: Double = NetworkJournal.now()) {
    write(["sample": .array(sample.map(\.journalled)), "time": JSONValue(time) ?? .null])
  }

  /// Writes down what proxies there are and what holds on each.
  public func note(_ state: [ProxyDefinition], at time: Double = NetworkJournal.now()) {
    write(["state": .array(state.map(\.journalled)), "time": JSONValue(time) ?? .null])
  }

  private func write(_ line: JSONValue) {
    var bytes: [UInt8] = []
    line.append(to: &bytes)
    bytes.append(0x0a)
    file.withLock { file in
      // A journal that cannot be kept ends no proxy.
      try? file.append(bytes)
    }
  }
}

extension ProxyStatistics {
  var journalled: JSONValue {
    func traffic(_ traffic: Traffic) -> JSONValue {
      [
        "received": JSONValue(traffic.received), "sent": JSONValue(traffic.sent),
        "datagrams": JSONValue(traffic.datagrams), "lost": JSONValue(traffic.lost), "held": JSONValue(traffic.held),
        "delays": .array(traffic.delays.map { JSONValue($0) }),
      ]
    }
    return [
      "proxy": .string(proxy), "open": JSONValue(openConnections), "connections": JSONValue(connections),
      "failed": JSONValue(failedConnections), "requests": JSONValue(requests), "upstream": traffic(upstream),
      "downstream": traffic(downstream),
    ]
  }
}

extension ProxyDefinition {
  var journalled: JSONValue {
    [
      "proxy": .string(name), "kind": .string(kind.rawValue), "listen": .string(listen),
      "upstream": .string(upstream), "enabled": .bool(isEnabled),
      "toxics": .array(toxics.map { ["name": .string($0.name), "phrase": .string(ConditionPhrase.text(of: $0))] }),
    ]
  }
}
