import CommandKit
import MPaaSNetworkConditions
import MPaaSSupport
import MPaaSTerminal
import MPaaSToolSupport

extension Examination {
  /// The commands of the system that shape networks and lead packets; macOS brings its own.
  var netPrograms: DoctorCheck {
    #if os(Linux)
      // One of the last two is enough.
      var missing = ["ip", "tc"].filter { !machine.has($0) }
      if !machine.has("iptables"), !machine.has("nft") { missing.append("iptables") }
      guard missing.isEmpty else {
        let lines = Set(missing.compactMap { SystemPackage.network($0)?.line() }).sorted().joined(separator: "; ")
        // Without the rights for them nothing would call them.
        let status: DoctorCheck.Status = ShapingSystem.isPrivileged ? .bad : .warning
        let names = missing.joined(separator: ", ")
        return DoctorCheck(
          "net-programs", status, text("net-programs-missing", ["names": names]),
          help: text("net-programs-help", ["install": lines]))
      }
      return DoctorCheck("net-programs", .good, machine.has("iptables") ? "ip, tc, iptables" : "ip, tc, nft")
    #else
      return DoctorCheck("net-programs", .good, "dnctl, pfctl")
    #endif
  }

  /// Tells whether a program's whole network can be put under conditions, or only what goes through proxies.
  func netRights() async -> DoctorCheck {
    #if os(Linux)
      if let obstacle = await TunnelDevice.obstacle() {
        let reason = context.catalogue.clause(obstacle.diagnostic.id.name, obstacle.diagnostic.values)
        return DoctorCheck("net-rights", .warning, reason, help: text("net-rights-help"))
      }
    #endif
    return DoctorCheck("net-rights", .good, text("net-rights-good"))
  }

  /// The second program, which the command becomes for whatever serves or proxies.
  var serverProgram: DoctorCheck {
    do {
      return DoctorCheck("server-program", .good, try ServerBinary(environment: context.environment).path)
    } catch {
      return DoctorCheck("server-program", .warning, text("absent"), help: text("server-program-help"))
    }
  }
}
