import MPaaSAppPackage
import MPaaSCodeSignature
import MPaaSDigests
import MPaaSSupport
import MPaaSSymbols

/// Goes through files, folders and archives, and gathers what it meets; nothing is written to disk.
///
/// Archives are read by their directories: an entry is decompressed where its first bytes or its name are wanted, one at
/// a time, and given back before the next.
final class ScanWalk {
  var report = ScanReport()
  let limits: ScanLimits
  /// The bytes that entries may still give.
  private var budget: UInt64 = 0
  /// The entries of archives that may still be looked at.
  private var entriesLeft: Int
  /// The findings of secrets that may still come.
  var secretsLeft: Int
  /// Folders that were entered, so that a link to one around it ends.
  private var visited: Set<[UInt64]> = []

  private let hashesFiles: Bool
  private let time: Int
  let secrets: SecretSearch?
  let anchors: [X509Certificate]
  /// The signed bundles that the walk is in, the outermost first.
  var seals: [BundleSeal] = []

  init(_ limits: ScanLimits, hashesFiles: Bool, time: Int, secrets: SecretSearch?, anchors: [X509Certificate]) {
    self.limits = limits
    entriesLeft = limits.entries
    secretsLeft = limits.secrets
    self.hashesFiles = hashesFiles
    self.time = time
    self.secrets = secrets
    self.anchors = anchors
  }

  // MARK: - Inputs

  /// - Throws: `FileError` where the input cannot be read; files inside a folder that cannot be read are findings.
  func input(_ path: String) throws(FileError) {
    var path = path
    while path.count > 1, path.hasSuffix("/") { path.removeLast() }
    report.inputs.append(path)
    if FileStatus(path)?.kind == .folder {
      budget = limits.total
      try folder(path, depth: 0)
    } else {
      let bytes = try Bytes.mapping(path, sparsely: true)
      let (scaled, overflow) = UInt64(bytes.count).multipliedReportingOverflow(by: limits.totalRatio)
      budget = max(limits.total, overflow ? .max : scaled)
      report.files += 1
      if !content(bytes, path, depth: 0) { add(.unread, ScanPlace(path), "\(bytes.count) B") }
    }
  }

  private func folder(_ path: String, depth: Int) throws(FileError) {
    if let identity = FileStatus(path)?.identity, !visited.insert(identity).inserted { return }
    guard depth < 200 else { return add(.malformed, ScanPlace(path), "folders > 200") }
    let entries = try FileSystem.entries(in: path)
    let opened = seals.count
    if entries.contains(where: { $0.name == "_CodeSignature" && $0.kind == .folder }) {
      open(path) { try? Bytes.mapping(path + "/" + $0) }
    }
    defer { close(to: opened) }
    for entry in entries {
      let inner = path == "/" ? "/" + entry.name : path + "/" + entry.name
      // Links are names of what is met elsewhere, or lead out of the input.
      guard let status = FileStatus(ofLink: inner) else {
        // A name that is not UTF-8 does not lead to its file.
        add(.unread, ScanPlace(inner), "name")
        continue
      }
      guard status.kind != .other else {
        if let target = try? FileSystem.target(ofLink: inner) { for seal in seals { seal.add(inner, linkTo: target) } }
        continue
      }
      do throws(FileError) {
        switch entry.kind {
        case .folder: try folder(inner, depth: depth + 1)
        case .file:
          report.files += 1
          let bytes = try Bytes.mapping(inner, sparsely: true)
          for seal in seals { seal.add(inner, bytes) }
          _ = content(bytes, inner, depth: 0)
        case .other: break
        }
      } catch {
        add(.unread, ScanPlace(inner), "errno \(error.code.rawValue)")
      }
    }
  }

  // MARK: - Contents

  /// Looks at a file by its first bytes and its name; says whether it is of a kind that is read.
  @discardableResult
  private func content(_ bytes: Bytes, _ path: String, depth: Int) -> Bool {
    withExtendedLifetime(bytes) {
      let kind = ContentKind(bytes.buffer.prefix(16))
      if hashesFiles, let kind, kind != .zip {
        report.digests[path] = bytes.sha256InPieces.hexadecimal
      }
      switch kind {
      case .machO, .fat: machO(bytes, path)
      case .elf: elf(bytes, path, at: 0)
      case .library: library(bytes, path, at: 0)
      case .zip: zip(bytes, path, depth: depth + 1)
      case nil:
        search(bytes, path)
        return ContentKind.isDocument(path) && document(bytes, path)
      }
      return true
    }
  }

  private func zip(_ bytes: Bytes, _ path: String, depth: Int) {
    guard depth <= limits.depth else { return add(.malformed, ScanPlace(path), "archives > \(limits.depth)") }
    let directory: ZipDirectory
    do throws(ZipDirectory.Fault) {
      directory = try ZipDirectory(bytes, most: limits.entries)
    } catch {
      return add(.malformed, ScanPlace(path, offset: error.offset), error.reason)
    }
    var told = ToldFaults(limits.malformed)
    for fault in directory.faults where told.isNew {
      add(.malformed, ScanPlace(path, offset: fault.offset), fault.reason)
    }
    let opened = seals.count
    open(directory, of: bytes, path)
    defer { close(to: opened) }
    var isEncrypted = false
    for entry in directory.entries where !entry.isFolder {
      entriesLeft -= 1
      guard entriesLeft >= 0 else {
        if entriesLeft == -1 { add(.malformed, ScanPlace(path, offset: entry.place), "entries > \(limits.entries)") }
        return
      }
      report.files += 1
      if entry.isEncrypted {
        if !isEncrypted { add(.unread, ScanPlace(path, offset: entry.header), "encrypted: \(entry.name)") }
        isEncrypted = true
        continue
      }
      do throws(ZipDirectory.Fault) {
        if ZipPath.isEscape(entry.name), told.isNew {
          add(.malformed, ScanPlace(path, offset: entry.place), "path: \(entry.name)")
        }
        try self.entry(entry, of: bytes, directory, path, depth: depth)
      } catch {
        if told.isNew { add(.malformed, ScanPlace(path, offset: error.offset), "\(error.reason): \(entry.name)") }
      }
    }
  }

