import MPaaSSupport

extension LineTable {
  func joinedPath(_ number: UInt32, of unit: DWARFUnit) -> String? { header.joinedPath(number, of: unit) }
}

extension LineHeader {
  /// Joins a file's name with its directory and the compilation directory, as far as neither is absolute.
  ///
  /// Directory 0 of DWARF 5 is the compilation directory and is not joined with itself. Nothing is normalised:
  /// `.` and `..` stay, since a link may stand before them.
  func joinedPath(_ number: UInt32, of unit: DWARFUnit) -> String? {
    guard let entry = file(number), let name = unit.text(entry.name, in: unit.file.lines).map(unit.revealed) else {
      return nil
    }
    if SourcePath.isAbsolute(name) { return String(utf8: name) }
    let directory = directory(entry.directory).flatMap { unit.text($0, in: unit.file.lines) }.map(unit.revealed)
    var path = SourcePath()
    let isRelative = !(directory.map(SourcePath.isAbsolute) ?? false)
    if isRelative, version < 5 || entry.directory != 0, let base = unit.compilationDirectory {
      path.append(unit.revealed(base))
    }
    if let directory { path.append(directory) }
    path.append(name)
    return path.text
  }
}

/// A path that is put together from bytes.
struct SourcePath {
  private var bytes: [UInt8] = []
  private static let slash = UInt8(ascii: "/")
  private static let backslash = UInt8(ascii: "\\")

  /// Tells whether a path starts at a root, of POSIX or of Windows.
  static func isAbsolute(_ path: UnsafeRawBufferPointer) -> Bool {
    guard let first = path.first else { return false }
    if first == slash || first == backslash { return true }
    // C:\ or C:/
    guard path.count >= 3, path[1] == UInt8(ascii: ":") else { return false }
    let isLetter = (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(first | 0x20)
    return isLetter && (path[2] == backslash || path[2] == slash)
  }

  /// Adds a component, with one separator between.
  mutating func append(_ component: UnsafeRawBufferPointer) {
    guard !component.isEmpty else { return }
    if bytes.last == Self.slash {
      bytes.append(contentsOf: component.drop { $0 == Self.slash })
      return
    }
    if !bytes.isEmpty, component.first != Self.slash { bytes.append(Self.slash) }
    bytes.append(contentsOf: component)
  }

  var text: String { String(decoding: bytes, as: UTF8.self) }
}
