import MPaaSModules
import MPaaSSymbols

extension ModulePlatform {
  var isApple: Bool { machO != nil }

  /// Its devices, as Mach-O names them; nil for systems that use ELF.
  private var machO: MachOBuild.Platform? {
    switch self {
    case .ios: .ios
    case .macos: .macos
    case .tvos: .tvos
    case .watchos: .watchos
    case .visionos: .visionos
    case .linux, .android, .harmonyos: nil
    }
  }

  /// The processors of its devices that are still sold to; nil for any.
  private var architectures: Set<String>? {
    switch self {
    case .ios, .tvos, .visionos: ["arm64", "arm64e"]
    case .macos: ["arm64", "arm64e", "x86_64", "x86_64h"]
    case .watchos: ["arm64_32", "arm64", "arm64e", "armv7k"]
    case .linux, .android, .harmonyos: nil
    }
  }

  /// Tells whether the processor and the container are those of its devices.
  func hasProcessor(of code: CodeTarget) -> Bool {
    guard isApple else { return code.format == .elf }
    return code.format == .machO && (architectures?.contains(code.architecture) ?? true)
  }

  /// Tells whether its devices run the code; code that does not say what it was built for is believed.
  func runs(_ code: CodeTarget) -> Bool {
    guard hasProcessor(of: code) else { return false }
    return code.build.map { $0.platform == machO } ?? true
  }
}

extension CodeTarget {
  /// As findings name it: `arm64 ios-simulator`.
  var shown: String { [architecture, build?.platform.name].compactMap(\.self).joined(separator: " ") }
}
