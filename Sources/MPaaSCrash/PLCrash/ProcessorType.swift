/// Mach's numbers of a processor, and the names that Apple's reports give it.
///
/// - Source: `<mach/machine.h>`.
struct ProcessorType: Equatable {
  /// 1 where type and subtype are Mach's; other encodings are not defined.
  var encoding: UInt64 = 1
  var type: UInt64
  var subtype: UInt64

  private static let is64: UInt64 = 0x0100_0000
  private static let arm: UInt64 = 12
  private static let x86: UInt64 = 7
  private static let powerPC: UInt64 = 18

  /// The subtype without the bits for capabilities.
  private var plainSubtype: UInt64 { subtype & 0x00ff_ffff }

  var isARM: Bool { encoding == 1 && type & 0x00ff_ffff == Self.arm }

  /// `ARM-64`, `X86`, …; nil for a processor without a name.
  var codeType: String? {
    guard encoding == 1 else { return nil }
    switch type {
    case Self.arm: return "ARM"
    case Self.arm | Self.is64: return "ARM-64"
    case Self.x86: return "X86"
    case Self.x86 | Self.is64: return "X86-64"
    case Self.powerPC: return "PPC"
    default: return nil
    }
  }

  /// `arm64e`, `i386`, …, as a list of images has them; nil for a processor without a name.
  var architecture: String? {
    guard encoding == 1 else { return nil }
    switch (type, plainSubtype) {
    case (Self.arm, 6): return "armv6"
    case (Self.arm, 9): return "armv7"
    case (Self.arm, 11): return "armv7s"
    case (Self.arm, _): return "arm-unknown"
    case (Self.arm | Self.is64, 0): return "arm64"
    case (Self.arm | Self.is64, 1): return "armv8"
    case (Self.arm | Self.is64, 2): return "arm64e"
    case (Self.arm | Self.is64, _): return "arm64-unknown"
    case (Self.x86, _): return "i386"
    case (Self.x86 | Self.is64, _): return "x86_64"
    case (Self.powerPC, _): return "powerpc"
    default: return nil
    }
  }

  /// The processor that a name in a report stands for.
  init?(architecture: String) {
    switch architecture {
    case "armv6": self.init(type: Self.arm, subtype: 6)
    case "armv7", "arm", "ARM": self.init(type: Self.arm, subtype: 9)
    case "armv7s": self.init(type: Self.arm, subtype: 11)
    case "arm64", "aarch64", "ARM-64": self.init(type: Self.arm | Self.is64, subtype: 0)
    case "armv8": self.init(type: Self.arm | Self.is64, subtype: 1)
    case "arm64e": self.init(type: Self.arm | Self.is64, subtype: 2)
    case "i386", "i686", "x86", "X86": self.init(type: Self.x86, subtype: 3)
    case "x86_64", "amd64", "X86-64": self.init(type: Self.x86 | Self.is64, subtype: 3)
    case "powerpc", "ppc", "PPC": self.init(type: Self.powerPC, subtype: 0)
    default: return nil
    }
  }

  init(encoding: UInt64 = 1, type: UInt64, subtype: UInt64) {
    self.encoding = encoding
    self.type = type
    self.subtype = subtype
  }

  /// The processor of reports from before processors were written: `Architecture` of `PLCrashReport.proto`.
  init?(legacy number: UInt64) {
    switch number {
    case 0: self.init(type: Self.x86, subtype: 3)
    case 1: self.init(type: Self.x86 | Self.is64, subtype: 3)
    case 2: self.init(type: Self.arm, subtype: 6)
    case 3: self.init(type: Self.powerPC, subtype: 0)
    case 4: self.init(type: Self.powerPC | Self.is64, subtype: 0)
    case 5: self.init(type: Self.arm, subtype: 9)
    default: return nil
    }
  }

  /// The number of `Architecture` for this processor; 6 is "unknown", as newer ones are.
  var legacyNumber: UInt64 {
    switch (type, subtype) {
    case (Self.x86, _): 0
    case (Self.x86 | Self.is64, _): 1
    case (Self.arm, 6): 2
    case (Self.arm, _): 5
    case (Self.powerPC, _): 3
    default: 6
    }
  }
}
