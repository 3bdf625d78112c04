package import MPaaSSupport
import MPaaSVerification

/// The greatest sizes of the parts of a bundle; what is larger is refused by its header, before it is read.
package struct BundleLimits: Sendable, Equatable {
  /// Bytes of the signed manifest.
  package var manifest = 64 << 10
  /// Bytes of the encrypted payload, and of the payload once decrypted.
  package var payload = 256 << 20
  /// Files in the payload.
  package var files = 4096

  package init() {}

  /// Bytes that a whole bundle can have: two headers, two paddings, the end.
  package var bundle: Int { manifest + payload + 6 * UstarHeader.block }
}

/// The two members of a bundle, as they stand in the file; nothing of them is checked yet.
package struct BundleContainer: Sendable {
  package static let manifestName = "manifest.dsse.json"
  package static let payloadName = "payload.age"

  package let manifest: Bytes
  package let payload: Bytes

  /// Finds the members; the container must be byte for byte as it would be written for them.
  ///
  /// - Throws: `TrustError` `bundle-tar-header`, `bundle-member-order`, `bundle-member-twice`, `bundle-member-extra`,
  ///   `bundle-member-kind`, `bundle-trailing-bytes`, `bundle-truncated`, `bundle-header-not-canonical`,
  ///   `bundle-too-large`.
  package init(reading bytes: Bytes, limits: BundleLimits = BundleLimits()) throws(TrustError) {
    var reader = UstarReader(bytes.buffer)
    let first = try Self.member(Self.manifestName, limit: limits.manifest, before: [], &reader)
    let second = try Self.member(Self.payloadName, limit: limits.payload, before: [Self.manifestName], &reader)
    let end = reader.offset
    if let header = try Self.header(&reader) {
      let isKnown = [Self.manifestName, Self.payloadName].contains(header.path)
      throw TrustError(
        isKnown ? .bundleMemberTwice : .bundleMemberExtra, ["name": header.path, "offset": String(end)])
    }
    manifest = bytes[checked: UInt64(first.lowerBound)..<UInt64(first.upperBound)] ?? .empty
    payload = bytes[checked: UInt64(second.lowerBound)..<UInt64(second.upperBound)] ?? .empty
  }

  /// The bytes of a bundle with these members.
  package static func encoded(manifest: [UInt8], payload: [UInt8]) -> [UInt8] {
    var writer = UstarWriter()
    // Both names are short: they always fit.
    _ = writer.add(manifestName, manifest)
    _ = writer.add(payloadName, payload)
    return writer.finished()
  }

  private static func member(
    _ name: String, limit: Int, before: [String], _ reader: inout UstarReader
  ) throws(TrustError) -> Range<Int> {
    let place = reader.offset
    guard let header = try header(&reader) else {
      throw TrustError(.bundleTruncated, ["name": name, "offset": String(place)])
    }
    guard header.path == name else {
      let isRepeated = before.contains(header.path)
      throw TrustError(
        isRepeated ? .bundleMemberTwice : .bundleMemberOrder,
        ["name": header.path, "expected": name, "offset": String(place)])
    }
    guard header.size <= limit else {
      throw TrustError(
        .bundleTooLarge, ["name": name, "size": String(header.size), "limit": String(limit)])
    }
    do {
      return try reader.contents(of: header)
    } catch {
      throw TrustError(bundle: error)
    }
  }

  private static func header(_ reader: inout UstarReader) throws(TrustError) -> UstarHeader? {
    do {
      return try reader.next()
    } catch {
      throw TrustError(bundle: error)
    }
  }
}

extension TrustError {
  /// The fault of the container of a bundle.
  fileprivate init(bundle error: UstarError) {
    let values = ["offset": String(error.offset)]
    switch error.code {
    case .header: self.init(.bundleTarHeader, values)
    case .kind(let flag): self.init(.bundleMemberKind, values.merging(["kind": Self.printed(flag)]) { $1 })
    case .notCanonical, .path: self.init(.bundleHeaderNotCanonical, values)
    case .truncated: self.init(.bundleTruncated, values)
    case .trailingBytes: self.init(.bundleTrailingBytes, values)
    }
  }

  private static func printed(_ flag: UInt8) -> String {
    (0x21..<0x7f).contains(flag) ? String(Unicode.Scalar(flag)) : "0x" + String(flag, radix: 16)
  }
}

extension TrustError.Code {
  package static let bundleTarHeader = malformed("bundle-tar-header")
  package static let bundleMemberOrder = malformed("bundle-member-order")
  package static let bundleMemberTwice = malformed("bundle-member-twice")
  package static let bundleMemberExtra = malformed("bundle-member-extra")
  package static let bundleMemberKind = malformed("bundle-member-kind")
  package static let bundleTrailingBytes = malformed("bundle-trailing-bytes")
  package static let bundleTruncated = malformed("bundle-truncated")
  package static let bundleHeaderNotCanonical = malformed("bundle-header-not-canonical")
  package static let bundleTooLarge = malformed("bundle-too-large")
}
