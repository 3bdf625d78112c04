import MPaaSModules
import MPaaSSupport
import MPaaSSymbols

/// The purposes of the binaries in an archive.
struct CodeInArchive {
  enum Code {
    case targets(Set<CodeTarget>)
    /// It is no code; why.
    case unreadable(String)
  }

  /// By path without links.
  private(set) var code: [String: Code] = [:]
  /// The lists of XCFrameworks by path; nil where one is no such list.
  private(set) var lists: [String: XCFrameworkList?] = [:]

  /// Bytes of the largest binary that is looked into.
  private static let largestBinary = 2 << 30

  /// - Throws: `ModuleError` where the archive is damaged.
  init(_ bytes: Bytes, name: String, listing: ArchiveListing, contents: ModuleContents) throws(ModuleError) {
    let wanted = contents.xcframeworks.compactMap { path in
      listing.resolved(path + "/Info.plist").map { (path: path, file: $0) }
    }
    var plain = contents.libraries.filter { !$0.hasSuffix(".tbd") }
    plain += contents.frameworks.map(Self.binary)
    if !wanted.isEmpty {
      let files = Set(wanted.map(\.file))
      try Self.read(files, in: bytes, name) { (path, content) throws(ModuleError) in
        for entry in wanted where entry.file == path { lists[entry.path] = .some(XCFrameworkList(content)) }
      }
      for (path, list) in lists {
        plain += list?.slices.map { Self.binary(path + "/" + $0.path) } ?? []
      }
    }
    let files = Set(plain.compactMap { listing.resolved($0) })
    guard !files.isEmpty else { return }
    try Self.read(files, in: bytes, name) { (path, content) throws(ModuleError) in
      do throws(ObjectError) {
        code[path] = .targets(try CodeTarget.all(in: content))
      } catch {
        code[path] = .unreadable(error.diagnostic(file: path).id.name)
      }
    }
  }

  /// The binary of a framework, or the library itself.
  static func binary(_ path: String) -> String {
    guard path.hasSuffix(".framework") else { return path }
    return path + "/" + FileSystem.name(of: path).dropLast(".framework".count)
  }

  private static func read(
    _ files: Set<String>, in bytes: Bytes, _ name: String,
    _ take: (String, Bytes) throws(ModuleError) -> Void
  ) throws(ModuleError) {
    try ModuleArchiveReader().read(bytes, name: name) { (entry) throws(ModuleError) in
      guard entry.isFile, files.contains(entry.path) else { return }
      try take(entry.path, try entry.body(limit: largestBinary))
    }
  }
}
