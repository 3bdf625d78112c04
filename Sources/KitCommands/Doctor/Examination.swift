import CommandKit
import MPaaSArchive
import MPaaSCrash
import MPaaSSupport
import MPaaSSymbols
import MPaaSTerminal
import MPaaSToolSupport
import MPaaSTransferTools

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Looks at the machine, one check after another.
struct Examination {
  let context: Context
  let machine: Machine

  /// The checks of a purpose, or all.
  func checks(for purpose: DoctorPurpose?) async -> [DoctorCheck] {
    switch purpose {
    case nil:
      [kit, swift, git] + libraries + [tracing, corePattern] + directories + [
        serverProgram, netPrograms, shaping, clock,
      ]
    case .crash: [kit, unwinding, tracing, corePattern, archives, client] + directories + [clock]
    case .modules: [kit, archives.needed, client.needed] + directories + [clock]
    case .net: await [kit, serverProgram.needed, netPrograms, netRights(), shaping]
    case .server: [kit, serverProgram.needed, serving.needed] + directories + [clock]
    }
  }

  func text(_ key: String, _ values: [String: String] = [:]) -> String {
    context.catalogue.text("text.doctor-" + key, values)
  }

  private var kit: DoctorCheck {
    DoctorCheck("kit", .good, "\(KitVersion.current.version) (\(KitVersion.current.platform))")
  }

  /// Swift is needed to build the kit and the apps, not to run the command.
  private var swift: DoctorCheck {
    guard let version = machine.firstLine("swift", "--version") else {
      return DoctorCheck("swift", .warning, text("absent"), help: text("swift-help"))
    }
    return DoctorCheck("swift", .good, version)
  }

  private var git: DoctorCheck {
    guard let version = machine.firstLine("git", "--version") else {
      return DoctorCheck("git", .warning, text("absent"), help: text("git-help", ["install": SystemPackage.git.line()]))
    }
    return DoctorCheck("git", .good, version.replacing("git version ", with: ""))
  }

  private var libraries: [DoctorCheck] {
    let linked = CompressionLibraries.versions.joined(separator: ", ")
    return [DoctorCheck("libraries", .good, linked), unwinding, archives, transfers]
  }

  private var unwinding: DoctorCheck {
    guard let missing = UnwindLibrary.missing else { return DoctorCheck("unwinding", .good, UnwindLibrary.version) }
    let help = text("unwinding-help", ["install": SystemPackage.unwinding.line()])
    return DoctorCheck("unwinding", .bad, text("unwinding-missing", ["name": missing]), help: help)
  }

  private var archives: DoctorCheck {
    library("archives", ArchiveStream.libraryVersion, .archives)
  }

  /// The library that fetches; that which serves is of no use to some purposes.
  private var client: DoctorCheck { library("client", TransferLibraries.client, .transfers) }
  private var serving: DoctorCheck { library("serving", TransferLibraries.server, .serving) }

  private func library(_ name: String, _ version: String?, _ package: SystemPackage) -> DoctorCheck {
    guard let version else {
      let help = text("\(name)-help", ["install": package.line()])
      return DoctorCheck(name, .warning, text("absent"), help: help)
    }
    return DoctorCheck(name, .good, version)
  }

  /// Both libraries in one line.
  private var transfers: DoctorCheck {
    let both = [client, serving]
    let found = both.filter { $0.status == .good }.map(\.detail)
    let detail = found.isEmpty ? text("absent") : found.joined(separator: ", ")
    let help = both.compactMap(\.help).joined(separator: " ")
    return DoctorCheck("transfers", help.isEmpty ? .good : .warning, detail, help: help.isEmpty ? nil : help)
  }

  private var tracing: DoctorCheck {
    let scope = machine.text("/proc/sys/kernel/yama/ptrace_scope")
    switch TracePermission.probe() {
    case .permitted where scope == nil || scope == "0":
      return DoctorCheck("ptrace", .good, text("ptrace-good"))
    case .permitted:
      return DoctorCheck(
        "ptrace", .warning, text("ptrace-children", ["scope": scope ?? ""]), help: text("ptrace-children-help"))
    case .refused(let reason):
      return DoctorCheck("ptrace", .bad, text("ptrace-refused", ["reason": reason]), help: text("ptrace-refused-help"))
    case .unsupported:
      return DoctorCheck("ptrace", .warning, text("ptrace-unsupported"))
    }
  }

  private var corePattern: DoctorCheck {
    guard let pattern = machine.text("/proc/sys/kernel/core_pattern") else {
      return DoctorCheck("core-pattern", .warning, text("absent"))
    }
    let limit = machine.coreLimit.map { ByteCount($0).description } ?? text("unlimited")
    let detail = text("core-detail", ["pattern": pattern, "limit": limit])
    if machine.coreLimit == 0 { return DoctorCheck("core-pattern", .warning, detail, help: text("core-limit-help")) }
    if pattern.hasPrefix("|") { return DoctorCheck("core-pattern", .warning, detail, help: text("core-pipe-help")) }
    return DoctorCheck("core-pattern", .good, detail)
  }

  private var directories: [DoctorCheck] {
    let all = [
      ("configuration", context.directories.configuration), ("data", context.directories.data),
      ("cache", context.directories.cache),
    ]
    return all.map { name, path in
      // Keys and what is trusted lie in the first two.
      let own = path == context.directories.cache ? nil : machine.folderProblem(path)
      if let problem = own ?? machine.writeProblem(in: path) {
        let reason = context.catalogue.clause(problem.id.name, problem.values)
        // The remedy for a folder of keys differs from that for one that cannot be written.
        let help =
          own.map { context.catalogue.text("diagnostic.\($0.id).help", $0.values) }
          ?? text("directory-help", ["path": path])
        return DoctorCheck(name, .bad, reason, help: help)
      }
      let space = machine.freeSpace(path) ?? 0
      let detail = text("directory-good", ["path": path, "free": ByteCount(space).description])
      let isTight = space < 200_000_000
      return DoctorCheck(name, isTight ? .warning : .good, detail, help: isTight ? text("space-help") : nil)
    }
  }

  /// Signatures and reports need a clock that is not far off: it must not stand before this release was made.
  private var clock: DoctorCheck {
    let now = context.now()
    let released = Date(timeIntervalSince1970: 1_788_000_000)
    let detail = now.ISO8601Format()
    guard now > released else { return DoctorCheck("clock", .bad, detail, help: text("clock-help")) }
    return DoctorCheck("clock", .good, detail)
  }
}
