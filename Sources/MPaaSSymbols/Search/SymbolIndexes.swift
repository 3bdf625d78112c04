import MPaaSSupport

/// The place of indexes, and when one is used or made.
///
/// Files of the store have theirs in the folder of their build, made at the first use. Others have theirs in the
/// cache, by build ID and size or by path, made when so many addresses come that it is worth it. An index that is of
/// another version, damaged, or of other files than are found now is made again. Where it cannot be written, look-ups
/// do without.
package struct SymbolIndexes: Sendable {
  package enum Policy: Sendable {
    /// An index is made of stored files at once, of others when many addresses come.
    case automatic
    case always, never
  }

  package var policy = Policy.automatic
  package var events = IndexEvents()
  let store: SymbolStore?
  /// The folder of indexes of files that are not in the store; nil for none.
  package let cache: String?

  package init(store: SymbolStore?, cache: String?) {
    self.store = store
    self.cache = cache
  }
}

/// The events that users may want to know of indexes; called from any thread.
package struct IndexEvents: Sendable {
  package enum Event: Sendable, Equatable {
    case used(path: String)
    case made(path: String)
    /// The index is of another version, damaged, or of other files.
    case outdated(path: String)
    case damaged(path: String)
    case notWritten(path: String)
    case notMade(file: String, IndexBuildError)
  }

  package var tell: @Sendable (Event) -> Void = { _ in }
  /// Called when an index of a file begins to be made; what it returns is told how much is done, in bytes.
  package var begin: @Sendable (_ file: String) -> @Sendable (_ done: Int, _ total: Int) -> Void = { _ in { _, _ in } }
  package var end: @Sendable () -> Void = {}

  package init() {}
}

// MARK: - Use

extension SymbolIndexes {
  /// Look-ups in what a search found, by an index where there is one or is to be one; nil where nothing was found.
  package func lookup(in finding: DebugFileFinding) -> (any FrameLookup)? {
    guard policy != .never, let files = finding.indexedFiles(store), let place = place(of: files) else {
      return finding.lookup()
    }
    let hasLines = finding.status == .complete
    if let known = open(place), known.files == files,
      let used = use(known, place, hasSource: hasLines, { finding.lookup() })
    {
      return used
    }
    if policy == .always || isStored(files) { return make(finding, files, place) }
    if let id = files.first?.buildID,
      let stored = lookup(build: id, hasSource: hasLines, reserve: { finding.lookup() })
    {
      return stored
    }
    guard let direct = finding.lookup() as? any IndexableLookup else { return finding.lookup() }
    return AdaptiveLookup(direct) { build(direct, finding, files, place).flatMap { use($0, place) { direct } } }
  }

  /// An index of an image that needs no search: it has lines, and what it was made of has not changed.
  ///
  /// - Parameter reserve: Gives look-ups without the index; told where the files lay that the index was made of.
  /// - Throws: `IndexFileError.damaged` where a damaged index with lines was removed: without it, answers may be
  /// others.
  func lookup(
    image: any ObjectImage, path: String, reserve: @escaping @Sendable (_ files: [String]) -> (any FrameLookup)?
  ) throws(IndexFileError) -> IndexedLookup? {
    guard policy != .never, let own = IndexedFile(.image, path, image, store), let place = place(of: [own]) else {
      return nil
    }
    var isDamaged = false
    if let index = open(place, isDamaged: &isDamaged), index.hasDebugInfo, let files = index.files,
      files.first?.isSame(as: own) == true, files.dropFirst().allSatisfy({ $0.isUnchanged(store) })
    {
      let others = files.dropFirst().map(\.path)
      let hasSource = others.allSatisfy { FileStatus($0) != nil }
      if let used = use(index, place, hasSource: hasSource, { reserve(others) }) { return used }
      isDamaged = true
    }
    if let id = image.buildID, let stored = lookup(build: id, reserve: { reserve([]) }) { return stored }
    guard isDamaged else { return nil }
    try? FileSystem.remove(place)
    throw .damaged
  }

  /// The index of a build in the store, where it was made of all that the store has of it.
  func lookup(
    build id: BuildID, hasSource: Bool = true, reserve: @escaping @Sendable () -> (any FrameLookup)?
  ) -> IndexedLookup? {
    guard policy != .never, let store else { return nil }
    let place = store.folder(of: id) + "/" + SymbolStore.indexName
    let present = SymbolRole.allCases.map { store.path(of: id, $0) }.filter { FileStatus($0) != nil }
    // An index with lines is of DWARF, else of Breakpad's text: what ranks lower adds nothing to it.
    let others = [SymbolRole.breakpad, .system].map { store.path(of: id, $0) }
    guard !present.isEmpty, let index = open(place), index.hasDebugInfo, let files = index.files,
      files.allSatisfy({ FileStatus($0.path) != nil && $0.isUnchanged(store) }),
      Set(present).subtracting(files.map(\.path)).isSubset(of: others)
    else { return nil }
    present.forEach(touch)
    return use(index, place, hasSource: hasSource, reserve)
  }

