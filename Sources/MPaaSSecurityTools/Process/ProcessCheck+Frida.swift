import CSecurity
import MPaaSSecurity
import MPaaSSupport

extension ProcessCheck {
  private static let threadNames = ["gum-js-loop", "frida", "pool-frida", "linjector"]

  /// Threads with names of Frida's agent.
  func fridaThreads() -> [Finding] {
    let folder = "/proc/\(process)/task"
    return ((try? FileSystem.names(in: folder)) ?? []).compactMap { thread in
      guard let number = UInt(thread), let text = ProcText.read("\(folder)/\(thread)/comm") else { return nil }
      let name = String(text.prefix { $0 != "\n" })
      guard Self.threadNames.contains(where: { name.hasPrefix($0) }) else { return nil }
      return Finding(.frida, .certain, name: name, number: number)
    }
  }

  /// Ports that the process listens on, and that speak Frida's protocol; none where it has a network of its own.
  func fridaPorts() -> [Finding] {
    let own = try? FileSystem.target(ofLink: "/proc/self/ns/net")
    guard let own, (try? FileSystem.target(ofLink: "/proc/\(process)/ns/net")) == own else { return [] }
    let folder = "/proc/\(process)/fd"
    let sockets = Set(
      ((try? FileSystem.names(in: folder)) ?? []).compactMap { name -> String? in
        guard let target = try? FileSystem.target(ofLink: "\(folder)/\(name)"), target.hasPrefix("socket:[") else {
          return nil
        }
        return String(target.dropFirst(8).dropLast())
      })
    guard !sockets.isEmpty else { return [] }
    let ports = ["tcp", "tcp6"].flatMap { table in
      ListeningPorts.read(ProcText.read("/proc/\(process)/net/\(table)") ?? "", sockets: sockets)
    }
    return Set(ports).sorted().filter { mp_security_is_frida_port($0, 200) }
      .map { Finding(.frida, .certain, subject: "D-Bus", number: UInt($0)) }
  }
}

/// The ports of a table as `/proc/PID/net/tcp`.
package enum ListeningPorts {
  /// The ports of sockets in the state LISTEN whose numbers are among `sockets`.
  package static func read(_ table: String, sockets: Set<String>) -> [UInt16] {
    table.split(separator: "\n").dropFirst().compactMap { line in
      let fields = line.split(separator: " ")
      guard fields.count > 9, fields[3] == "0A", sockets.contains(String(fields[9])) else { return nil }
      return fields[1].split(separator: ":").last.flatMap { UInt16($0, radix: 16) }
    }
  }
}
