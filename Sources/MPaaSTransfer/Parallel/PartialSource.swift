import MPaaSSupport

/// The source of the first bytes of an unfinished file, and what version of it they are of.
///
/// It stands beside the file as two lines, so that a later run asks that server for the rest of the same version only.
struct PartialSource: Equatable {
  let url: String
  /// An entity tag or a date; nil where the server gave none.
  let validator: String?

  init(url: String, validator: String?) {
    self.url = url
    self.validator = validator
  }

  static func path(_ partial: String) -> String { partial + ".source" }

  /// nil where nothing, or something else, stands there.
  init?(beside partial: String) {
    guard let bytes = try? Bytes.reading(Self.path(partial), limit: 1 << 14) else { return nil }
    let lines = bytes.text.split(separator: "\n", omittingEmptySubsequences: false)
    // The empty last one: what was written to its end.
    guard lines.count == 3, lines[2].isEmpty else { return nil }
    url = String(lines[0])
    // A value that goes into a request is one line.
    let text = lines[1].filter { !$0.isNewline }
    validator = text.isEmpty ? nil : String(text)
  }

  func write(beside partial: String) throws(FileError) {
    guard let validator else { return try Self.remove(beside: partial) }
    let file = try OpenFile(Self.path(partial), .emptying(0o600), followsLinks: false)
    // Written in part it is not read again.
    try file.append(Array("\(url)\n\(validator)\n".utf8))
  }

  static func remove(beside partial: String) throws(FileError) {
    try FileSystem.remove(path(partial))
  }
}
