import MPaaSSupport

/// The kit that a created project builds on, and whose templates it is made of.
package struct Kit: Sendable, Equatable {
  /// The absolute path of a folder with the package; nil where it is a repository.
  package let path: String?
  /// A repository's address; nil where it is a folder.
  package let url: String?
  /// The folder of the kit's own templates; nil where this kit has none here.
  package let templates: String?

  package init(path: String?, url: String?, templates: String?) {
    self.path = path
    self.url = url
    self.templates = templates
  }

  /// SwiftPM's name for the package: the last part of where it is, without `.git`.
  package var identity: String {
    let name = FileSystem.name(of: path ?? url ?? "").lowercased()
    return name.hasSuffix(".git") ? String(name.dropLast(4)) : name
  }

  /// Finds the kit: what was asked for, else `MPAAS_KIT`, else `share/mpaas` beside the program's folder, else the
  /// checkout that the program was built in.
  ///
  /// - Parameters:
  ///   - wish: A folder or a repository's address, as `--kit` takes them.
  ///   - executable: The path of the program with links resolved.
  /// - Throws: `TemplateError` `kit-missing`; `kit-not-there` where what was asked for is no kit.
  package static func locate(
    _ wish: String?, environment: [String: String], executable: String
  ) throws(TemplateError) -> Kit {
    if let wish = wish ?? environment["MPAAS_KIT"].flatMap({ $0.isEmpty ? nil : $0 }) {
      guard !isAddress(wish) else {
        let own = installed(executable)?.templates ?? checkout(executable)?.templates
        return Kit(path: nil, url: wish, templates: own)
      }
      guard let folder = FileSystem.resolved(wish), let kit = kit(in: folder) else {
        throw TemplateError(.notTheKit, ["path": wish], at: .file(wish))
      }
      return kit
    }
    guard let kit = installed(executable) ?? checkout(executable) else {
      throw TemplateError(.kitMissing, ["path": FileSystem.folder(of: FileSystem.folder(of: executable))])
    }
    return kit
  }

  /// `scheme://…`, or `user@host:path` as git takes it.
  package static func isAddress(_ text: String) -> Bool {
    if let range = text.firstRange(of: "://") {
      return range.lowerBound != text.startIndex && !text[..<range.lowerBound].contains("/")
    }
    guard let colon = text.firstIndex(of: ":"), let at = text.firstIndex(of: "@") else { return false }
    return at < colon && !text[..<colon].contains("/")
  }

  private static func installed(_ executable: String) -> Kit? {
    let root = FileSystem.folder(of: FileSystem.folder(of: executable))
    let versions = FileSystem.folder(of: root)
    // Updates remove the folder of an old version; the link to the one in use stays where projects look for it.
    if FileSystem.name(of: versions) == "versions",
      let kit = kit(in: FileSystem.folder(of: versions) + "/current/share/mpaas")
    {
      return kit
    }
    return kit(in: root + "/share/mpaas")
  }

  private static func checkout(_ executable: String) -> Kit? {
    var folder = FileSystem.folder(of: executable)
    while folder != "/", folder != "." {
      if let kit = kit(in: folder) { return kit }
      folder = FileSystem.folder(of: folder)
    }
    return nil
  }

  /// A folder is the kit where its package says so.
  private static func kit(in folder: String) -> Kit? {
    guard let bytes = try? Bytes.reading(folder + "/Package.swift", limit: 1 << 20) else { return nil }
    let text = String(decoding: bytes.array, as: UTF8.self)
    guard text.contains("name: \"mpaaskit\"") else { return nil }
    let templates = folder + "/templates"
    return Kit(path: folder, url: nil, templates: FileStatus(templates)?.kind == .folder ? templates : nil)
  }
}
