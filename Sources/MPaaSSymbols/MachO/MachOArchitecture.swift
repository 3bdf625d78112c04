/// The processor that a Mach-O image is for.
///
/// Source: `mach/machine.h`; the names are those of Apple's `arch` and `lipo`.
package struct MachOArchitecture: Sendable, Hashable {
  package let type: UInt32
  package let subtype: UInt32

  private static let is64: UInt32 = 0x0100_0000
  private static let is64With32BitPointers: UInt32 = 0x0200_0000
  static let x86: UInt32 = 7
  static let arm: UInt32 = 12
  static let powerPC: UInt32 = 18
  static let x86_64 = x86 | is64
  static let arm64 = arm | is64
  static let arm64_32 = arm | is64With32BitPointers
  static let powerPC64 = powerPC | is64

  /// As users and reports name it: `arm64`, `arm64e`, `x86_64`, …; the numbers where they have no name.
  package var name: String {
    // The highest byte holds capabilities, such as the version of pointer authentication.
    let variant = subtype & 0x00ff_ffff
    switch type {
    case Self.arm64: return variant == 2 ? "arm64e" : "arm64"
    case Self.arm64_32: return "arm64_32"
    case Self.x86_64: return variant == 8 ? "x86_64h" : "x86_64"
    case Self.x86: return "i386"
    case Self.arm: return Self.armNames[variant] ?? "arm"
    case Self.powerPC: return "ppc"
    case Self.powerPC64: return "ppc64"
    case 6: return "m68k"
    case 14: return "sparc"
    default: return "cpu-\(type)-\(variant)"
    }
  }

  private static let armNames: [UInt32: String] = [
    5: "armv4t", 6: "armv6", 7: "armv5", 8: "xscale", 9: "armv7", 10: "armv7f", 11: "armv7s", 12: "armv7k",
    13: "armv8", 14: "armv6m", 15: "armv7m", 16: "armv7em",
  ]

  /// Tells whether functions in the table of starts have the lowest bit set for Thumb code.
  var hasThumb: Bool { type == Self.arm }
}

extension UInt64 {
  /// The address without the signature that pointer authentication puts into its upper bits.
  ///
  /// Apple's user addresses have 47 bits, those of its kernel have all upper bits set; bit 55 tells which one it was.
  /// Addresses of other processors stay as they are; Linux, which uses 48 bits, names the processor `aarch64`.
  ///
  /// - Parameter architecture: As Apple names it, such as `arm64e`.
  /// - Source: Arm Architecture Reference Manual, "Pointer authentication" (bit 55 selects the address range).
  package func withoutPointerAuthentication(architecture: String) -> UInt64 {
    guard architecture == "arm64" || architecture == "arm64e" || architecture == "ARM-64" else { return self }
    guard self >> 47 != 0 else { return self }
    return self & 1 << 55 != 0 ? self | ~0x7fff_ffff_ffff : self & 0x7fff_ffff_ffff
  }
}
