import MPaaSSupport

/// The part of an update service that lasts: the number of the last good feed, and the versions that the user was asked
/// about.
struct UpdateState: Sendable, Equatable {
  /// The most versions that are remembered, the newest.
  static let mostAsked = 100

  var feedVersion = 0
  var asked: [String] = []

  /// Reads the state; what is missing or damaged is as at the first start.
  init(reading path: String) {
    guard let bytes = try? Bytes.reading(path, limit: 1 << 20), let value = try? JSONValue(reading: bytes.buffer) else {
      return
    }
    feedVersion = value.object?["feed"]?.integer() ?? 0
    asked = value.object?["asked"]?.array?.compactMap(\.string) ?? []
  }

  func write(to path: String) throws(FileError) {
    let value: JSONValue = [
      "feed": .init(feedVersion), "asked": .array(asked.suffix(Self.mostAsked).map { .string($0) }),
    ]
    try Bytes(Array(value.line.utf8)).write(to: path, mode: 0o600)
  }
}
