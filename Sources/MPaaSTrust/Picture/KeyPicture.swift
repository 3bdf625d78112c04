package import MPaaSSupport

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// App keys and secrets out of a picture that ships in the app and opens only for its bundle identifier.
///
/// Documentation/KeyPicture.md tells what it protects from, and what not: anyone who has the app and this library can
/// open the picture.
///
/// ```swift
/// let keys = try KeyPicture(contentsOf: path, bundleIdentifier: "com.example.shop")
/// let secret = keys["gateway"]
/// ```
public struct KeyPicture: Sendable {
  /// The decrypted pairs; overwritten with zeros when the last reference to them goes.
  private let pairs: SecretBytes
  private let places: [String: Range<Int>]

  /// Pictures are small; nothing larger is read.
  package static let largestPicture = 1 << 26

  /// Opens a picture.
  ///
  /// - Parameters:
  ///   - path: The path of the picture.
  ///   - bundleIdentifier: The identifier of the app that the picture was made for.
  ///   - passphrase: The passphrase that it was made with, if any.
  /// - Throws: `TrustError` `key-picture-closed` where the picture was made for another app or with another passphrase,
  ///   or was changed; `key-picture-none`, `key-picture-carrier`, `key-picture-broken`, `key-picture-twice`,
  ///   `key-picture-damaged`, `key-picture-passphrase`, and what reading the file throws.
  public init(
    contentsOf path: String, bundleIdentifier: String, passphrase: String? = nil
  ) throws(TrustError) {
    try self.init(
      Self.read(path), bundleIdentifier: bundleIdentifier, passphrase: passphrase.map { SecretBytes(copying: $0) })
  }

  /// Opens a picture that is in memory already.
  ///
  /// - Throws: As `init(contentsOf:bundleIdentifier:passphrase:)`.
  public init(_ picture: Data, bundleIdentifier: String, passphrase: String? = nil) throws(TrustError) {
    try self.init(
      Bytes(picture), bundleIdentifier: bundleIdentifier, passphrase: passphrase.map { SecretBytes(copying: $0) })
  }

  package init(_ picture: Bytes, bundleIdentifier: String, passphrase: SecretBytes?) throws(TrustError) {
    defer { withExtendedLifetime(picture) {} }
    let payload = try PictureCarrier.payload(of: picture.buffer)
    let pairs = try PicturePayload.open(payload, bundleIdentifier: bundleIdentifier, passphrase: passphrase)
    let places = try pairs.withUnsafeBytes { bytes throws(TrustError) in try KeyPairs.places(in: bytes) }
    self.pairs = pairs
    self.places = Dictionary(places.map { ($0.name, $0.value) }) { $1 }
  }

  package static func read(_ path: String) throws(TrustError) -> Bytes {
    do throws(FileError) {
      return try Bytes.reading(path, limit: largestPicture)
    } catch {
      throw TrustError(error)
    }
  }

  /// The names of all pairs, sorted.
  public var names: [String] { places.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) } }

  /// The value of a pair; nil where there is none.
  ///
  /// The string is a copy that is not overwritten: ask when it is needed, and do not keep it.
  public subscript(name: String) -> String? {
    withValue(of: name) { String(decoding: $0, as: UTF8.self) }
  }

  /// Hands over the value of a pair without copying it; nil where there is none.
  public func withValue<Result>(of name: String, _ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result?
  {
    guard let place = places[name] else { return nil }
    return try pairs.withUnsafeBytes { bytes in try body(UnsafeRawBufferPointer(rebasing: bytes[place])) }
  }
}

// MARK: Changing pictures

extension KeyPicture {
  /// Tells whether a picture opens with a passphrase only.
  ///
  /// - Throws: As opening does, where there is nothing to open.
  package static func needsPassphrase(_ picture: Bytes) throws(TrustError) -> Bool {
    defer { withExtendedLifetime(picture) {} }
    return PicturePayload.needsPassphrase(try PictureCarrier.payload(of: picture.buffer))
  }

  /// All pairs, to be changed.
  package var editable: KeyPairs {
    get throws(TrustError) { try pairs.withUnsafeBytes { bytes throws(TrustError) in try KeyPairs(reading: bytes) } }
  }
}
