import Foundation
import MPaaSTestSupport
import Testing

@Suite("mpaas doctor --for") struct DoctorPurposeTests {
  private static let purposes: [(purpose: String, first: [String], absent: [String])] = [
    ("crash", ["kit", "unwinding", "ptrace"], ["git", "swift", "server-program", "net-programs"]),
    ("modules", ["kit", "archives", "client"], ["ptrace", "serving", "net-programs"]),
    ("net", ["kit", "server-program", "net-programs"], ["archives", "ptrace", "git"]),
    ("server", ["kit", "server-program", "serving"], ["archives", "ptrace", "client"]),
  ]

  @Test("checks what the purpose needs, and nothing else", arguments: purposes)
  func checks(purpose: String, first: [String], absent: [String]) throws {
    let outcome = try mpaas("doctor", "--for", purpose, "--json")
    let checks = try #require(try json(outcome.output)["checks"] as? [[String: Any]])
    let names = checks.compactMap { $0["name"] as? String }
    #expect(Array(names.prefix(first.count)) == first)
    #expect(names.allSatisfy { !absent.contains($0) }, "\(names)")
    #expect(outcome.status == (checks.contains { $0["status"] as? String == "bad" } ? 1 : 0))
  }

  /// A folder with links to programs and nothing else.
  private static func path(_ programs: String...) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    for name in programs {
      let program = try #require(Command.find(name))
      try FileManager.default.createSymbolicLink(atPath: "\(folder.path)/\(name)", withDestinationPath: program)
    }
    return folder
  }

  #if os(Linux)
    @Test(
      "--for net is not content without iptables and nft, and says how they are installed", .tool("ip"), .tool("tc"))
    func rules() throws {
      let path = try Self.path("ip", "tc", "sh")
      let outcome = try mpaas("doctor", "--for", "net", "--json", environment: ["PATH": path.path])
      let checks = try #require(try json(outcome.output)["checks"] as? [[String: Any]])
      let check = try #require(checks.first { $0["name"] as? String == "net-programs" })
      #expect(check["status"] as? String == (geteuid() == 0 ? "bad" : "warning"))
      #expect((check["help"] as? String)?.contains("apt-get install iptables") == true, "\(check)")
      if geteuid() == 0 { #expect(outcome.status == 1) }
    }

    @Test("the line is that of the package manager that the machine has", arguments: ["dnf", "brew"])
    func installers(name: String) throws {
      let path = try Self.path("sh")
      try FileManager.default.createSymbolicLink(atPath: "\(path.path)/\(name)", withDestinationPath: "/bin/true")
      let outcome = try mpaas("doctor", "--for", "net", environment: ["PATH": path.path])
      #expect(outcome.output.contains("\(name) install iptables"), "\(outcome.output)")
    }

    @Test(
      "mpaas net run as root without iptables and nft names the program and its package, not a command of the system",
      .enabled(if: geteuid() == 0, "only root makes name spaces"), .tool("ip"), .tool("tc"))
    func run() throws {
      let path = try Self.path("ip", "tc", "sh", "true")
      let call = ["net", "run", "--mode", "namespace", "--", "true"]
      let outcome = try mpaas(call, environment: ["PATH": path.path])
      // A machine that allows no name spaces is told so first.
      if outcome.errors.contains("iptables") {
        #expect(outcome.status == 78, "\(outcome)")
        #expect(outcome.errors.contains("error: The program iptables is not installed."), "\(outcome)")
        #expect(outcome.errors.contains("apt-get install iptables"), "\(outcome)")
      } else {
        #expect(outcome.status != 0, "\(outcome)")
      }
    }
  #endif
}
