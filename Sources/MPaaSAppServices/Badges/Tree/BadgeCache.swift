import MPaaSDigests
import MPaaSSupport

/// The remote badges and the taps of a user that the server does not know of yet, in a file of the user.
///
/// The file's name comes from a digest of the user's ID; what is in it went through the app's function.
struct BadgeCache: Sendable {
  struct Content: Sendable, Equatable {
    var badges: [BadgeInfo] = []
    /// Widgets that were tapped, in order.
    var pending: [String] = []
    /// The version of the server's badges that these are; nil where they came otherwise.
    var version: String?
  }

  let folder: String

  func path(_ user: String) -> String {
    folder + "/badges-" + Array(user.utf8).sha256.prefix(20).hexadecimal
  }

  /// The content that is kept for a user; nothing where there is none.
  ///
  /// - Throws: `AppServiceError` `badge-cache-unreadable`.
  func read(_ user: String, _ configuration: BadgeServiceConfiguration) throws(AppServiceError) -> Content {
    let path = path(user)
    guard FileStatus(path) != nil else { return Content() }
    do {
      let plain = try configuration.decrypt(Bytes.reading(path, limit: BadgeInfo.largestPayload).array)
      let value = try plain.withUnsafeBytes { try JSONValue(reading: $0) }
      guard value.object?["user"]?.string?.utf8.elementsEqual(user.utf8) == true else { throw unreadable(path) }
      let pending = value.object?["pending"]?.array?.compactMap(\.string) ?? []
      return Content(badges: try BadgeInfo.list(value), pending: pending, version: value.object?["version"]?.string)
    } catch {
      throw unreadable(path)
    }
  }

  /// Keeps the content of a user in the place of what was there.
  ///
  /// - Throws: `AppServiceError`: the file could not be written, or `badge-cache-unreadable` where the app's function
  ///   failed.
  func write(
    _ content: Content, of user: String, _ configuration: BadgeServiceConfiguration
  ) throws(AppServiceError) {
    var members: JSONValue.Object = [
      "user": .string(user), "badges": .array(content.badges.filter { $0.number > 0 }.map(\.value)),
      "pending": .array(content.pending.map { .string($0) }),
    ]
    if let version = content.version { members["version"] = .string(version) }
    var plain: [UInt8] = []
    JSONValue.object(members).append(to: &plain)
    let encrypted: [UInt8]
    do { encrypted = try configuration.encrypt(plain) } catch { throw unreadable(path(user)) }
    do throws(FileError) {
      try PrivateFolder.create(folder)
      try Bytes(encrypted).write(to: path(user), mode: 0o600)
    } catch { throw AppServiceError(error) }
  }

  private func unreadable(_ path: String) -> AppServiceError {
    AppServiceError(.badgeCacheUnreadable, at: .file(path))
  }
}
