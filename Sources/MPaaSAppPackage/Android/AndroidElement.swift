/// An element of an Android manifest, in whichever of its two binary forms it was.
package struct AndroidElement: Sendable {
  package let name: String
  /// Values as text: numbers in decimal, booleans in words, references as `@0x7f…`.
  package internal(set) var attributes: [String: String] = [:]
  package internal(set) var children: [AndroidElement] = []

  /// Elements and depth beyond these are in no manifest.
  static let most = 100_000
  static let deepest = 64

  package func all(_ name: String) -> [AndroidElement] { children.filter { $0.name == name } }
}

/// The reason why a manifest could not be read, with the byte at which.
package struct AndroidXMLError: Error, Equatable {
  package let reason: String
  /// Bytes from the start of the file.
  package let offset: Int

  package init(reason: String, offset: Int) { (self.reason, self.offset) = (reason, offset) }
}
