import MPaaSSupport

/// Files that are to be made in a folder: paths, bytes and who may execute them.
package struct RenderedTree: Sendable, Equatable {
  package struct File: Sendable, Equatable {
    package let bytes: [UInt8]
    package let isExecutable: Bool

    package init(bytes: [UInt8], isExecutable: Bool = false) {
      self.bytes = bytes
      self.isExecutable = isExecutable
    }
  }

  /// By their paths: parts joined by `/`.
  package private(set) var files: [String: File] = [:]
  private var folded: [String: String] = [:]
  private var size = 0

  /// Files, and bytes of all of them together.
  package static let limits = (files: 10_000, bytes: 64 << 20)

  package init() {}

  package var paths: [String] { files.keys.sorted() }

  package subscript(path: String) -> File? { files[path] }

  package static func == (left: RenderedTree, right: RenderedTree) -> Bool { left.files == right.files }

  /// Adds a file.
  ///
  /// - Parameter origin: The file of the template that it came of, for errors.
  /// - Throws: `TemplateError` `template-path`, `template-path-clash`, `template-too-large`.
  package mutating func add(_ file: File, at path: String, origin: String) throws(TemplateError) {
    func refused(_ code: TemplateError.Code, _ other: String = "") -> TemplateError {
      let shown = String(path.prefix(120))
      let values = ["path": shown.isPlainText ? shown : "?", "other": other]
      return TemplateError(code, values, at: .file(origin))
    }
    let parts = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    guard !parts.isEmpty, parts.count <= 24, path.utf8.count <= 700, parts.allSatisfy(RenderedPath.isComponent) else {
      throw refused(.path)
    }
    for count in 1...parts.count {
      let part = parts[..<count].joined(separator: "/")
      let isWhole = count == parts.count
      // A folder stands with its slash, so that it is no file's name.
      let entry = isWhole ? part : part + "/"
      if let known = folded[RenderedPath.folded(part)], known != entry || isWhole { throw refused(.pathClash, known) }
      folded[RenderedPath.folded(part)] = entry
    }
    size += file.bytes.count
    guard files.count < Self.limits.files, size <= Self.limits.bytes else { throw refused(.tooLarge) }
    files[path] = file
  }
}

/// The texts that may be a part of a path that a template makes.
enum RenderedPath {
  /// Neither empty nor `.` nor `..` nor `.git`, without separators, control characters, and what other systems refuse.
  static func isComponent(_ text: String) -> Bool {
    guard !text.isEmpty, text != ".", text != "..", text.utf8.count <= 255, text.isPlainText else { return false }
    // Git would run hooks and commands from there.
    guard text.lowercased() != ".git", text.trimmed == text else { return false }
    return !text.contains { "/\\:*?\"<>|".contains($0) }
  }

  /// The path as a file system sees it that knows neither upper from lower case nor one composition from another.
  static func folded(_ path: String) -> String { path.uppercased().lowercased() }
}
