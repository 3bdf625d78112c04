import MPaaSSupport

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
  /// - Parameter temporary: The place where there is room for it.
  /// - Returns: nil where it is not all there, damaged, compressed otherwise than by gzip or zstd, or no text.
  static func text(at path: String, temporary: TemporaryPlace) -> ReadFile? {
    guard let file = try? ReadFile(path) else { return nil }
    let form: StreamDecompression.Form
    switch file.bytes(0..<min(file.size, 1 << 10)).withUnsafeBytes({ FileKind.of($0) }) {
    case .gzip: form = .gzip
    case .zstandard: form = .zstandard
    default: return nil
    }
    guard let room = try? UnnamedFile(in: temporary) else { return nil }
    var stream = DecompressedText(file, form)
    var size = 0
    do {
      while let piece = try stream.next() {
        try piece.withUnsafeBytes { try room.append($0) }
        size += piece.count
      }
    } catch {
      return nil
    }
    let text = ReadFile(0..<size, of: room, path: path, modified: file.modified)
    return text.isText ? text : nil
  }
}

extension ReadFile {
  /// Whether its first bytes are those of text.
  var isText: Bool { bytes(0..<min(size, 1 << 16)).withUnsafeBytes { FileKind.of($0) } == .text }
}
