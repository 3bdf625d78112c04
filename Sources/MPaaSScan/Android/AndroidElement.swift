/// An element of an Android manifest, in whichever of its two binary forms it was.
struct AndroidElement: Sendable {
  let name: String
  /// Values as text: numbers in decimal, booleans in words, references as `@0x7f…`.
  var attributes: [String: String] = [:]
  var children: [AndroidElement] = []

  /// Elements and depth beyond these are in no manifest.
  static let most = 100_000
  static let deepest = 64

  func all(_ name: String) -> [AndroidElement] { children.filter { $0.name == name } }
}

/// The reason why a manifest could not be read, with the byte at which.
struct AndroidXMLError: Error, Equatable {
  let reason: String
  let offset: Int
}
