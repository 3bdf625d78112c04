#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The facts about this device that the system tells without being asked for a permission.
public enum SystemFacts {
  /// `model` (`iPhone15,2`, `x86_64`), `system` and its version.
  public static var current: [String: String] {
    var names = utsname()
    guard uname(&names) == 0 else { return [:] }
    let version = ProcessInfo.processInfo.operatingSystemVersion
    return [
      "model": text(names.machine), "system": text(names.sysname),
      "system_version": "\(version.majorVersion).\(version.minorVersion).\(version.patchVersion)",
    ]
  }

  /// The text in a field of C, which ends at its first zero.
  private static func text<Field>(_ field: Field) -> String {
    withUnsafeBytes(of: field) { bytes in String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self) }
  }
}
