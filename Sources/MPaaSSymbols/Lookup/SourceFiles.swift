import MPaaSSupport

/// The source files that the line tables of an image name.
enum SourceFiles {
  /// Absolute paths without `.`, `..` and doubled slashes.
  static func named(by image: any ObjectImage, companions: DebugCompanions) -> Set<String> {
    let file = DWARFFile(image.dwarfSections, alternate: companions.alternate().map { DWARFFile($0) })
    var paths: Set<String> = []
    for index in file.headers.indices {
      guard let unit = file.unit(index), let offset = unit.root.statementList.offset,
        let header = LineHeader(unit, at: offset)
      else { continue }
      for number in 0...header.files.count {
        guard let number = UInt32(exactly: number), let path = header.joinedPath(number, of: unit) else { continue }
        if let normal = normalised(path) { paths.insert(normal) }
      }
    }
    return paths
  }

  /// An absolute path with the steps that lead nowhere taken out; nil for one that is not absolute.
  ///
  /// - Source: RFC 3986, 5.2.4.
  static func normalised(_ path: String) -> String? {
    guard path.hasPrefix("/") else { return nil }
    var parts: [Substring] = []
    for part in path.split(separator: "/") {
      if part == ".." {
        _ = parts.popLast()
      } else if part != "." {
        parts.append(part)
      }
    }
    return "/" + parts.joined(separator: "/")
  }
}