  /// Look-ups in an index, which change over to `reserve` where a part of it proves damaged.
  ///
  /// - Parameter hasSource: Whether `reserve` knows as much as the index. Where it does not, the whole index is
  /// compared
  ///   with its checksums first, so that no answer is lost midway.
  /// - Returns: Nil where it is damaged; it is removed then.
  private func use(
    _ index: IndexFile, _ place: String, hasSource: Bool = true,
    _ reserve: @escaping @Sendable () -> (any FrameLookup)?
  ) -> IndexedLookup? {
    guard hasSource || !index.hasDebugInfo || index.isWhole else {
      events.tell(.damaged(path: place))
      try? FileSystem.remove(place)
      return nil
    }
    events.tell(.used(path: place))
    touch(place)
    return IndexedLookup(index) {
      // The next look-up makes it anew.
      events.tell(.damaged(path: place))
      try? FileSystem.remove(place)
      return reserve()
    }
  }

  private func open(_ place: String) -> IndexFile? {
    var isDamaged = false
    return open(place, isDamaged: &isDamaged)
  }

  /// - Parameter isDamaged: Set where the file is no index any more and may have been one with lines.
  private func open(_ place: String, isDamaged: inout Bool) -> IndexFile? {
    guard let bytes = try? Bytes.mapping(place, sparsely: true) else { return nil }
    do throws(IndexFileError) {
      return try IndexFile(bytes)
    } catch {
      events.tell(error == .damaged ? .damaged(path: place) : .outdated(path: place))
      if case .otherVersion = error { return nil }
      isDamaged = IndexFile.mayHaveDebugInfo(bytes)
      return nil
    }
  }

  /// Once a day is exact enough for a collection by age.
  private func touch(_ place: String) {
    guard let status = FileStatus(place), let now = store?.now(), status.modified < now - 86_400 else { return }
    FileSystem.touch(place)
  }
}

// MARK: - Making

extension SymbolIndexes {
  /// Makes the index of a build in the store where it has none that counts; for who adds files to it.
  package func prepare(_ finding: DebugFileFinding) {
    _ = lookup(in: finding)
  }

  private func make(_ finding: DebugFileFinding, _ files: [IndexedFile], _ place: String) -> (any FrameLookup)? {
    let direct = finding.lookup()
    guard let source = direct as? any IndexableLookup, let index = build(source, finding, files, place) else {
      return direct
    }
    return use(index, place) { finding.lookup() } ?? direct
  }

  private func build(
    _ lookup: any IndexableLookup, _ finding: DebugFileFinding, _ files: [IndexedFile], _ place: String
  ) -> IndexFile? {
    guard let source = lookup.indexSource(), let image = finding.executable ?? finding.debugFile else { return nil }
    let progress = events.begin(name(of: image))
    defer { events.end() }
    let builder = IndexBuilder(
      addressSize: image.image.addressSize, hasDebugInfo: lookup.hasDebugInfo, files: files,
      progress: { done, total in
        progress(done, total)
        return true
      })
    let bytes: Bytes
    do throws(IndexBuildError) {
      if finding.lacksAlternate { throw .incomplete }
      bytes = try builder.build(source)
    } catch {
      events.tell(.notMade(file: image.path, error))
      return nil
    }
    do throws(FileError) {
      try Directories.create(FileSystem.folder(of: place))
      try bytes.write(to: place)
      events.tell(.made(path: place))
    } catch {
      events.tell(.notWritten(path: place))
      return try? IndexFile(bytes)
    }
    // A mapped index costs no memory of our own.
    return open(place) ?? (try? IndexFile(bytes))
  }
}

extension SymbolIndexes {
  /// The users' name for a file: the path of it, or the name that one of the store had when it was added.
  private func name(of file: LocatedImage) -> String {
    guard let store, file.path.hasPrefix(store.folder + "/"), let id = file.image.buildID,
      let role = SymbolRole(rawValue: FileSystem.name(of: file.path))
    else { return file.path }
    return store.entry(id, role)?.name ?? file.path
  }
}

// MARK: - Places

extension SymbolIndexes {
  /// The place of the index of these files; nil where there is no place for it.
  private func place(of files: [IndexedFile]) -> String? {
    guard let image = files.first else { return nil }
    if isStored(files), let store, let id = image.buildID { return store.folder(of: id) + "/" + SymbolStore.indexName }
    guard let cache else { return nil }
    guard let id = image.buildID else {
      var hash: UInt64 = 0xcbf2_9ce4_8422_2325
      for byte in image.path.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
      return "\(cache)/path-\(String(hash, radix: 16)).index"
    }
    return "\(cache)/\(id.hex)-\(String(image.size, radix: 16)).index"
  }

  private func isStored(_ files: [IndexedFile]) -> Bool {
    guard let store else { return false }
    return files.allSatisfy { $0.path.hasPrefix(store.folder + "/") }
  }

  /// Removes indexes of the cache that were not used for `age` seconds, and what was left half-written; says which.
  package func collect(olderThan age: Int64?, now: Int64, dryRun: Bool) -> [(path: String, size: UInt64)] {
    guard let cache, let names = try? FileSystem.names(in: cache) else { return [] }
    var removed: [(path: String, size: UInt64)] = []
    for name in names where name.contains(".index") {
      guard let status = FileStatus(ofLink: cache + "/" + name) else { continue }
      // A file that is being written now is younger than an hour.
      let limit = name.hasSuffix(".index") ? age : 3600
      guard let limit, status.modified <= now - limit else { continue }
      removed.append((cache + "/" + name, status.size))
      if !dryRun { try? FileSystem.remove(cache + "/" + name) }
    }
    return removed
  }
}
