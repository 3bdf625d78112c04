import MPaaSSupport

/// The facts of a dump about the machine and its system.
struct MinidumpSystem {
  /// Windows' number for the processor, with Breakpad's additions.
  private(set) var processor: UInt16 = 0xffff
  private(set) var platform: UInt32 = .max
  private(set) var version = ""
  private(set) var build = ""
  private(set) var kernel: String?

  init(processor: UInt16, platform: UInt32) {
    self.processor = processor
    self.platform = platform
  }

  init(_ file: MinidumpFile) {
    guard let stream = file.stream(7) else { return }
    let info = file.record(.systemInfo, at: stream.offset, end: stream.offset + stream.size)
    processor = info["processor_architecture"]?.integer() ?? 0xffff
    platform = info["platform_id"]?.integer() ?? 0
    let numbers = ["major_version", "minor_version", "build_number"].map { name -> UInt32 in
      info[name]?.integer() ?? 0
    }
    version = numbers.map { "\($0)" }.joined(separator: ".")
    build = info["csd_version"]?.string ?? ""
    guard isLinux else { return }
    // Here the service pack is what `uname -srvmo` says: the system, the release, the build, the machine.
    let words = build.split(separator: " ").map(String.init)
    if words.count > 1, words[0] == "Linux" { kernel = words.dropFirst().joined(separator: " ") }
    if numbers == [0, 0, 0] { version = kernel?.split(separator: " ").first.map(String.init) ?? "" }
    build = ""
  }

  var isWindows: Bool { (0...3).contains(platform) }
  var isApple: Bool { platform == 0x8101 || platform == 0x8102 }
  var isLinux: Bool { [0x8201, 0x8203].contains(platform) }

  /// - Source: `MDOSPlatform` of Breakpad's `minidump_format.h`.
  var name: String {
    switch platform {
    case 0: "Windows 3.1"
    case 1: "Windows"
    case 2: "Windows NT"
    case 3: "Windows CE"
    case 0x8000: "Unix"
    case 0x8101: "macOS"
    case 0x8102: "iOS"
    case 0x8201: "Linux"
    case 0x8202: "Solaris"
    case 0x8203: "Android"
    case 0x8204: "PS3"
    case 0x8205: "NaCl"
    case 0x8206: "Fuchsia"
    default: platform == .max ? "" : "Unknown (0x\(String(platform, radix: 16)))"
    }
  }

  var cpuType: String {
    switch processor {
    case 0, 10: "X86"
    case 9: "X86-64"
    case 5: "ARM"
    case 12, 0x8003: "ARM-64"
    case 1: "MIPS"
    case 0x8004: "MIPS-64"
    case 3: "PPC"
    case 0x8002: "PPC-64"
    case 0x8001: "SPARC"
    default: "Unknown"
    }
  }

  /// As `uname -m` or Apple's `arch` names the processor.
  var architecture: String {
    switch processor {
    case 0, 10: isApple ? "i386" : "i686"
    case 9: "x86_64"
    case 5: "arm"
    case 12, 0x8003: isApple ? "arm64" : "aarch64"
    case 1: "mips"
    case 0x8004: "mips64"
    case 3: "ppc"
    case 0x8002: "ppc64"
    default: ""
    }
  }

  var is32Bit: Bool { [0, 10, 5, 1, 3].contains(processor) }

  /// The addresses where the linker puts programs that are not position-independent, so that their addresses are the
  /// file's own.
  var fixedBases: Set<UInt64> {
    guard isLinux else { return [] }
    switch processor {
    case 9, 12, 0x8003: return [0x40_0000]
    case 0: return [0x0804_8000]
    case 5: return [0x8000, 0x1_0000]
    default: return []
    }
  }
}
