import MPaaSSupport

/// Files below some folders, as a server answers them: what bears its version in its name may be cached for long.
package struct StaticFiles: Sendable {
  /// The folder that paths begin in.
  package let root: String
  /// The names in it that are served; nothing else is.
  package let folders: [String]
  /// Seconds that a path may be cached for; 0 for what has to be asked for again.
  package let cacheTime: @Sendable (_ path: String) -> Int

  package init(root: String, folders: [String], cacheTime: @escaping @Sendable (_ path: String) -> Int) {
    self.root = root
    self.folders = folders
    self.cacheTime = cacheTime
  }

  /// Answers a path of a URL, percent escapes taken out.
  package func answer(_ path: String) -> HTTPAnswer {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
    guard let first = parts.first, folders.contains(String(first)), parts.count > 1,
      // A name that begins with a dot is of no concern, and `..` begins with one.
      !parts.contains(where: { $0.isEmpty || $0.hasPrefix(".") })
    else { return HTTPAnswer(404, text: "not found\n") }
    let name = parts.joined(separator: "/")
    let file = root + "/" + name
    guard let status = FileStatus(file), status.kind == .file, isInside(file) else {
      return HTTPAnswer(404, text: "not found\n")
    }
    let tag =
      "\""
      + ([UInt64(bitPattern: status.modified), status.size] + status.identity)
      .map { String($0, radix: 16) }.joined(separator: "-") + "\""
    let seconds = cacheTime(name)
    return HTTPAnswer(
      200,
      headers: [
        ("Content-Type", Self.type(of: name)), ("ETag", tag),
        ("Cache-Control", Self.cacheControl(seconds)), ("X-Content-Type-Options", "nosniff"),
      ], body: .file(path: file, offset: 0, size: status.size))
  }

  /// The word to caches about something that stays the same for so long.
  package static func cacheControl(_ seconds: Int) -> String {
    seconds > 0 ? "public, max-age=\(seconds), immutable" : "no-cache"
  }

  package static func type(of name: String) -> String {
    name.hasSuffix(".json") ? "application/json" : "application/octet-stream"
  }

  /// Tells whether a file lies below the root with its links followed.
  private func isInside(_ file: String) -> Bool {
    guard let root = FileSystem.resolved(root), let file = FileSystem.resolved(file) else { return false }
    return file.hasPrefix(root.hasSuffix("/") ? root : root + "/")
  }
}
