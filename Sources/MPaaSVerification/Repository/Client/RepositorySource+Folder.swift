import MPaaSSupport
import MPaaSTransfer

extension RepositorySource {
  /// Files in a folder of this machine.
  package static func folder(_ folder: String) -> RepositorySource {
    RepositorySource(
      metadata: { name, limit throws(TrustError) in
        guard let file = find(name, in: folder), let status = FileStatus(file) else { return nil }
        guard status.size <= UInt64(clamping: limit) else { throw .tooLarge(name, limit) }
        do throws(FileError) { return try Bytes.reading(file, limit: limit).array } catch { throw TrustError(error) }
      },
      target: { name, wanted throws(TrustError) in
        guard let file = find(name, in: folder), let status = FileStatus(file) else { return false }
        guard status.size == UInt64(clamping: wanted.length) else {
          throw TrustError(.targetDigestMismatch, ["name": name])
        }
        try copy(file, name, wanted)
        return true
      }, address: { find($0, in: folder) })
  }

  private static func copy(_ file: String, _ name: String, _ wanted: TargetRequest) throws(TrustError) {
    let copy: PartialFile
    do throws(FileError) {
      copy = try PartialFile(beside: wanted.path)
      try pour(file, into: copy, wanted)
    } catch {
      throw TrustError(error)
    }
    guard wanted.accept(copy.path) else { throw TrustError(.targetDigestMismatch, ["name": name]) }
    do throws(FileError) { try copy.finish() } catch { throw TrustError(error) }
  }

  private static func pour(_ file: String, into copy: PartialFile, _ wanted: TargetRequest) throws(FileError) {
    let source = try OpenFile(file)
    let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 16)
    defer { piece.deallocate() }
    // The file may grow while it is read.
    while copy.size <= UInt64(clamping: wanted.length) {
      let count = try source.read(piece, at: copy.size)
      if count == 0 { break }
      try copy.append(UnsafeRawBufferPointer(rebasing: piece[..<count]))
      wanted.progress(HTTPProgress(received: copy.size, total: UInt64(clamping: wanted.length)))
    }
  }

  /// The path of a file, its name as it stands in a URL or as that is read; nil where there is none inside the folder.
  private static func find(_ name: String, in folder: String) -> String? {
    for candidate in [name, PercentEncoding.decode(name) ?? name] {
      let isInside = candidate.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        .allSatisfy { !$0.isEmpty && !$0.elementsEqual(".".utf8) && !$0.elementsEqual("..".utf8) }
      let path = folder + "/" + candidate
      if isInside, !candidate.utf8.contains(0), FileStatus(path)?.kind == .file { return path }
    }
    return nil
  }
}
