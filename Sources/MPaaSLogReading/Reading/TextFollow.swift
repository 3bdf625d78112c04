import MPaaSLogUpload
import MPaaSLogs
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
  /// Files of other formats, and compressed ones that were dealt with.
  private var others: [[UInt64]: Other] = [:]
  /// The folder where there is room for what was compressed.
  private let temporary: TemporaryPlace

  private struct Other {
    /// The size at which it was looked at.
    let size: UInt64
    /// Looks in which it had no name: one that is renamed meanwhile may be missed in a look.
    var missed = 0
  }

  /// Files that stay open: more are opened anew when they grow.
  private static let mostOpen = 128
  /// Looks at a file without a name, which has no writer any more.
  private static let lastLooks = 50
  /// Compressed files in which the rest of one that was cut short is looked for, the newest first.
  private static let mostCompressed = 4
  /// Listings in which a copy is looked for once more.
  private static let mostListings = 3

  init(temporary: TemporaryPlace) { self.temporary = temporary }

  /// Notes that all of a file before `end` was told.
  mutating func begin(_ file: ReadFile, name: String, type: LogType?, end: Int) {
    guard let identity = file.identity else { return }
    var text = FollowedText(file, name: name, path: name, type: type)
    text.advance(to: end, in: file)
    if texts.updateValue(text, forKey: identity) == nil { order.append(identity) }
  }

  /// Notes the files beside those that are followed, as rotation left them before.
  mutating func begin(beside files: [LogFiles.File]) {
    for file in files where !file.path.hasSuffix(LogFolder.suffix) {
      guard let status = FileStatus(file.path), texts[status.identity] == nil else { continue }
      if !Self.isCompressed(file), let read = try? ReadFile(file.path), read.isText {
        begin(read, name: file.path, type: file.type, end: read.size)
      } else {
        others[status.identity] = Other(size: status.size)
      }
    }
    limitOpen()
  }

  /// Gives the lines written since the last look, the oldest files first.
  ///
  /// - Parameters:
  ///   - listed: The files that have names now.
  ///   - followed: Lists them once more.
  mutating func look(
    _ listed: [LogFiles.File], among followed: FollowedPaths, _ problems: inout [LogError]
  ) -> [FollowedPiece] {
    var found = listing(listed)
    var pieces: [FollowedPiece] = []
    for identity in order { pieces += grown(identity, &found, followed, &problems) }
    for entry in found.begun where texts[entry.identity] == nil {
      pieces +=
        Self.isCompressed(entry.file)
        ? decompressed(entry, beside: found, &problems) : begun(entry.identity, entry.file)
    }
    pieces += forget(but: found.named)
    limitOpen()
    return pieces
  }

  /// Tells what is new among files from what is known.
  private mutating func listing(_ listed: [LogFiles.File]) -> Listing {
    var found = Listing()
    for file in listed where !file.path.hasSuffix(LogFolder.suffix) {
      guard let status = FileStatus(file.path) else { continue }
      found.paths.insert(file.path)
      guard found.named.insert(status.identity).inserted else { continue }
      if texts[status.identity] != nil {
        texts[status.identity]?.path = file.path
      } else if Self.isCompressed(file) {
        found.compressed.append(Listing.Entry(identity: status.identity, file: file, status: status))
      } else {
        found.fresh.append(Listing.Entry(identity: status.identity, file: file, status: status))
      }
    }
    found.sort()
    return found
  }

  // MARK: - Files that are known

  private mutating func grown(
    _ identity: [UInt64], _ found: inout Listing, _ followed: FollowedPaths, _ problems: inout [LogError]
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
        var copy = rest(of: text, identity, found)
        // One that is renamed while it is looked for is in a later listing.
        for _ in 0..<Self.mostListings where copy == nil {
          found = listing(followed.loose(among: followed.files()))
          copy = rest(of: text, identity, found)
        }
        if copy == nil { problems.append(LogError(.followCut, ["path": text.name])) }
        pieces += copy ?? []
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

  /// The part of the copy of a file that was cut short has beyond what was told; nil where there is no copy.
  private mutating func rest(of text: FollowedText, _ identity: [UInt64], _ found: Listing) -> [FollowedPiece]? {
    let known = order.filter { texts[$0]?.original == identity }.compactMap { texts[$0] }
      .map { ($0.path, $0.type) }
    for (path, type) in found.fresh.map({ ($0.file.path, $0.file.type) }) + known {
      guard let copy = try? ReadFile(path), let number = copy.identity, number != identity, text.isCopied(in: copy)
      else { continue }
      let end = copy.size
      begin(copy, name: path, type: type, end: end)
      guard end > text.offset else { return [] }
      return [FollowedPiece(file: copy, name: text.name, type: text.type, range: text.offset..<end)]
    }
    for entry in found.compressed.suffix(Self.mostCompressed).reversed() {
      guard let copy = CompressedGeneration.text(at: entry.file.path, temporary: temporary),
        copy.size >= text.offset, text.isCopied(in: copy)
      else { continue }
      others[entry.identity] = Other(size: entry.status.size)
      guard copy.size > text.offset else { return [] }
      return [FollowedPiece(file: copy, name: text.name, type: text.type, range: text.offset..<copy.size)]
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
    guard others[identity]?.size != file.size, let read = try? ReadFile(file.path), read.identity == identity else {
      return []
    }
    guard read.isText else {
      others[identity] = Other(size: file.size)
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
      // Text behind that of the other file is told from the other, as long as that is not cut short.
      text.original = other
      text.advance(to: isNamed ? original.offset : read.size, in: read)
      return
    }
  }

  /// The part of a compressed file has beyond what was told of it before it was compressed: all of it where a file was
  /// written, renamed and compressed between two looks.
  private mutating func decompressed(
    _ entry: Listing.Entry, beside found: Listing, _ problems: inout [LogError]
  ) -> [FollowedPiece] {
    let path = entry.file.path
    // While it is made, the file itself is there.
    guard others[entry.identity]?.size != entry.status.size,
      CompressedGeneration.uncompressed(path).map({ !found.paths.contains($0) }) != false
    else { return [] }
    others[entry.identity] = Other(size: entry.status.size)
    guard let text = CompressedGeneration.text(at: path, temporary: temporary) else {
      // A file that was open before it was compressed gives its own end.
      let original = CompressedGeneration.uncompressed(path)
      let isTold = order.contains { known in
        guard !found.named.contains(known), let one = texts[known] else { return false }
        return one.file != nil || one.path == original
      }
      if !isTold {
        problems.append(LogError(.followUnread, ["path": path]))
      }
      return []
    }
    guard text.size > 0 else { return [] }
    for known in order {
      guard let one = texts[known], text.size >= one.offset, one.isCopied(in: text) else { continue }
      // One that is open gives its own end.
      guard one.file == nil, text.size > one.offset, one.original == nil else { return [] }
      texts[known]?.advance(to: text.size, in: text)
      return [FollowedPiece(file: text, name: one.name, type: one.type, range: one.offset..<text.size)]
    }
    return [FollowedPiece(file: text, name: path, type: entry.file.type, range: 0..<text.size)]
  }

  private static func isCompressed(_ file: LogFiles.File) -> Bool {
    !file.isNamed && CompressedGeneration.uncompressed(file.path) != nil
  }

  // MARK: - Files that are gone

  /// Forgets files that have no name any more and that have no writer, and gives their last lines without an end.
  private mutating func forget(but named: Set<[UInt64]>) -> [FollowedPiece] {
    var pieces: [FollowedPiece] = []
    for identity in others.keys { others[identity]?.missed += 1 }
    for identity in named { others[identity]?.missed = 0 }
    others = others.filter { $0.value.missed <= Self.lastLooks }
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

/// The new lines among the files that have names now.
private struct Listing {
  struct Entry {
    let identity: [UInt64]
    let file: LogFiles.File
    let status: FileStatus
  }

  var fresh: [Entry] = []
  var compressed: [Entry] = []
  var named: Set<[UInt64]> = []
  var paths: Set<String> = []

  /// All that is new, the oldest first, what was named last.
  var begun: [Entry] { (compressed + fresh).sorted(by: Self.isBefore) }

  mutating func sort() {
    fresh.sort(by: Self.isBefore)
    compressed.sort(by: Self.isBefore)
  }

  private static func isBefore(_ one: Entry, _ other: Entry) -> Bool { one.place < other.place }
}

extension Listing.Entry {
  /// The place of a file among others: what was named last, else by its time, whose steps may be several milliseconds,
  /// and its number or date.
  fileprivate var place: (Int, Int64, Int) {
    (file.isNamed ? 1 : 0, status.modifiedNanoseconds, Self.turn(file.path))
  }

  /// Files with greater numbers are older (`app.log.2`), those with greater dates newer (`app.log-20260301`).
  private static func turn(_ path: String) -> Int {
    let digits = (CompressedGeneration.uncompressed(path) ?? path).reversed().prefix { $0.isASCII && $0.isNumber }
    guard let number = Int(String(digits.reversed())) else { return 0 }
    return number < 100_000 ? -number : number
  }
}

extension LogFiles {
  /// The files that rotation makes of a file: `app.log.1`, `app.log-20260301`, `app-20260301.log`, `app.log.old`,
  /// `app.log.1.gz`.
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
        path: found, relativePath: entry.name, size: status.size, modified: status.modified, isNamed: false,
        identity: status.identity)
    }
  }

  private static func isRotated(_ name: String, _ original: String) -> Bool {
    guard !original.isEmpty, name.hasPrefix(original) else { return false }
    let name = CompressedGeneration.uncompressed(name) ?? name
    guard name != original else { return true }
    let rest = name.dropFirst(original.count)
    guard let mark = rest.first, ".-_".contains(mark) else { return false }
    let kind = rest.dropFirst()
    return kind.first?.isNumber == true || ["old", "bak", "prev", "copy", "save"].contains(String(kind))
  }
}

extension ReadFile {
  /// The end of the last ended line, or `start`.
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
