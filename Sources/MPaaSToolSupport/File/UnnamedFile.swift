package import MPaaSSupport

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// An open file without a name: room on the disk that goes with the process, however that ends.
package final class UnnamedFile: Sendable {
  private let file: OpenFile

  /// - Throws: `FileError` where no file can be made in `place`.
  package init(in place: TemporaryPlace) throws(FileError) {
    let folder = try place.prepared()
    file = try OpenFile(unique: folder + "/mpaas", called: folder)
    unlink(file.path)
  }

  /// Writes behind what was written before.
  package func append(_ bytes: UnsafeRawBufferPointer) throws(FileError) {
    try file.append(bytes)
  }

  /// Reads from `offset` until `target` is full or the file ends, and says how much came.
  package func read(_ target: UnsafeMutableRawBufferPointer, at offset: Int) -> Int {
    file.fill(target, at: offset)
  }

  /// Maps what was written so far.
  package func mapping() throws(FileError) -> Bytes { try Bytes.mapping(of: file.descriptor, file.name) }

  /// Maps a part of what was written; nil where the system cannot.
  package func mapping(_ range: Range<Int>) -> Bytes? { Bytes.mapping(range, of: file.descriptor) }
}
