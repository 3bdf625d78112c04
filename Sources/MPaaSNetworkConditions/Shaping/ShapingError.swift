import MPaaSSupport

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

extension NetworkError.Code {
  /// A network namespace or a TUN device that cannot be had here.
  package static var namespaceRefused: Self { .refused("net-namespace-refused") }
  /// A step of making a tunnel that failed.
  package static var tunnelFailed: Self { NetworkError.Code("net-tunnel-failed", exit: .cannotCreate) }
  /// A program that cannot be started; it ends as in a shell.
  package static var childNotStarted: Self {
    NetworkError.Code("net-child-not-started", exit: ExitStatus(rawValue: 127))
  }
  /// A user that does not exist here.
  package static var userUnknown: Self { NetworkError.Code("net-user-unknown", exit: .inputMissing) }
  /// A command of the system that is not installed.
  package static var programMissing: Self { NetworkError.Code("net-program-missing", exit: .badConfiguration) }
  /// A command of the system that failed.
  package static var commandFailed: Self { NetworkError.Code("net-command-failed", exit: .cannotCreate) }
  /// An interface that is not there.
  package static var interfaceUnknown: Self { NetworkError.Code("net-interface-unknown", exit: .inputMissing) }
  /// An interface that somebody else shapes.
  package static var interfaceOccupied: Self { NetworkError.Code("net-interface-occupied", exit: .cannotCreate) }
  /// Conditions none of which this kernel can make.
  package static var shapingImpossible: Self { NetworkError.Code("net-shaping-impossible", exit: .unreachable) }
  /// Kernel shaping without the rights for it.
  package static var shapingRefused: Self { .refused("net-shaping-refused") }
  /// A record of what was done to the machine that cannot be read.
  package static var recordMalformed: Self { .malformed("net-shaping-record") }
}

extension NetworkError {
  /// - Parameter number: An errno, or a negated one as the C functions answer it.
  package static func tunnel(_ step: String, errno number: Int32) -> NetworkError {
    let reason = Errno(rawValue: abs(number))
    let isRefused = [.notPermitted, .permissionDenied, .noSuchFileOrDirectory, .noFunction].contains(reason)
    return NetworkError(
      isRefused ? .namespaceRefused : .tunnelFailed, ["step": step, "reason": reason.description])
  }

  package static func lastTunnel(_ step: String) -> NetworkError { tunnel(step, errno: errno) }
}
