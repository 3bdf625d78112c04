import MPaaSDigests
import MPaaSSupport

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

extension PlacedFolder {
  /// The findings of a look at a placed folder.
  enum State: Equatable {
    /// All is as it was recorded.
    case untouched
    /// The content is right, and `record` makes the next look cheap again: files were only touched, or just placed.
    case unsettled
    /// The content of all files is right, and folders are missing or came.
    case reshaped
    /// The paths that were changed, removed or added.
    case changed([String])
  }

  /// Looks at a folder; files are read only where their state is not the recorded one.
  func state(at folder: String) -> State {
    let now = Fingerprint(of: folder)
    if let now, now.text == fingerprint, now.newest < settled { return .untouched }
    let changes = changes(at: folder)
    guard changes.isEmpty else { return .changed(changes) }
    return now?.shape == shape ? .unsettled : .reshaped
  }

  /// Says that nothing was changed since the module was placed.
  package func isUntouched(at folder: String) -> Bool {
    let state = state(at: folder)
    return state == .untouched || state == .unsettled
  }

  /// The paths that were changed, removed or added since, sorted.
  ///
  /// - Parameter readsAll: Whether files are read whose state is the recorded one, too.
  package func changes(at folder: String, readsAll: Bool = false) -> [String] {
    guard let files = Self.files(at: folder) else { return [Self.markerName] }
    return Review(files, settled: readsAll ? 0 : settled).run(folder)?.changed ?? [FileSystem.name(of: folder)]
  }

  /// The files that the marker names; nil where it cannot be read.
  static func files(at folder: String) -> [File]? {
    guard let bytes = try? Bytes.mapping(folder + "/" + markerName),
      let rows = (try? JSONValue(reading: bytes.buffer))?.object?["files"]?.array
    else { return nil }
    var files: [File] = []
    for row in rows {
      guard let row = row.array, row.count >= 4, let path = row[0].string, let size = row[1].integer(UInt64.self),
        let modified = row[2].integer(Int64.self), let content = row[3].string
      else { return nil }
      // Earlier versions wrote no more, and such files are read.
      let number = row.count > 6 ? row[4].integer(UInt64.self) : 0
      let changed = row.count > 6 ? row[5].integer(Int64.self) : .max
      let mode = row.count > 6 ? row[6].integer(UInt16.self) : 0
      guard let number, let changed, let mode else { return nil }
      let status = Identity(number: number, size: size, modified: modified, changed: changed, mode: mode)
      files.append(File(path: path, status: status, content: content))
    }
    return files
  }

  /// Says that the marker names what the store's list of the module does, and nothing else.
  func names(_ contents: StoredContents, at folder: String) -> Bool {
    guard let files = Self.files(at: folder), files.count == contents.files.count + contents.links.count else {
      return false
    }
    var wanted: [ExactName: String] = [:]
    for file in contents.files { wanted[ExactName(file.path)] = file.sha256 }
    for link in contents.links { wanted[ExactName(link.path)] = "->" + link.target }
    return files.allSatisfy { wanted[ExactName($0.path)] == $0.content }
  }

  // MARK: - Recording

  /// Records the states of files anew, so that the next look need not read them; nothing happens where a file is
  /// another.
  ///
  /// A file that was changed less than `Identity.step` ago is read the next time too.
  func record(at folder: String) {
    let settled = Identity.settled
    guard let now = Fingerprint(of: folder) else { return }
    if now.text == fingerprint { return write(settled, at: folder) }
    guard let files = Self.files(at: folder), let review = Review(files, settled: self.settled).run(folder),
      review.changed.isEmpty, now.shape == shape
    else { return }
    let marker = PlacedFolder(self, fingerprint: review.fingerprint, settled: settled)
    // A process that may not write reads the files again the next time.
    try? Bytes(marker.encoded(review.files)).write(to: folder + "/" + Self.markerName)
  }

  /// Writes the time over the one that the marker has.
  private func write(_ settled: Int64, at folder: String) {
    let path = folder + "/" + Self.markerName
    guard let bytes = try? Bytes.reading(path, limit: Self.headSize) else { return }
    let key = Array(#""settled":""#.utf8)
    let head = bytes.array
    guard head.count > key.count + 19,
      let place = (0..<head.count - key.count - 19).first(where: { head[$0...].starts(with: key) })
    else { return }
    let marker = try? OpenFile(path, .writing, followsLinks: false)
    try? marker?.write(Array(Self.digits(settled).utf8), at: UInt64(place + key.count))
  }
}

extension ModuleStore {
  /// Has the next look at folders that were just placed see by the files' states alone that nothing was changed.
  package static func settle(_ folders: [String]) {
    guard !folders.isEmpty else { return }
    // A record made in the same step of a file system's clock as a change cannot be told from a later one.
    usleep(UInt32(Identity.step / 1_000) + 5_000)
    for folder in folders { PlacedFolder(at: folder)?.record(at: folder) }
  }
}

/// One look at all that is in a placed folder, beside what its marker names.
private struct Review {
  /// Paths, sorted.
  private(set) var changed: [String] = []
  /// The files there that the marker names, each with its state as it was before it was read.
  private(set) var files: [PlacedFolder.File] = []
  private(set) var fingerprint = Fingerprint()
  private var missing: [ExactName: PlacedFolder.File] = [:]
  private let settled: Int64

  init(_ files: [PlacedFolder.File], settled: Int64) {
    for file in files { missing[ExactName(file.path)] = file }
    self.settled = settled
  }

  /// nil where the folder cannot be read.
  func run(_ folder: String) -> Review? {
    var review = self
    let isWhole = FolderTree.visit(folder) { path, status in
      review.fingerprint.add(path, status)
      review.look(String(decoding: path, as: UTF8.self), status, in: folder)
      return true
    }
    review.changed = (review.changed + review.missing.keys.map(\.text)).sorted()
    review.files.sort { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
    return isWhole ? review : nil
  }

  private mutating func look(_ path: String, _ status: stat, in folder: String) {
    let kind = status.st_mode & S_IFMT
    // Files that systems leave in folders that people look at are no changes.
    guard kind != S_IFDIR, path != PlacedFolder.markerName, FileSystem.name(of: path) != ".DS_Store" else { return }
    guard let known = missing.removeValue(forKey: ExactName(path)) else { return changed.append(path) }
    let state = Identity(status)
    let isSame: Bool
    switch kind {
    case S_IFLNK: isSame = (try? FileSystem.target(ofLink: folder + "/" + path)).map { "->" + $0 } == known.content
    case S_IFREG: isSame = isFile(known, state, at: folder + "/" + path)
    default: isSame = false
    }
    guard isSame else { return changed.append(path) }
    files.append(PlacedFolder.File(path: path, status: state, content: known.content))
  }

  private func isFile(_ known: PlacedFolder.File, _ state: Identity, at path: String) -> Bool {
    guard state.size == known.status.size, hasMode(known.status, state) else { return false }
    if state == known.status, state.changed < settled { return true }
    return (try? Bytes.mapping(path).sha256.hexadecimal) == known.content
  }

  /// A file that somebody brought back from elsewhere may be writable; the same file may not become it, and what is
  /// executable counts in any case.
  private func hasMode(_ known: Identity, _ state: Identity) -> Bool {
    if state.number == known.number { return state.mode == known.mode }
    return known.number == 0 || (state.mode & 0o111 == 0) == (known.mode & 0o111 == 0)
  }
}
