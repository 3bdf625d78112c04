/// Names that may be made in a folder on Linux, macOS and Windows alike, and that no other program takes for its own.
///
/// - Source: Microsoft, "Naming Files, Paths, and Namespaces"; `is_ntfs_dotgit` of Git's `path.c` and `is_hfs_dotgit` of
///   its `utf8.c`, which tell the names that such file systems take for `.git`.
package enum PortablePath {
  /// A reason why a path is refused.
  package enum Rule: String, Sendable, Hashable, CaseIterable {
    /// A path that begins at the root.
    case absolute
    /// A path with a part that is `..`.
    case outside
    /// A path without parts, or with one that is empty or `.`.
    case emptyPart = "empty-part"
    /// A control character, or one that is not seen: bidi marks, joiners, line separators.
    case control
    case backslash
    /// A part that begins with a drive letter: `C:`.
    case drive
    /// The folder of Git, in which files are run, or what a file system takes for it: `.GIT`, `.git.`, `git~1`.
    case git
    /// The name of a Windows device, with or without an extension: `NUL`, `com1.txt`.
    case device
    /// A part that ends with a dot or a blank, which Windows leaves out.
    case trailing
  }

  /// The first rule that a relative path breaks; nil where it is good on every system.
  package static func rule(brokenBy path: String) -> Rule? {
    if path.utf8.first == UInt8(ascii: "/") { return .absolute }
    let parts = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    // The worst rules come first, whichever part breaks them.
    if parts.contains(where: { $0.elementsEqual("..".utf8) }) { return .outside }
    if parts.contains(where: { $0.isEmpty || $0.elementsEqual(".".utf8) }) { return .emptyPart }
    return parts.lazy.compactMap { rule(brokenByPart: Substring($0)) }.first
  }

  /// The first rule that one part of a path breaks; `.` and `..` are not looked for.
  package static func rule(brokenByPart part: Substring) -> Rule? {
    if isPlain(part) { return nil }
    if isGit(part) { return .git }
    if part.unicodeScalars.contains(where: { !isSeen($0) }) { return .control }
    let bytes = Array(part.utf8)
    if bytes.contains(UInt8(ascii: "\\")) { return .backslash }
    if bytes.count > 1, bytes[1] == UInt8(ascii: ":"), isLetter(bytes[0]) { return .drive }
    if isDevice(part) { return .device }
    if let last = bytes.last, last == UInt8(ascii: ".") || last == UInt8(ascii: " ") { return .trailing }
    return nil
  }

  /// Tells a scalar that is neither a control nor one that only changes how others look; HFS+ ignores those in names.
  package static func isSeen(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.isASCII { return scalar.value >= 0x20 && scalar.value != 0x7f }
    return switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate: false
    default: true
    }
  }

  // MARK: - Parts

  private static func isLetter(_ byte: UInt8) -> Bool { (byte | 0x20) &- UInt8(ascii: "a") < 26 }

  /// Nearly every name: letters, digits, `-`, `_` and dots inside, too long for a device or with none of its letters.
  private static func isPlain(_ part: Substring) -> Bool {
    var stem = 0, hasDot = false, last: UInt8 = 0
    for byte in part.utf8 {
      let isDot = byte == UInt8(ascii: ".")
      let isDigit = byte &- UInt8(ascii: "0") < 10
      guard isLetter(byte) || isDigit || isDot || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_") else {
        return false
      }
      hasDot = hasDot || isDot
      if !hasDot { stem += 1 }
      last = byte
    }
    // The longest device without a sign of its own is COM1; `.git` has no stem.
    return stem > 4 && last != UInt8(ascii: ".")
  }

  private static func isGit(_ part: Substring) -> Bool {
    var seen = String.UnicodeScalarView()
    seen.append(contentsOf: part.unicodeScalars.lazy.filter { isSeen($0) })
    let name = String(seen).utf8.map { isLetter($0) ? $0 | 0x20 : $0 }
    for git in [".git", "git~1"] where name.starts(with: git.utf8) {
      // Streams of NTFS, and what Windows leaves out at an end.
      let rest = name.dropFirst(git.utf8.count).prefix { $0 != UInt8(ascii: ":") && $0 != UInt8(ascii: "\\") }
      if rest.allSatisfy({ $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: " ") }) { return true }
    }
    return false
  }

  private static func isDevice(_ part: Substring) -> Bool {
    var stem = part.utf8.prefix { $0 != UInt8(ascii: ".") && $0 != UInt8(ascii: ":") }.map { byte in
      isLetter(byte) ? byte & 0xdf : byte
    }
    while stem.last == UInt8(ascii: " ") { stem.removeLast() }
    let name = String(decoding: stem, as: UTF8.self)
    if ["CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$"].contains(name) { return true }
    guard name.hasPrefix("COM") || name.hasPrefix("LPT") else { return false }
    return ["1", "2", "3", "4", "5", "6", "7", "8", "9", "¹", "²", "³"].contains(name.dropFirst(3))
  }
}
