import MPaaSArchive
import MPaaSLogUpload
import MPaaSSupport
import MPaaSToolSupport

/// A file that rotation left compressed: `app.log.1.gz`.
enum CompressedGeneration {
  private static let endings = ["gz", "zst", "xz", "bz2", "lz4", "br", "zip", "Z"]

  /// The name without the ending of a compression; nil for other names.
  static func uncompressed(_ name: String) -> String? {
    guard let dot = name.lastIndex(of: "."), endings.contains(String(name[name.index(after: dot)...])) else {
      return nil
    }
    return String(name[..<dot])
  }

  /// The text of one, decompressed to a file without a name.
  ///
  /// gzip and zstd are read piece by piece; xz, bzip2 and lz4 by libarchive, where that is installed.
  ///
  /// - Parameter temporary: The place where there is room for it.
  /// - Returns: nil where it is not all there, damaged, compressed in another way, or no text.
  static func text(at path: String, temporary: TemporaryPlace) -> ReadFile? {
    guard let file = try? ReadFile(path) else { return nil }
    guard let room = try? UnnamedFile(in: temporary) else { return nil }
    let size: Int?
    switch file.bytes(0..<min(file.size, 1 << 10)).withUnsafeBytes({ FileKind.of($0) }) {
    case .gzip: size = try? stream(file, .gzip, into: room)
    case .zstandard: size = try? stream(file, .zstandard, into: room)
    default: size = try? filtered(file, into: room)
    }
    guard let size else { return nil }
    let text = ReadFile(0..<size, of: room, path: path, modified: file.modified)
    // libarchive gives what no filter knows as it is: the first bytes of a file that is being written.
    return text.isText && !text.begins(as: file) ? text : nil
  }

  private static func stream(
    _ file: ReadFile, _ form: StreamDecompression.Form, into room: UnnamedFile
  ) throws -> Int {
    var stream = DecompressedText(file, form)
    var size = 0
    while let piece = try stream.next() {
      try piece.withUnsafeBytes { try room.append($0) }
      size += piece.count
    }
    return size
  }

  /// - Returns: nil where libarchive cannot read all of it.
  private static func filtered(_ file: ReadFile, into room: UnnamedFile) throws -> Int? {
    let archive = try ArchiveStream(try file.whole(), .any)
    guard try archive.nextFile() != nil else { return nil }
    var size = 0
    while case let piece = try archive.piece(), !piece.isEmpty {
      try room.append(piece)
      size += piece.count
    }
    return size
  }
}

extension ReadFile {
  /// Tells whether its first bytes are those of text.
  var isText: Bool { bytes(0..<min(size, 1 << 16)).withUnsafeBytes { FileKind.of($0) } == .text }

  /// Tells whether it has the size and the first bytes of another.
  fileprivate func begins(as other: ReadFile) -> Bool {
    guard size == other.size else { return false }
    let range = 0..<min(size, 1 << 16)
    return bytes(range).withUnsafeBytes { own in other.bytes(range).withUnsafeBytes { own.elementsEqual($0) } }
  }
}
