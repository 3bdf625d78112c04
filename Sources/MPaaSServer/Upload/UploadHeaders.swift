import HTTPTypes
import Hummingbird
import MPaaSSupport

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension HTTPField.Name {
  /// A name written in the sources, hence always one.
  private static func own(_ name: String) -> HTTPField.Name { HTTPField.Name(name) ?? .cookie }

  static let tusResumable = own("Tus-Resumable")
  static let tusVersion = own("Tus-Version")
  static let tusExtension = own("Tus-Extension")
  static let tusMaxSize = own("Tus-Max-Size")
  static let tusChecksumAlgorithm = own("Tus-Checksum-Algorithm")
  static let uploadOffset = own("Upload-Offset")
  static let uploadLength = own("Upload-Length")
  static let uploadDeferLength = own("Upload-Defer-Length")
  static let uploadMetadata = own("Upload-Metadata")
  static let uploadChecksum = own("Upload-Checksum")
  static let uploadConcat = own("Upload-Concat")
  static let uploadExpires = own("Upload-Expires")
  static let uploadComplete = own("Upload-Complete")
  static let uploadLimit = own("Upload-Limit")
  static let uploadDraftInteropVersion = own("Upload-Draft-Interop-Version")
  static let methodOverride = own("X-HTTP-Method-Override")
  static let reprDigest = own("Repr-Digest")
  static let contentDigest = own("Content-Digest")
  static let acceptPatch = own("Accept-Patch")
  static let receiptID = own("Mpaas-Receipt")
}

/// The values of upload headers, read and written.
enum UploadHeaders {
  /// A number of bytes: digits only, nothing that overflows.
  static func count(_ text: String?) -> Int64? {
    guard let text, !text.isEmpty, text.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
    return Int64(text)
  }

  /// `Upload-Metadata` of tus: keys and base64 values, separated by commas; nil for what is none.
  static func metadata(_ text: String) -> [String: String]? {
    var values: [String: String] = [:]
    for pair in text.split(separator: ",") {
      let words = pair.split(separator: " ", omittingEmptySubsequences: true)
      guard let key = words.first, words.count <= 2, values[String(key)] == nil else { return nil }
      guard let data = Data(base64Encoded: words.count == 2 ? String(words[1]) : "") else { return nil }
      // A value that is no UTF-8 has no meaning here.
      values[String(key)] = String(validating: data, as: UTF8.self) ?? ""
    }
    return values
  }

  /// A boolean of structured fields: `?1`, `?0`.
  static func boolean(_ text: String?) -> Bool? {
    switch text?.split(separator: ";").first.map({ $0.filter { $0 != " " } }) {
    case "?1": true
    case "?0": false
    default: nil
    }
  }

  /// A member of a dictionary of byte sequences (`sha-256=:…:`, RFC 9530); nil where it is missing or none.
  static func digest(_ text: String?, _ algorithm: String) -> [UInt8]? {
    for member in (text ?? "").split(separator: ",") {
      let words = member.split(separator: "=", maxSplits: 1)
      guard words.count == 2, words[0].filter({ $0 != " " }).lowercased() == algorithm else { continue }
      let value = words[1].filter { $0 != " " }
      guard value.hasPrefix(":"), value.hasSuffix(":"), value.count >= 2 else { return nil }
      return Data(base64Encoded: String(value.dropFirst().dropLast())).map(Array.init)
    }
    return nil
  }

  /// `filename` of `Content-Disposition` (RFC 6266), the extended form first.
  static func filename(_ text: String?) -> String? {
    var plain: String?
    for part in (text ?? "").split(separator: ";").dropFirst() {
      let words = part.split(separator: "=", maxSplits: 1).map { $0.trimmed }
      guard words.count == 2 else { continue }
      if words[0].lowercased() == "filename*", words[1].lowercased().hasPrefix("utf-8''") {
        return PercentEncoding.decode(String(words[1].dropFirst(7)))
      }
      if words[0].lowercased() == "filename" {
        plain = words[1].hasPrefix("\"") ? String(words[1].dropFirst().dropLast()) : words[1]
      }
    }
    return plain
  }
}

extension Substring {
  fileprivate var trimmed: String {
    var text = self
    while text.first == " " { text.removeFirst() }
    while text.last == " " { text.removeLast() }
    return String(text)
  }
}
