/// The names of Mach-O's `cpu_type_t` and `cpu_subtype_t`.
///
/// Source: XNU `osfmk/mach/machine.h`.
enum MachArchitecture {
  /// `arm64e` for 16777228 and 2; nil for a type that is not known.
  static func name(type: UInt64, subtype: UInt64) -> String? {
    // The highest byte of a subtype holds flags, such as the version of pointer authentication.
    switch (type, subtype & 0xff_ffff) {
    case (7, _): "i386"
    case (0x100_0007, 8): "x86_64h"
    case (0x100_0007, _): "x86_64"
    case (12, 6): "armv6"
    case (12, 9): "armv7"
    case (12, 11): "armv7s"
    case (12, 12): "armv7k"
    case (12, _): "arm"
    case (0x100_000c, 2): "arm64e"
    case (0x100_000c, _): "arm64"
    case (0x200_000c, _): "arm64_32"
    default: nil
    }
  }

  /// Apple's word for the kind of processor that runs images of an architecture.
  static func cpuType(_ architecture: String) -> String {
    if architecture.hasPrefix("arm64") { return "ARM-64" }
    if architecture.hasPrefix("arm") { return "ARM" }
    if architecture.hasPrefix("x86_64") { return "X86-64" }
    return ["i386", "i486", "i686", "x86"].contains(architecture) ? "X86" : architecture
  }

  /// The flavour of thread states of a kind of processor.
  static func stateFlavor(_ cpuType: String) -> String {
    switch cpuType {
    case "ARM-64": "ARM_THREAD_STATE64"
    case "ARM": "ARM_THREAD_STATE"
    case "X86-64": "x86_THREAD_STATE"
    case "X86": "x86_THREAD_STATE32"
    default: ""
    }
  }
}
