import MPaaSArchive
import MPaaSSupport

/// A path inside an archive that may be made in a folder.
struct ArchivePath {
  /// The name of the file that the store writes beside a module's files, so that no archive may bring it.
  static let reservedName = ".mpaas-module.json"

  /// Neither empty nor `.` nor `..`.
  let parts: [Substring]
  let text: String

  /// - Throws: `ModuleError` naming what is wrong with it.
  init(checking raw: ArchiveMember.Name, in file: String, _ limits: ModuleArchiveLimits) throws(ModuleError) {
    let whole = try Self.characters(raw, in: file, limits)
    func refused(_ code: ModuleError.Code) -> ModuleError { Self.error(code, whole, in: file) }
    guard !whole.utf8.starts(with: [UInt8(ascii: "/")]) else { throw refused(.archivePathOutside) }
    let parts = whole.split(separator: "/").filter { $0 != "." }
    guard !parts.contains("..") else { throw refused(.archivePathOutside) }
    for part in parts {
      if let rule = PortablePath.rule(brokenByPart: part) { throw refused(Self.code(of: rule)) }
    }
    guard parts.count <= limits.depth else { throw refused(.archiveTooDeep) }
    guard parts.allSatisfy({ $0.utf8.count <= limits.name }) else { throw refused(.archiveNameLong) }
    if let first = parts.first, FoldedPath(first) == FoldedPath(Self.reservedName[...]) {
      throw refused(.archiveNameReserved)
    }
    self.parts = parts
    text = parts.joined(separator: "/")
  }

  /// The target of a link, as far as its text tells.
  static func target(
    _ raw: ArchiveMember.Name?, of path: ArchivePath, in file: String, _ limits: ModuleArchiveLimits
  ) throws(ModuleError) -> String {
    guard let raw else { throw error(.archiveLinkBroken, path.text, in: file) }
    let target = try characters(raw, in: file, limits)
    guard !target.isEmpty else { throw error(.archiveLinkBroken, path.text, in: file) }
    let isForeign = target.split(separator: "/").contains { part in
      [.backslash, .drive].contains(PortablePath.rule(brokenByPart: part))
    }
    guard !target.utf8.starts(with: [UInt8(ascii: "/")]), !isForeign else {
      throw error(.archiveLinkOutside, path.text, in: file, target)
    }
    return target
  }

  private static func code(of rule: PortablePath.Rule) -> ModuleError.Code {
    switch rule {
    case .absolute, .outside, .emptyPart: .archivePathOutside
    case .control: .archiveNameControl
    case .backslash, .drive: .archivePathForeign
    case .git: .archiveNameGit
    case .device, .trailing: .archiveNameSystem
    }
  }

  private static func characters(
    _ raw: ArchiveMember.Name, in file: String, _ limits: ModuleArchiveLimits
  ) throws(ModuleError) -> String {
    guard raw.shown.utf8.count <= limits.path else {
      throw error(.archiveNameLong, String(raw.shown.prefix(60)), in: file)
    }
    guard let text = raw.text else { throw error(.archiveNameEncoding, raw.shown, in: file) }
    guard text.unicodeScalars.allSatisfy(PortablePath.isSeen) else {
      let shown = text.unicodeScalars.map { PortablePath.isSeen($0) ? String($0) : "?" }.joined()
      throw error(.archiveNameControl, shown, in: file)
    }
    return text
  }

  static func error(_ code: ModuleError.Code, _ path: String, in file: String, _ reason: String = "") -> ModuleError {
    ModuleError(code, ["file": file, "path": path, "reason": reason], at: .file(file))
  }
}

/// A name as a file system sees it that knows neither upper from lower case nor one composition of a letter from
/// another.
struct FoldedPath: Hashable {
  // A string's own equality is that of canonically equivalent characters.
  private let folded: String

  init(_ text: Substring) {
    // Upper case first: "ß" and "ss" are one name on APFS.
    folded = text.utf8.allSatisfy { $0 < 0x80 } ? text.lowercased() : text.uppercased().lowercased()
  }
}
