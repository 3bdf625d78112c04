package import Hummingbird
package import NIOCore

/// The place of bytes that are kept under the SHA-256 of themselves: a folder, or a bucket.
///
/// Bytes are there for good when the function that stores them returns. Names are digests, so storing twice is harmless.
///
/// Every function throws `server-blobs-away` where the place does not answer.
package protocol BlobStore: Sendable {
  /// Tells whether a blob is noted before it is stored, so that one whose row never comes is found: without a note
  /// nothing but a list of all would tell.
  var isNotedFirst: Bool { get }

  /// Stores bytes whose SHA-256 is known.
  func store(_ bytes: [UInt8], as sha256: String) async throws

  /// Stores a file as it stands, whose SHA-256 is known; the file stays.
  func store(file: String, as sha256: String, size: Int64) async throws

  /// The number of bytes of a blob; nil where there is none.
  func size(of sha256: String) async throws -> Int64?

  /// All bytes of a blob; nil where there is none that can be read.
  func bytes(of sha256: String) async throws -> [UInt8]?

  /// The bytes of a range of a blob that has them; none where there is no such blob.
  func bytes(of sha256: String, _ range: Range<Int64>) async throws -> [UInt8]

  /// A range of a blob that there is as the body of an answer.
  ///
  /// - Parameter turns: Of those who read and write a piece at once.
  func body(of sha256: String, _ range: Range<Int64>, _ turns: Turns, to channel: any Channel) async throws
    -> ResponseBody

  /// Removes a blob; one that is not there is removed already.
  func remove(_ sha256: String) async throws

  /// Looks whether blobs can be stored and read now.
  func check() async throws

  /// Bytes of all blobs, where the place itself tells them; else they are those of the rows that name them.
  func usedBytes() async throws -> Int64?
}
