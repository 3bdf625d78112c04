import MPaaSSupport

/// Files of text by what they are rather than by their names, so that rotation loses no line of them.
///
/// A file that was renamed or removed stays open and is read to its end before its successor. One that was cut short by
/// `copytruncate` is gone on with in the copy that was made of it, which is known by its first and last bytes that were
/// told.
struct TextFollow {
  private var texts: [[UInt64]: FollowedText] = [:]
  /// In the order in which they were found, which is that in which they are told.
  private var order: [[UInt64]] = []
  /// Files of other formats, by the sizes at which they were looked at.
  private var others: [[UInt64]: UInt64] = [:]

  /// Files that stay open: more are opened anew when they grow.
  private static let mostOpen = 128
  /// Looks at a file without a name, after which nobody writes to it any more.
  private static let lastLooks = 50

  /// Notes that all of a file before `end` was told.
  mutating func begin(_ file: ReadFile, name: String, type: LogType?, end: Int) {
    guard let identity = file.identity else { return }
    var text = FollowedText(file, name: name, path: name, type: type)
    text.advance(to: end, in: file)
    if texts.updateValue(text, forKey: identity) == nil { order.append(identity) }
  }

  /// Notes the files beside those that are followed, as rotation left them before.
  mutating func begin(beside files: [LogFiles.File]) {
    for file in files where FileStatus(file.path).map({ texts[$0.identity] == nil }) == true {
      guard let read = try? ReadFile(file.path), isText(read) else { continue }
      begin(read, name: file.path, type: file.type, end: read.size)
    }
    limitOpen()
  }

  /// What was written since the last look, the oldest files first.
  ///
  /// - Parameter listed: The files that have names now.
  mutating func look(_ listed: [LogFiles.File], _ problems: inout [LogError]) -> [FollowedPiece] {
    var fresh: [(identity: [UInt64], file: LogFiles.File)] = []
    var named: Set<[UInt64]> = []
    for file in listed {
      guard let status = FileStatus(file.path), named.insert(status.identity).inserted else { continue }
      if texts[status.identity] == nil {
        fresh.append((status.identity, file))
      } else {
        texts[status.identity]?.path = file.path
      }
    }
    fresh.sort { ($0.file.modified, $1.file.isNamed ? 1 : 0) < ($1.file.modified, $0.file.isNamed ? 1 : 0) }
    var pieces: [FollowedPiece] = []
    for identity in order { pieces += grown(identity, fresh.map(\.file), &problems) }
    for (identity, file) in fresh where texts[identity] == nil { pieces += begun(identity, file) }
    pieces += forget(but: named)
    limitOpen()
    return pieces
  }

  // MARK: - Files that are known

  private mutating func grown(
    _ identity: [UInt64], _ fresh: [LogFiles.File], _ problems: inout [LogError]
  ) -> [FollowedPiece] {
    guard var text = texts[identity] else { return [] }
    text.quietLooks += 1
    if text.file == nil {
      // Its number may be that of another file by now.
      guard let status = FileStatus(text.path), status.identity == identity, status.size != UInt64(text.offset),
        let file = try? ReadFile(text.path), file.identity == identity
      else { return [] }
      text.file = file
    }
    guard let file = text.file else { return [] }
    var pieces: [FollowedPiece] = []
    if !text.isContinued(in: file) {
      if text.original == nil {
        if let copy = rest(of: text, identity, fresh) {
          pieces += copy
        } else {
          problems.append(LogError(.followCut, ["path": text.name]))
        }
      }
      text.restart()
    }
    if text.isEmpty, file.size > 0 {
      text.isEmpty = false
      compare(&text, file, isNamed: false)
    }
    if text.original == nil || text.path == text.name { pieces += Self.piece(&text, file) }
    texts[identity] = text
    return pieces
  }

  /// What the copy of a file that was cut short has beyond what was told; nil where there is no copy.
  private mutating func rest(of text: FollowedText, _ identity: [UInt64], _ fresh: [LogFiles.File]) -> [FollowedPiece]?
  {
    let known = order.filter { texts[$0]?.original == identity }.compactMap { texts[$0] }
      .map { ($0.path, $0.type) }
    for (path, type) in fresh.map({ ($0.path, $0.type) }) + known {
      guard let copy = try? ReadFile(path), let number = copy.identity, number != identity, text.isCopied(in: copy)
      else { continue }
      let end = copy.size
      begin(copy, name: path, type: type, end: end)
      guard end > text.offset else { return [] }
      return [FollowedPiece(file: copy, name: text.name, type: text.type, range: text.offset..<end)]
    }
    return nil
  }