  private func entry(
    _ entry: ZipDirectory.Entry, of bytes: Bytes, _ directory: ZipDirectory, _ path: String, depth: Int
  ) throws(ZipDirectory.Fault) {
    let stored = try directory.stored(entry, of: bytes)
    let inner = path + "/" + entry.name
    let content = EntryContent(stored: stored, entry: entry)
    guard entry.method == 0 || entry.method == 8 else {
      // Pictures and sounds may be packed as they like.
      if ContentKind.isDocument(inner) { add(.unread, ScanPlace(inner), "method \(entry.method)") }
      return
    }
    if let library = NotedLibraries.name(of: entry.name), entry.size <= 4096 {
      return note(library, content, inner)
    }
    let head = content.head(16)
    let kind = head.withUnsafeBytes { ContentKind($0[...]) }
    let isSealed = seals.contains { $0.needsContent(of: inner) }
    let isSearched = secrets != nil && secretsLeft > 0 && SecretSearch.isWanted(inner) && ContentKind.isInApp(inner)
    guard kind != nil || isSealed || isSearched || ContentKind.isDocument(inner) else {
      for seal in seals { seal.add(inner, .empty) }
      return
    }
    if let reason = refusal(entry, isDocument: kind == nil && !isSealed && !isSearched) {
      throw ZipDirectory.Fault(reason: reason, offset: entry.place)
    }
    guard entry.size <= budget else { throw ZipDirectory.Fault(reason: "bytes > \(limits.total)", offset: entry.place) }
    budget -= entry.size
    do throws(EntryContent.Failure) {
      let body = try content.body()
      for seal in seals { seal.add(inner, body) }
      self.content(body, inner, depth: depth)
    } catch {
      throw ZipDirectory.Fault(reason: "\(error)", offset: entry.header)
    }
  }

  /// The reason for which an entry is not decompressed; nil where it may be.
  private func refusal(_ entry: ZipDirectory.Entry, isDocument: Bool) -> String? {
    if entry.method == 0 { return nil }
    if isDocument, entry.size > UInt64(limits.document) { return "size \(entry.size)" }
    guard entry.size > UInt64(limits.small) else { return nil }
    if entry.size > limits.largest { return "size \(entry.size)" }
    // Machine code does not shrink so far: what does was made to fill the memory.
    let (most, overflow) = entry.compressedSize.multipliedReportingOverflow(by: limits.ratio)
    return !overflow && entry.size > most ? "ratio \(entry.size / max(entry.compressedSize, 1))" : nil
  }

  private func note(_ name: String, _ content: EntryContent, _ path: String) {
    guard let text = try? content.body().text, let line = text.split(whereSeparator: \.isNewline).first else { return }
    report.notedLibraries.append(
      ScanReport.NotedLibrary(name: name, version: String(line.prefix(64)), path: path))
  }

  // MARK: - Signed bundles

  private func open(_ root: String, read: (String) -> Bytes?) {
    do throws(CodeSignatureError) {
      if let seal = try BundleSeal(root: root, read: read) { seals.append(seal) }
    } catch {
      add(.malformed, ScanPlace(root + "/" + BundleSeal.listName, offset: error.offset), error.code.rawValue)
    }
  }

  /// Opens the bundles of an archive, whose lists may come after the files that they seal.
  private func open(_ directory: ZipDirectory, of bytes: Bytes, _ path: String) {
    let ending = "/" + BundleSeal.listName
    let lists = directory.entries.filter { $0.name.hasSuffix(ending) && !$0.isEncrypted }
    guard !lists.isEmpty else { return }
    let byName = Dictionary(directory.entries.map { ($0.name, $0) }) { $1 }
    for list in lists.prefix(Self.mostSeals) {
      let root = String(list.name.dropLast(ending.count))
      open(path + "/" + root) { name in
        guard let entry = byName[root + "/" + name], refusal(entry, isDocument: true) == nil,
          let stored = try? directory.stored(entry, of: bytes)
        else { return nil }
        return try? EntryContent(stored: stored, entry: entry).body()
      }
    }
  }

  /// Tells what is wrong with the bundles that were opened since there were `count`.
  private func close(to count: Int) {
    while seals.count > count {
      report.findings += seals.removeLast().findings(report.images, at: time)
    }
  }

  /// Bundles with a seal that one archive may have.
  private static let mostSeals = 1000

  func add(_ rule: ScanRule, _ place: ScanPlace, _ evidence: String) {
    report.findings.append(ScanFinding(rule, place, evidence))
  }
}

/// Counts the faults of one archive that were told.
private struct ToldFaults {
  private var left: Int

  init(_ most: Int) {
    left = most
  }

  var isNew: Bool {
    mutating get {
      left -= 1
      return left >= 0
    }
  }
}

extension Bytes {
  /// The SHA-256 of the bytes, whose memory is given back piece by piece.
  fileprivate var sha256InPieces: [UInt8] {
    var digest = RunningDigest(.sha256)
    var place = 0
    while place < count, let piece = slice(at: UInt64(place), size: UInt64(min(count - place, 1 << 22))) {
      digest.update(piece.buffer)
      piece.release(piece.count)
      place += piece.count
    }
    return digest.value
  }
}
