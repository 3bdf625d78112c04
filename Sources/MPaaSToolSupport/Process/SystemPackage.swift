#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A library or program of the system, by the names of its packages.
package struct SystemPackage: Sendable, Equatable {
  /// The programs that install packages.
  package enum Installer: String, Sendable, CaseIterable {
    case apt, dnf, brew

    /// The program's name.
    var program: String { self == .apt ? "apt-get" : rawValue }

    /// The one that this machine has; nil where it has none of them.
    package static var here: Installer? {
      let path = ProgramPath.current
      return allCases.first { path.has($0.program) }
    }
  }

  private let names: [Installer: String]

  package init(apt: String, dnf: String, brew: String? = nil) {
    names = [.apt: apt, .dnf: dnf, .brew: brew ?? apt]
  }

  package static let archives = SystemPackage(apt: "libarchive13", dnf: "libarchive", brew: "libarchive")
  package static let transfers = SystemPackage(apt: "libcurl4", dnf: "libcurl", brew: "curl")
  package static let serving = SystemPackage(apt: "libmicrohttpd12", dnf: "libmicrohttpd", brew: "libmicrohttpd")
  package static let unwinding = SystemPackage(apt: "libunwind8", dnf: "libunwind", brew: "libunwind")
  package static let git = SystemPackage(apt: "git", dnf: "git")

  /// The package of a program of networks; nil where it is not known.
  package static func network(_ program: String) -> SystemPackage? {
    switch program {
    case "ip", "tc": SystemPackage(apt: "iproute2", dnf: "iproute iproute-tc")
    case "iptables": SystemPackage(apt: "iptables", dnf: "iptables-nft")
    case "nft": SystemPackage(apt: "nftables", dnf: "nftables")
    default: nil
    }
  }

  /// The command that installs it; that of Debian where no installer is known.
  ///
  /// - Parameter isRoot: True where no `sudo` is needed.
  package func line(_ installer: Installer? = .here, isRoot: Bool = geteuid() == 0) -> String {
    let installer = installer ?? .apt
    let call = "\(installer.program) install \(names[installer] ?? "")"
    return isRoot || installer == .brew ? call : "sudo " + call
  }
}
