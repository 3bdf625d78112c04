import MPaaSDigests
import MPaaSSupport

/// The last state of each user on the disk, for the next start.
///
/// A file is replaced as a whole, and begins with the digest of all that follows: one that is damaged or cut counts as
/// none. Then comes a line of JSON, whose unknown members are passed over, and the state as it is kept. The state is the
/// JSON of the client API or the signed document, so that versions of the app understand each other's files.
struct FlagCache: Sendable {
  /// A state as it is kept.
  struct Content: Sendable, Equatable {
    /// The server, project and form that the state is of; it is for no other.
    var origin: String
    var body: [UInt8]
    /// The validator of the server's answer.
    var etag: String?
    /// The ID of the last event of the stream that is in it.
    var eventID: String?
  }

  private static let mark = "mpaas-flags"
  /// The number of the file's form, for people who look at it: readers go by the members.
  private static let form = 1
  /// The most bytes of a file: a signed state, and what is around it.
  private static let largest = FlagResponse.largestBody + (1 << 16)

  let folder: String

  func path(_ user: String?) -> String {
    folder + "/flags-" + (user.map { Array($0.utf8).sha256.prefix(20).hexadecimal } ?? "nobody")
  }

  /// The state that is kept for a user; nil where there is none, or a damaged one, or one of another origin.
  func read(_ user: String?, origin: String) -> Content? {
    guard let bytes = try? Bytes.reading(path(user), limit: Self.largest),
      let content = Self.content(bytes.array, user), content.origin.utf8.elementsEqual(origin.utf8)
    else { return nil }
    return content
  }

  /// Keeps a state for a user in the place of the one before.
  ///
  /// - Throws: `AppServiceError` where the file cannot be written; the one before stays.
  func write(_ content: Content, of user: String?) throws(AppServiceError) {
    do throws(FileError) {
      try PrivateFolder.create(folder)
      try Bytes(Self.file(content, user)).write(to: path(user), mode: 0o600)
    } catch { throw AppServiceError(error) }
  }

  /// Removes what writes have left that were killed: files whose names end with a dot and the six characters of one that
  /// is being written.
  func removeLeftovers() {
    for name in (try? FileSystem.names(in: folder)) ?? [] {
      let dot = name.utf8.dropLast(6).last
      if name.utf8.count > 7, dot == UInt8(ascii: ".") { try? FileSystem.remove(folder + "/" + name) }
    }
  }

  // MARK: - The form of the file

  static func file(_ content: Content, _ user: String?) -> [UInt8] {
    var members: JSONValue.Object = ["origin": .string(content.origin)]
    members["user"] = user.map { .string($0) }
    members["etag"] = content.etag.map { .string($0) }
    members["event"] = content.eventID.map { .string($0) }
    let rest = Array(JSONValue.object(members).line.utf8) + [UInt8(ascii: "\n")] + content.body
    return Array("\(mark) \(form) \(rest.sha256.hexadecimal)\n".utf8) + rest
  }

  static func content(_ file: [UInt8], _ user: String?) -> Content? {
    guard let end = file.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
    let words = file[..<end].split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
    let rest = file[(end + 1)...]
    guard words.count == 3, words[0].elementsEqual(mark.utf8), words[2].elementsEqual(rest.sha256.hexadecimal.utf8),
      let headEnd = rest.firstIndex(of: UInt8(ascii: "\n")),
      let head = rest[..<headEnd].withUnsafeBytes({ try? JSONValue(reading: $0) })?.object,
      UserSession.isSame(head["user"]?.string, user), let origin = head["origin"]?.string
    else { return nil }
    return Content(
      origin: origin, body: Array(rest[(headEnd + 1)...]), etag: head["etag"]?.string, eventID: head["event"]?.string)
  }
}
