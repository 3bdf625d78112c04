import CLibunwind
import CTrace
import SystemPackage

/// Whether other processes may be traced here.
package enum TracePermission: Sendable, Equatable {
  case permitted
  /// The system's reason: a container's policy, Yama, a missing capability.
  case refused(String)
  case unsupported

  /// Tries it on a child made for the purpose.
  package static func probe() -> TracePermission {
    #if os(Linux)
      let code = mp_trace_probe()
      return code == 0 ? .permitted : .refused(Errno(rawValue: code).description)
    #else
      return .unsupported
    #endif
  }
}

/// The unwinding library that is linked in.
package enum UnwindLibrary {
  package static let version = "libunwind \(UNW_VERSION_MAJOR).\(UNW_VERSION_MINOR)"
}
