import CLibunwind
import CTrace
import CUnwind
import MPaaSSupport

/// Tells whether other processes may be traced here.
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

/// The unwinding library, which is loaded when it is first needed.
package enum UnwindLibrary {
  /// The version that the program was built for.
  package static let version = "libunwind \(UNW_VERSION_MAJOR).\(UNW_VERSION_MINOR)"

  /// The file or function that is missing here; nil where the library can be used.
  package static var missing: String? {
    #if os(Linux)
      mp_unwind_prepare() ? nil : mp_unwind_missing().map { String(cString: $0) } ?? "libunwind"
    #else
      nil
    #endif
  }
}
