import MPaaSSupport
package import MPaaSToolSupport

/// The way in which the running program came onto this machine.
package enum KitOrigin: Sendable, Equatable {
  /// Installed by `scripts/get`, or by an update of such a kit.
  case folder(KitFolder)
  /// A file of a package, which its manager updates by a command.
  case package(manager: String, command: String)
  /// Built here, as the name of a folder above it tells.
  case build
  /// Copied or unpacked by hand.
  case loose

  /// - Parameters:
  ///   - executable: The program's path with links resolved.
  ///   - processes: Asks the package managers that the machine has.
  package init(of executable: String, with processes: ProcessRunner) {
    if let folder = KitFolder(containing: executable) {
      self = .folder(folder)
    } else if executable.split(separator: "/").contains(where: { $0.hasPrefix(".build") }) {
      self = .build
    } else if executable.split(separator: "/").contains("Cellar") {
      self = .package(manager: "Homebrew", command: "brew upgrade mpaas")
    } else {
      self =
        Self.managers.first { $0.has(executable, processes) }
        .map { .package(manager: $0.name, command: $0.command) } ?? .loose
    }
  }

  private struct PackageManager {
    let name: String
    let query: [String]
    let command: String

    func has(_ file: String, _ processes: ProcessRunner) -> Bool {
      let outcome = try? processes.run(.init(query[0], query.dropFirst() + [file], capturesOutput: true))
      return outcome?.status == 0 && outcome?.output.isEmpty == false
    }
  }

  private static let managers = [
    PackageManager(name: "dpkg", query: ["dpkg", "-S"], command: "sudo apt install ./mpaas_VERSION_ARCH.deb"),
    PackageManager(name: "rpm", query: ["rpm", "-qf"], command: "sudo dnf upgrade mpaas"),
  ]
}
