import MPaaSSupport

/// The files of an app's texts.
package struct LanguageFiles: Sendable {
  package enum Kind: String, Sendable { case strings, stringsdict, xcstrings, csv }

  package struct File: Sendable, Equatable {
    package let path: String
    package let kind: Kind
    /// The file's name without its ending.
    package let table: String
    /// By its `.lproj` folder; nil for a file of all languages, and for one that lies elsewhere.
    package let language: String?

    /// Tells whether the system asks for its texts, and no source does.
    ///
    /// Those are the texts of `Info.plist`, the phrases of shortcuts, and the titles of a settings bundle.
    package var isOfSystem: Bool {
      ["InfoPlist", "AppShortcuts"].contains(table) || table.hasSuffix("-InfoPlist")
        || path.split(separator: "/").dropLast().contains { $0.hasSuffix(".bundle") && $0.hasPrefix("Settings") }
    }
  }

  package private(set) var files: [File] = []

  /// Files as they are named, and those of folders: tables in `.lproj` folders, and catalogues.
  ///
  /// - Throws: `i18n-no-table` for a path that is no table, and where there is none at all; `FileError`.
  package init(_ paths: [String]) throws {
    for path in paths {
      if FileStatus(path)?.kind == .folder {
        try walk(path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path, depth: 0)
      } else if let file = Self.file(path) {
        files.append(file)
      } else {
        throw LanguageError(.noTable, ["path": path], at: .file(path))
      }
    }
    guard !files.isEmpty else {
      let path = paths.joined(separator: " ")
      throw LanguageError(.noTable, ["path": path], at: paths.first.map { .file($0) })
    }
  }

  private mutating func walk(_ folder: String, depth: Int) throws {
    guard depth < 64 else { return }
    for (name, kind) in try FileSystem.entries(in: folder) where !name.hasPrefix(".") {
      let path = folder + "/" + name
      if kind == .folder {
        guard FileStatus(ofLink: path)?.kind == .folder else { continue }
        try walk(path, depth: depth + 1)
      } else if let file = Self.file(path), file.kind != .csv, file.kind == .xcstrings || file.language != nil {
        files.append(file)
      }
    }
  }

  package static func file(_ path: String) -> File? {
    let name = FileSystem.name(of: path)
    guard let dot = name.lastIndex(of: "."), let kind = Kind(rawValue: name[name.index(after: dot)...].lowercased())
    else { return nil }
    let folder = FileSystem.name(of: FileSystem.folder(of: path))
    let language = folder.hasSuffix(".lproj") ? String(folder.dropLast(6)) : nil
    return File(path: path, kind: kind, table: String(name[..<dot]), language: language)
  }

  /// The language that the app is developed in, by what is there.
  package func development(_ named: String?) -> String {
    if let named { return named }
    let languages = Set(files.compactMap(\.language))
    if languages.contains("en") || languages.contains("Base") || languages.isEmpty { return "en" }
    return languages.contains("zh-Hans") ? "zh-Hans" : languages.sorted().first ?? "en"
  }

  /// The tables, by name; those of one name in different folders are different tables.
  ///
  /// - Parameter language: What files are in that lie in no `.lproj` folder.
  package func tables(development: String? = nil, language: String? = nil) throws -> [TextTable] {
    let main = self.development(development)
    var tables: [TextTable] = []
    var order: [String] = []
    var groups: [String: [File]] = [:]
    for file in files {
      let id = file.kind == .xcstrings || file.kind == .csv ? file.path : Self.group(file)
      if groups[id] == nil { order.append(id) }
      groups[id, default: []].append(file)
    }
    for id in order {
      guard let group = groups[id], let first = group.first else { continue }
      if first.kind == .xcstrings {
        let catalog = try StringCatalog(try Bytes.mapping(first.path).array, file: first.path)
        var table = TextTable(catalog, name: first.table)
        table.isOfSystem = first.isOfSystem
        tables.append(table)
        continue
      }
      var table = TextTable(name: first.table, development: main)
      table.isOfSystem = first.isOfSystem
      let hasMain = group.contains { $0.language == main }
      // The language of development first, whose order and comments count.
      let isMain = group.map { name($0, main, hasMain, language) == main }
      let ordered = zip(group, isMain).filter(\.1).map(\.0) + zip(group, isMain).filter { !$0.1 }.map(\.0)
      for file in ordered { try add(file, name(file, main, hasMain, language), to: &table) }
      tables.append(table)
    }
    return tables
  }

  private static func group(_ file: File) -> String {
    let folder = FileSystem.folder(of: file.path)
    return (file.language == nil ? folder : FileSystem.folder(of: folder)) + "/" + file.table
  }

  private func name(_ file: File, _ main: String, _ hasMain: Bool, _ language: String?) -> String {
    guard let own = file.language else { return language ?? main }
    return own == "Base" && !hasMain ? main : own
  }

  private func add(_ file: File, _ language: String, to table: inout TextTable) throws {
    let bytes = try Bytes.mapping(file.path).array
    switch file.kind {
    case .strings: table.add(try StringsFile(bytes, file: file.path), language: language)
    case .stringsdict: table.add(try StringsDictionary(bytes, file: file.path), language: language)
    case .csv: try table.add(csv: bytes, file: file.path)
    case .xcstrings: break
    }
  }
}
