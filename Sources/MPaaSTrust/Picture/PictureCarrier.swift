import MPaaSSupport

/// A picture that carries a payload in a place that programs which show it pass over.
package enum PictureCarrier: String, Sendable {
  case png, jpeg

  /// Tells the kind of picture that the bytes begin.
  ///
  /// - Throws: `TrustError` `key-picture-carrier` for anything else.
  package init(of picture: UnsafeRawBufferPointer) throws(TrustError) {
    if picture.starts(with: PNG.signature) {
      self = .png
    } else if picture.starts(with: [0xff, 0xd8, 0xff]) {
      self = .jpeg
    } else {
      throw TrustError(.keyPictureCarrier)
    }
  }

  /// The findings of a walk through a picture.
  struct Layout {
    /// Each chunk or segment with a payload, and the payload in it; not more than one in a picture of ours.
    var parts: [(whole: Range<Int>, payload: Range<Int>)] = []
    /// The place for a payload.
    var place = 0
  }

  private func layout(of picture: UnsafeRawBufferPointer) throws(TrustError) -> Layout {
    let layout: Layout
    do throws(ByteError) {
      switch self {
      case .png: layout = try PNGCarrier.layout(of: picture)
      case .jpeg: layout = try JPEGCarrier.layout(of: picture)
      }
    } catch {
      throw TrustError(.keyPictureBroken, ["offset": String(error.offset)])
    }
    guard layout.parts.count <= 1 else { throw TrustError(.keyPictureTwice) }
    return layout
  }

  /// The payload that `picture` carries.
  ///
  /// - Throws: `TrustError` `key-picture-carrier`, `key-picture-broken`, `key-picture-twice`, `key-picture-none`.
  static func payload(of picture: UnsafeRawBufferPointer) throws(TrustError) -> UnsafeRawBufferPointer {
    guard let part = try PictureCarrier(of: picture).layout(of: picture).parts.first else {
      throw TrustError(.keyPictureNone)
    }
    return UnsafeRawBufferPointer(rebasing: picture[part.payload])
  }

  /// The picture with `payload` in it, in place of an earlier one; every other byte stays as it is.
  ///
  /// - Throws: `TrustError` `key-picture-carrier`, `key-picture-broken`, `key-picture-twice`.
  package static func embed(_ payload: [UInt8], in picture: UnsafeRawBufferPointer) throws(TrustError) -> [UInt8] {
    let carrier = try PictureCarrier(of: picture)
    let layout = try carrier.layout(of: picture)
    let part =
      switch carrier {
      case .png: PNGCarrier.chunk(payload)
      case .jpeg: JPEGCarrier.segment(payload)
      }
    let place = layout.parts.first?.whole ?? layout.place..<layout.place
    return Array(picture[..<place.lowerBound]) + part + Array(picture[place.upperBound...])
  }
}

extension TrustError.Code {
  package static let keyPictureCarrier = malformed("key-picture-carrier")
  package static let keyPictureBroken = malformed("key-picture-broken")
  package static let keyPictureTwice = malformed("key-picture-twice")
  package static let keyPictureNone = malformed("key-picture-none")
}