  /// The lines that were ended since.
  private static func piece(_ text: inout FollowedText, _ file: ReadFile) -> [FollowedPiece] {
    guard file.size > text.offset else { return [] }
    let start = text.offset
    let end = file.lastLineEnd(from: start)
    guard end > start else { return [] }
    text.advance(to: end, in: file)
    return [FollowedPiece(file: file, name: text.name, type: text.type, range: start..<end)]
  }

  // MARK: - Files that are new

  private mutating func begun(_ identity: [UInt64], _ file: LogFiles.File) -> [FollowedPiece] {
    guard others[identity] != file.size, let read = try? ReadFile(file.path), read.identity == identity else {
      return []
    }
    guard isText(read) else {
      others[identity] = file.size
      return []
    }
    var text = FollowedText(read, name: file.path, path: file.path, type: file.type)
    text.isEmpty = !file.isNamed && read.size == 0
    compare(&text, read, isNamed: file.isNamed)
    texts[identity] = text
    order.append(identity)
    guard text.original == nil || file.isNamed else { return [] }
    let pieces = Self.piece(&text, read)
    texts[identity] = text
    return pieces
  }

  /// Notes whether a file is a copy of one that is known.
  private func compare(_ text: inout FollowedText, _ read: ReadFile, isNamed: Bool) {
    for other in order {
      guard let original = texts[other], original.file !== read, original.isCopied(in: read) else { continue }
      if isNamed, read.size < original.offset { continue }
      // What it has more is told from the other, as long as that is not cut short.
      text.original = other
      text.advance(to: isNamed ? original.offset : read.size, in: read)
      return
    }
  }

  private func isText(_ file: ReadFile) -> Bool {
    file.bytes(0..<min(file.size, 1 << 16)).withUnsafeBytes { FileKind.of($0) } == .text
  }

  // MARK: - Files that are gone

  /// Forgets files that have no name any more and that nobody writes to, and gives their last lines without an end.
  private mutating func forget(but named: Set<[UInt64]>) -> [FollowedPiece] {
    var pieces: [FollowedPiece] = []
    others = others.filter { named.contains($0.key) }
    for identity in order where !named.contains(identity) {
      guard let text = texts[identity] else { continue }
      guard text.file == nil || text.quietLooks > Self.lastLooks else { continue }
      texts[identity] = nil
      guard text.original == nil, let file = text.file, file.size > text.offset else { continue }
      pieces.append(
        FollowedPiece(file: file, name: text.name, type: text.type, range: text.offset..<file.size))
    }
    order.removeAll { texts[$0] == nil }
    return pieces
  }

  /// Closes those that have not grown for the longest time.
  private mutating func limitOpen() {
    let open = order.filter { texts[$0]?.file != nil }
    guard open.count > Self.mostOpen else { return }
    let sorted = open.sorted { (texts[$0]?.quietLooks ?? 0) > (texts[$1]?.quietLooks ?? 0) }
    for identity in sorted.prefix(open.count - Self.mostOpen) { texts[identity]?.file = nil }
  }
}

extension LogFiles {
  /// The files that rotation makes of a file: `app.log.1`, `app.log-20260301`, `app-20260301.log`, `app.log.old`.
  static func rotated(from path: String) -> [File] {
    let folder = FileSystem.folder(of: path)
    guard let entries = try? FileSystem.entries(in: folder) else { return [] }
    let name = FileSystem.name(of: path)
    let stem = name.lastIndex(of: ".").map { String(name[..<$0]) } ?? name
    return entries.compactMap { entry in
      guard entry.kind == .file, entry.name != name, isRotated(entry.name, name) || isRotated(entry.name, stem) else {
        return nil
      }
      let found = path.utf8.contains(UInt8(ascii: "/")) ? folder + "/" + entry.name : entry.name
      guard let status = FileStatus(found) else { return nil }
      return File(
        path: found, relativePath: entry.name, size: status.size, modified: status.modified, isNamed: false)
    }
  }

  private static func isRotated(_ name: String, _ original: String) -> Bool {
    guard !original.isEmpty, name.hasPrefix(original) else { return false }
    let rest = name.dropFirst(original.count)
    guard let mark = rest.first, ".-_".contains(mark) else { return false }
    let kind = rest.dropFirst()
    return kind.first?.isNumber == true || ["old", "bak", "prev", "copy", "save"].contains(String(kind))
  }
}

extension ReadFile {
  /// Where the last line ends that is ended, or `start`.
  func lastLineEnd(from start: Int) -> Int {
    var end = size
    while end > start {
      let low = max(start, end - (1 << 14))
      let bytes = bytes(low..<end)
      if let found = bytes.lastIndex(of: 0x0a) { return low + found + 1 }
      end = low
    }
    return start
  }
}
