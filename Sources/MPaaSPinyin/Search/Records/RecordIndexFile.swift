import MPaaSSupport

/// The file of an index of records.
package struct RecordIndexFile: Sendable {
  package let path: String

  package init(_ path: String) {
    self.path = path
  }

  /// Bytes that it has; 0 where it is not there.
  package var size: UInt64 { FileStatus(path)?.size ?? 0 }

  /// Opens it.
  ///
  /// - Throws: `PinyinError` with the path; `FileError`.
  package func open() throws -> RecordIndex {
    do {
      return RecordIndex(try PinyinIndex(mapping: path))
    } catch let error as PinyinError {
      throw PinyinError(error.code, error.values.merging(["file": path]) { $1 }, at: error.place ?? .file(path))
    }
  }

  /// Makes sure that nothing but an index would be replaced: by its first bytes, so that an older one, too, is one.
  ///
  /// - Throws: `pinyin-index-exists`; `FileError` where the file cannot be read.
  package func checkReplaceable() throws {
    guard FileStatus(path)?.kind == .file else { return }
    let bytes = try Bytes.mapping(path)
    let isIndex = withExtendedLifetime(bytes) { bytes.buffer.prefix(4).elementsEqual("MPXI".utf8) }
    if !isIndex { throw PinyinError(.indexExists, ["path": path], at: .file(path)) }
  }

  /// Writes an index, beside the file first and then renamed into place.
  package func write(_ index: RecordIndex) throws {
    try index.index.write(to: path)
  }
}

extension PinyinError.Code {
  /// A file in the place of an index that is none.
  package static var indexExists: Self { Self("pinyin-index-exists", exit: .cannotCreate) }
}
