import MPaaSDigests
package import MPaaSSupport
import MPaaSVerification

/// A file of a payload with its contents.
package struct PayloadFile: Sendable {
  /// Relative, with `/` between its parts.
  package let path: String
  package let contents: Bytes

  package init(path: String, contents: Bytes) {
    self.path = path
    self.contents = contents
  }

  package var isLua: Bool { path.hasSuffix(".lua") }
  /// The contents as text; nil where they are not UTF-8.
  package var text: String? { String(validUTF8: contents.buffer) }

  /// As the manifest lists it.
  package var listed: PatchManifest.File {
    PatchManifest.File(path: path, size: contents.count, sha256: contents.sha256.hexadecimal)
  }
}

/// The archive inside the encrypted part of a bundle.
package enum PayloadArchive {
  /// Writes the archive of `files`, sorted by path.
  ///
  /// - Throws: `TrustError` `payload-path`.
  package static func encoded(_ files: [PayloadFile]) throws(TrustError) -> [UInt8] {
    try PayloadPath.check(files.map(\.path))
    var writer = UstarWriter()
    for file in files.sorted(by: { PatchManifest.precedes($0.path, $1.path) }) {
      guard writer.add(file.path, file.contents.buffer) else { throw PayloadPath.error(file.path, "long") }
    }
    return writer.finished()
  }

  /// Reads an archive; its files must be those that `listed` names, in that order, with those sizes and digests.
  ///
  /// - Throws: `TrustError` `payload-path`, `payload-archive`, `payload-files-differ`.
  package static func files(in archive: Bytes, listed: [PatchManifest.File]) throws(TrustError) -> [PayloadFile] {
    let files = try self.files(in: archive, limit: listed.count)
    try PayloadPath.check(files.map(\.path))
    for (file, expected) in zip(files, listed) {
      guard file.path == expected.path, file.contents.count == expected.size,
        file.contents.sha256.hexadecimal == expected.sha256
      else { throw TrustError(.payloadFilesDiffer, ["path": expected.path]) }
    }
    guard files.count == listed.count else {
      let path = files.count < listed.count ? listed[files.count].path : files[listed.count].path
      throw TrustError(.payloadFilesDiffer, ["path": path])
    }
    return files
  }

  private static func files(in archive: Bytes, limit: Int) throws(TrustError) -> [PayloadFile] {
    do throws(UstarError) {
      var reader = UstarReader(archive.buffer)
      var files: [PayloadFile] = []
      while let header = try reader.next() {
        let range = try reader.contents(of: header)
        let contents = archive[checked: UInt64(range.lowerBound)..<UInt64(range.upperBound)] ?? .empty
        files.append(PayloadFile(path: header.path, contents: contents))
        // Anything after the last file that is listed is listed nowhere.
        if files.count > limit { break }
      }
      return files
    } catch {
      switch error.code {
      case .kind: throw PayloadPath.error("offset \(error.offset)", "kind")
      case .path: throw PayloadPath.error("offset \(error.offset)", "text")
      default: throw TrustError(.payloadArchive, ["offset": String(error.offset)])
      }
    }
  }
}

/// The rules for paths inside a payload: they are written to disks of any system by `unpack`.
package enum PayloadPath {
  static let longest = 255

  /// Checks each path, and that no two are the same where case does not count, nor one the folder of another.
  ///
  /// - Throws: `TrustError` `payload-path`.
  package static func check(_ paths: [String]) throws(TrustError) {
    var seen: Set<String> = []
    for path in paths {
      if let reason = fault(path) { throw error(path, reason) }
      guard seen.insert(folded(path)).inserted else { throw error(path, "twice") }
    }
    for path in paths {
      // By bytes: a mark behind a slash makes one character of both.
      var parent = Substring(folded(path))
      while let slash = parent.utf8.lastIndex(of: UInt8(ascii: "/")) {
        parent = parent[..<slash]
        guard !seen.contains(String(parent)) else { throw error(path, "folder") }
      }
    }
  }

  /// The fault of a path alone, in a word; nil where nothing is.
  package static func fault(_ path: String) -> String? {
    if path.isEmpty || path.utf8.count > longest { return "long" }
    switch PortablePath.rule(brokenBy: path) {
    case .outside, .emptyPart: return "parts"
    case let rule?: return rule.rawValue
    case nil: return path.utf8.count { $0 == UInt8(ascii: "/") } >= 16 ? "deep" : nil
    }
  }

  private static func folded(_ path: String) -> String { path.uppercased().lowercased() }

  static func error(_ path: String, _ reason: String) -> TrustError {
    TrustError(.payloadPath, ["path": path, "reason": reason])
  }
}

extension TrustError.Code {
  package static let payloadPath = malformed("payload-path")
  package static let payloadArchive = malformed("payload-archive")
  package static let payloadFilesDiffer = refused("payload-files-differ")
}
