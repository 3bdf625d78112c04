import MPaaSDigests
import MPaaSSupport

/// A picture of feedback, without what it need not say of its taker.
///
/// JPEG and PNG are taken, and rewritten without loss: position, time, camera, author, comments, small pictures and
/// whatever lies behind the end are left out. Other kinds are refused, since what they say of places cannot be taken out
/// for certain: an app makes JPEG of HEIC with `UIImage.jpegData`, or lets its picker do so.
public struct FeedbackImage: Sendable, Hashable {
  /// A kind of picture that is taken.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    /// ITU-T T.81.
    case jpeg
    /// ISO/IEC 15948.
    case png

    package var type: String { "image/" + rawValue }
    package var suffix: String { self == .jpeg ? "jpg" : "png" }
  }

  /// The most bytes of a picture.
  public static let largest = 32 << 20

  /// The kind of the picture.
  public let kind: Kind
  /// The bytes that are sent.
  public let bytes: [UInt8]

  /// Takes a picture, and leaves out what it need not say.
  ///
  /// - Throws: `AppServiceError` `feedback-picture-kind`, `feedback-picture-large`, or `feedback-picture-damaged`.
  public init(_ file: [UInt8]) throws(AppServiceError) {
    guard file.count <= Self.largest else {
      throw AppServiceError(
        .feedbackPictureLarge, ["size": ByteCount(UInt64(file.count)).description, "limit": Self.limitText])
    }
    guard let kind = Self.kind(of: file) else {
      throw AppServiceError(.feedbackPictureKind, ["kind": Self.name(ofKind: file)])
    }
    self.kind = kind
    bytes = try Bytes(file).cleaned(kind)
  }

  private static var limitText: String { ByteCount(UInt64(largest)).description }

  private static func kind(of file: [UInt8]) -> Kind? {
    if file.starts(with: [0xff, 0xd8, 0xff]) { return .jpeg }
    return file.starts(with: PNG.signature) ? .png : nil
  }

  /// The kind of a file in a word, as far as its first bytes tell.
  private static func name(ofKind file: [UInt8]) -> String {
    func has(_ text: String, at place: Int) -> Bool { file.dropFirst(place).starts(with: text.utf8) }
    if has("ftyp", at: 4) {
      let brands = ["heic": "HEIC", "heix": "HEIC", "mif1": "HEIC", "avif": "AVIF", "avis": "AVIF"]
      return brands.first { has($0.key, at: 8) }?.value ?? "MPEG-4"
    }
    if has("GIF8", at: 0) { return "GIF" }
    if has("RIFF", at: 0), has("WEBP", at: 8) { return "WebP" }
    if has("%PDF", at: 0) { return "PDF" }
    return has("II*", at: 0) || has("MM", at: 0) ? "TIFF" : "–"
  }
}

extension Bytes {
  fileprivate func cleaned(_ kind: FeedbackImage.Kind) throws(AppServiceError) -> [UInt8] {
    switch kind {
    case .jpeg: try JPEGCleaning.cleaned(buffer)
    case .png: try PNGCleaning.cleaned(buffer)
    }
  }
}

extension ByteError {
  /// Something else than the format has stands at a place.
  static func damaged(at offset: Int) -> ByteError { ByteError(code: .unsupportedSize, offset: offset) }
}

extension AppServiceError.Code {
  /// The picture is of a kind that is not taken.
  package static var feedbackPictureKind: Self {
    AppServiceError.Code("feedback-picture-kind", exit: .malformedInput)
  }
  /// The picture is cut, or not built as its kind is.
  package static var feedbackPictureDamaged: Self {
    AppServiceError.Code("feedback-picture-damaged", exit: .malformedInput)
  }
  /// The picture has more bytes than are taken.
  package static var feedbackPictureLarge: Self {
    AppServiceError.Code("feedback-picture-large", exit: .malformedInput)
  }
}
