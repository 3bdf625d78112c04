import MPaaSSupport

/// A kind of file that is read, by its first bytes.
enum ContentKind {
  case machO, fat, elf, library, zip

  private static let machOs: [[UInt8]] = [
    [0xce, 0xfa, 0xed, 0xfe], [0xcf, 0xfa, 0xed, 0xfe], [0xfe, 0xed, 0xfa, 0xce], [0xfe, 0xed, 0xfa, 0xcf],
  ]

  init?(_ head: Slice<UnsafeRawBufferPointer>) {
    guard head.count >= 4 else { return nil }
    if Self.machOs.contains(where: { head.starts(with: $0) }) {
      self = .machO
    } else if head.starts(with: [0xca, 0xfe, 0xba, 0xbe]) || head.starts(with: [0xca, 0xfe, 0xba, 0xbf]) {
      // A class of Java's begins alike; its version stands where the number of images would.
      guard head.count >= 8, head.dropFirst(4).prefix(3).allSatisfy({ $0 == 0 }),
        head[head.startIndex + 7] < 45
      else { return nil }
      self = .fat
    } else if head.starts(with: [0x7f, 0x45, 0x4c, 0x46]) {
      self = .elf
    } else if head.starts(with: Array("!<arch>\n".utf8)) {
      self = .library
    } else if head.starts(with: [0x50, 0x4b, 3, 4]) || head.starts(with: [0x50, 0x4b, 5, 6]) {
      self = .zip
    } else {
      return nil
    }
  }

  /// Tells whether a file is in an app, a framework or an archive of such.
  static func isInApp(_ path: String) -> Bool {
    let parts = path.utf8.split(separator: UInt8(ascii: "/")).dropLast()
    return parts.contains { part in homes.contains { part.count > $0.count && part.suffix($0.count).elementsEqual($0) }
    }
  }

  private static let homes = [
    ".app", ".appex", ".framework", ".xcframework", ".xcarchive", ".ipa", ".apk", ".aab", ".zip", ".bundle",
  ].map { Array($0.utf8) }

  /// Tells whether a file is a property list or a manifest that says something of an app, by its name.
  static func isDocument(_ path: String) -> Bool {
    let name = FileSystem.name(of: path)
    return name == "Info.plist" || name == "AndroidManifest.xml" || name.hasSuffix(".xcprivacy")
  }
}

/// Files by which libraries of Android tell their version: `META-INF/androidx.core_core.version`.
enum NotedLibraries {
  static func name(of path: String) -> String? {
    guard let start = path.firstRange(of: "META-INF/"), path.hasSuffix(".version") else { return nil }
    let name = path[start.upperBound...].dropLast(".version".count)
    guard !name.isEmpty, !name.contains("/") else { return nil }
    return String(name.replacing("_", with: ":", maxReplacements: 1))
  }
}
