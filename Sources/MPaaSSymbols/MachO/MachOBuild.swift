/// The system that a Mach-O image was built for, and the oldest version of it.
///
/// Source: `mach-o/loader.h`, `build_version_command` and `version_min_command`.
package struct MachOBuild: Sendable, Hashable {
  package struct Platform: RawRepresentable, Sendable, Hashable {
    package let rawValue: UInt32

    package init(rawValue: UInt32) {
      self.rawValue = rawValue
    }

    package static let macos = Platform(rawValue: 1)
    package static let ios = Platform(rawValue: 2)
    package static let tvos = Platform(rawValue: 3)
    package static let watchos = Platform(rawValue: 4)
    package static let macCatalyst = Platform(rawValue: 6)
    package static let iosSimulator = Platform(rawValue: 7)
    package static let tvosSimulator = Platform(rawValue: 8)
    package static let watchosSimulator = Platform(rawValue: 9)
    package static let visionos = Platform(rawValue: 11)
    package static let visionosSimulator = Platform(rawValue: 12)

    /// As Apple's tools name it; the number where it has no name.
    package var name: String {
      switch self {
      case .macos: "macos"
      case .ios: "ios"
      case .tvos: "tvos"
      case .watchos: "watchos"
      case .macCatalyst: "maccatalyst"
      case .iosSimulator: "ios-simulator"
      case .tvosSimulator: "tvos-simulator"
      case .watchosSimulator: "watchos-simulator"
      case .visionos: "visionos"
      case .visionosSimulator: "visionos-simulator"
      default: "platform-\(rawValue)"
      }
    }
  }

  package let platform: Platform
  /// Major, minor and patch in 16, 8 and 8 bits.
  package let minimum: UInt32

  package var minimumNumbers: [UInt64] {
    [UInt64(minimum >> 16), UInt64(minimum >> 8 & 0xff), UInt64(minimum & 0xff)]
  }

  /// The platforms of `LC_VERSION_MIN_MACOSX`, `_IPHONEOS`, `_TVOS` and `_WATCHOS`, which do not tell simulators.
  static let olderCommands: [UInt32: Platform] = [0x24: .macos, 0x25: .ios, 0x2f: .tvos, 0x30: .watchos]
}

extension MachOImage {
  /// The systems that the image was built for; none where it does not say.
  package var builds: [MachOBuild] { commands.builds }
}
