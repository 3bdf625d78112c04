import MPaaSDigests

/// The number of a release in an environment: made of their names, so that no sequence is asked for it.
struct ReleaseNumber: Sendable, Hashable, Comparable {
  let app: String
  let number: Int64

  /// Takes the first 63 bits of a SHA-256 over the names.
  init(app: String, release: String, environment: String) {
    self.app = app
    let digest = Array("\(app)\u{0}\(release)\u{0}\(environment)".utf8).sha256
    number = Int64(digest.prefix(8).reduce(0 as UInt64) { $0 << 8 | UInt64($1) } >> 1)
  }

  init(app: String, number: Int64) {
    self.app = app
    self.number = number
  }

  static func < (left: Self, right: Self) -> Bool { (left.app, left.number) < (right.app, right.number) }
}
