package import MPaaSSupport

/// A file that is to be read.
package struct SourceFile: Sendable, Equatable {
  package var path: String
  package var language: SourceLanguage
  /// In bytes.
  package var size: Int
  /// The index of the folder or file of the call that it was found by.
  package var root: Int
}

/// The sources below folders: those whose names tell a language, without those that git ignores.
package struct SourceTree: Sendable {
  package var usesIgnoreFiles = true
  /// Patterns of paths that alone are taken; all where there is none.
  package var included: [IgnorePattern] = []
  package var excluded: [IgnorePattern] = []
  /// Patterns of paths that are read as plain text where their names tell no language.
  package var texts: [IgnorePattern] = []
  /// Languages that alone are taken; all where there is none.
  package var languages: Set<SourceLanguage> = []

  package init() {}

  /// A folder whose files say what is ignored below it.
  private struct Rules {
    /// Bytes of a path that stand before what the patterns are for.
    let start: Int
    /// The way from the folder of the patterns to the root of the walk, where that lies below it.
    var lead = ""
    let patterns: [IgnorePattern]
  }

  package func files(_ roots: [String]) throws(FileError) -> [SourceFile] {
    var files: [SourceFile] = []
    var known: Set<String> = []
    for (index, root) in roots.enumerated() {
      guard let status = FileStatus(root) else { throw FileError(.open, root, .noSuchFileOrDirectory) }
      guard status.kind == .folder else {
        // A file that is named is read, whatever its name.
        let language = SourceLanguage(path: root) ?? .text
        if known.insert(root).inserted {
          files.append(SourceFile(path: root, language: language, size: Int(clamping: status.size), root: index))
        }
        continue
      }
      var folder = root
      while folder.utf8.count > 1, folder.hasSuffix("/") { folder.removeLast() }
      for file in try walk(folder, index) where known.insert(file.path).inserted { files.append(file) }
    }
    return files
  }

  private func walk(_ root: String, _ index: Int) throws(FileError) -> [SourceFile] {
    var found: [SourceFile] = []
    let prefix = root == "." ? "" : root == "/" ? "/" : root + "/"
    var work = [(folder: root, rules: usesIgnoreFiles ? Self.rules(above: root, prefix.utf8.count) : [])]
    while let (folder, above) = work.popLast() {
      let entries: [String]
      do throws(FileError) {
        entries = try FileSystem.names(in: folder)
      } catch {
        if folder == root { throw error }
        continue
      }
      let rules = usesIgnoreFiles && entries.contains(".gitignore") ? above + Self.rules(in: folder) : above
      let start = folder == root ? prefix : folder + "/"
      var folders: [(String, [Rules])] = []
      for name in entries where !name.hasPrefix(".") {
        let path = start + name
        let language = self.language(name, path, prefix)
        guard let status = FileStatus(ofLink: path), status.kind != .other else { continue }
        let isFolder = status.kind == .folder
        guard isFolder || language != nil else { continue }
        let relative = path.dropFirst(prefix.count)
        if excluded.contains(where: { $0.matches(relative, isFolder: isFolder) }) { continue }
        if Self.ignores(rules, path, isFolder) { continue }
        if isFolder {
          folders.append((path, rules))
        } else if let language, included.isEmpty || included.contains(where: { $0.matches(relative, isFolder: false) })
        {
          found.append(SourceFile(path: path, language: language, size: Int(clamping: status.size), root: index))
        }
      }
      work += folders.reversed()
    }
    return found.sorted { $0.path < $1.path }
  }

  private func language(_ name: String, _ path: String, _ prefix: String) -> SourceLanguage? {
    var language = SourceLanguage(path: name)
    if language == nil, !texts.isEmpty,
      texts.contains(where: { $0.matches(path.dropFirst(prefix.count), isFolder: false) })
    {
      language = .text
    }
    guard let language, languages.isEmpty || languages.contains(language) else { return nil }
    return language
  }

  // MARK: Files of patterns

  /// The last pattern that is for a path decides, that of the nearest folder first.
  private static func ignores(_ rules: [Rules], _ path: String, _ isFolder: Bool) -> Bool {
    for rule in rules.reversed() {
      let relative = (rule.lead + String(Substring(path.utf8.dropFirst(rule.start))))[...]
      for pattern in rule.patterns.reversed() where pattern.matches(relative, isFolder: isFolder) {
        return !pattern.isNegated
      }
    }
    return false
  }

  /// - Parameter folder: With the spelling that paths of the walk begin with.
  private static func rules(in folder: String) -> [Rules] {
    let patterns = patterns(in: folder)
    return patterns.isEmpty ? [] : [Rules(start: folder == "." ? 0 : folder.utf8.count, patterns: patterns)]
  }

  private static func patterns(in folder: String) -> [IgnorePattern] {
    guard let bytes = try? Bytes.reading(folder + "/.gitignore", limit: 1 << 20) else { return [] }
    let text = withExtendedLifetime(bytes) { String(decoding: bytes.buffer, as: UTF8.self) }
    return text.split(whereSeparator: \.isNewline).compactMap { IgnorePattern(String($0)) }
  }

  /// The patterns of the folders above, up to that of the repository; none where there is no repository.
  private static func rules(above root: String, _ start: Int) -> [Rules] {
    guard let whole = FileSystem.resolved(root) else { return [] }
    var folder = whole
    var rules: [Rules] = []
    while FileStatus(folder + "/.git") == nil {
      guard folder != "/", folder != "." else { return [] }
      folder = FileSystem.folder(of: folder)
      let patterns = patterns(in: folder)
      let lead = String(whole.dropFirst(folder == "/" ? 1 : folder.count + 1)) + "/"
      if !patterns.isEmpty { rules.append(Rules(start: start, lead: lead, patterns: patterns)) }
    }
    return rules.reversed()
  }
}
