import MPaaSSupport
package import MPaaSTransfer

extension RepositoryClient {
  /// Finds a file that the repository offers, by way of the roles that may vouch for its name; the repository is
  /// refreshed first, or opened again, where that was not done yet.
  ///
  /// - Returns: nil where no role lists it.
  /// - Throws: `TrustError` where a role's metadata on the way is not to be trusted: a later role must not speak in its
  ///   place; `target-search-limit` where more roles than `limits.delegationVisits` would have to be asked.
  public mutating func target(_ name: String) throws(TrustError) -> TrustedTarget? {
    if trusted == nil { if isOffline { try open() } else { try refresh() } }
    guard var metadata = trusted else { return nil }
    // Files of delegated roles may be written.
    let lock = isOffline ? nil : try folder.lock()
    defer {
      trusted = metadata
      withExtendedLifetime(lock) {}
    }
    var search = TargetSearch(
      for: name, from: TargetsRole(of: metadata.root.body), visits: limits.delegationVisits)
    while let role = try search.next() {
      let found = try loadTargets(role, into: &metadata)
      if let target = search.target(in: found, of: role) { return target }
    }
    return nil
  }

  /// Brings a file to `path`; one that is there with the right digests is not fetched again, and a download that was
  /// interrupted goes on.
  ///
  /// Beside it stands `path.partial` while the download goes on.
  ///
  /// - Returns: Whether anything was fetched.
  /// - Throws: `TrustError` `target-digest-mismatch`, `target-file-missing`, `target-bad-name`, or why no mirror
  ///   answered. What was at `path` is then untouched.
  @discardableResult
  public func download(_ target: TrustedTarget, to path: String) throws(TrustError) -> Bool {
    try download(target, to: path) { _ in }
  }

  package func download(
    _ target: TrustedTarget, to path: String, progress: @escaping @Sendable (HTTPProgress) -> Void
  ) throws(TrustError) -> Bool {
    let accept: @Sendable (String) -> Bool = { target.file.describes($0) }
    if accept(path) { return false }
    let name = try remoteName(of: target)
    let request = TargetRequest(
      path: path, partial: path + ".partial", length: target.length, accept: accept, progress: progress)
    do throws(FileError) {
      if let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")), slash != path.startIndex {
        try Directories.create(String(path[..<slash]))
      }
      if try request.finishesPartial() { return true }
    } catch {
      throw TrustError(error)
    }
    var failures = MirrorFailures()
    for source in fetch.targets {
      do throws(TrustError) {
        if try source.bring(name, request) { return true }
        failures.isMissing = true
      } catch {
        failures.note(error)
      }
    }
    try failures.raise()
    throw TrustError(.targetFileMissing, ["name": target.name])
  }

  /// The addresses of a file on each mirror that may have it, in their order: URLs, and paths for folders of this
  /// machine.
  ///
  /// The caller has to check the length and digests of a file that it gets there.
  ///
  /// - Throws: `TrustError` `target-bad-name`.
  package func addresses(of target: TrustedTarget) throws(TrustError) -> [String] {
    let name = try remoteName(of: target)
    return fetch.targets.compactMap { $0.address(name) }
  }

  /// The name in the repository; with consistent snapshots the file's name has a digest in front (TUF section 5.7.3).
  package func remoteName(of target: TrustedTarget) throws(TrustError) -> String {
    // By bytes: a mark behind a slash makes one character of both.
    var parts = target.name.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
      .map { String(Substring($0)) }
    // Such a name would lead elsewhere, on servers and in folders.
    guard parts.allSatisfy({ !$0.isEmpty && $0 != "." && $0 != ".." && !$0.utf8.contains(0) }) else {
      throw TrustError(.targetBadName, ["name": target.name])
    }
    if trusted?.root.body.consistentSnapshot == true, let digest = target.file.digests.preferred,
      let last = parts.popLast()
    {
      parts.append("\(digest).\(last)")
    }
    return parts.map { PercentEncoding.encode($0) }.joined(separator: "/")
  }
}

extension RepositorySource {
  /// Gets a target; where it goes on with what another mirror or another day left, and the whole is wrong, it is got
  /// once more from the start.
  fileprivate func bring(_ name: String, _ request: TargetRequest) throws(TrustError) -> Bool {
    let goesOn = (FileStatus(request.partial)?.size ?? 0) > 0
    do throws(TrustError) {
      return try target(name, request)
    } catch {
      guard goesOn, error.code == .targetDigestMismatch else { throw error }
      try? FileSystem.remove(request.partial)
      return try target(name, request)
    }
  }
}

extension TargetRequest {
  /// Gives a partial file that is whole its name; one that is too long, or whole and wrong, goes.
  fileprivate func finishesPartial() throws(FileError) -> Bool {
    guard let status = FileStatus(ofLink: partial), status.size >= UInt64(clamping: length) else { return false }
    let file: PartialFile
    do throws(FileError) {
      file = try PartialFile(continuing: partial, beside: path, limit: UInt64(clamping: length))
    } catch {
      guard error.code == .resourceTemporarilyUnavailable else { throw error }
      return false
    }
    guard accept(partial) else {
      file.discard()
      return false
    }
    try file.finish()
    return true
  }
}

extension TargetFile {
  /// Tells whether the file at `path` has the length and the digests.
  func describes(_ path: String) -> Bool {
    guard let status = FileStatus(path), status.kind == .file, status.size == UInt64(clamping: length),
      let bytes = try? Bytes.mapping(path)
    else { return false }
    return bytes.count == length && digests.match(bytes.buffer)
  }
}
