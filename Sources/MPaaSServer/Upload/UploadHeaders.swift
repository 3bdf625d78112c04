import HTTPTypes
import Hummingbird

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
      // What is no UTF-8 has no meaning for us.
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
        return unescaped(words[1].dropFirst(7))
      }
      if words[0].lowercased() == "filename" {
        plain = words[1].hasPrefix("\"") ? String(words[1].dropFirst().dropLast()) : words[1]
      }
    }
    return plain
  }

  /// Text with its `%XX` as the bytes that they stand for; nil for what is no UTF-8 then.
  static func unescaped(_ text: Substring) -> String? {
    var bytes: [UInt8] = []
    var rest = text.utf8[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      let digits = String(decoding: rest.prefix(2), as: UTF8.self)
      guard digits.utf8.count == 2, let value = UInt8(digits, radix: 16) else { return nil }
      bytes.append(value)
      rest = rest.dropFirst(2)
    }
    return String(validating: bytes, as: UTF8.self)
  }

  /// A moment as HTTP writes it (RFC 9110, 5.6.7).
  static func date(_ seconds: Double) -> String {
    let all = Int64(max(0, min(seconds, 253_402_300_799)))
    let (days, second) = (all / 86_400, all % 86_400)
    // Days to a date: the year begins in March, so that the leap day is its last (Howard Hinnant's days_from_civil).
    let shifted = days + 719_468
    let era = shifted / 146_097, dayOfEra = shifted % 146_097
    let year = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * year + year / 4 - year / 100)
    let month = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * month + 2) / 5 + 1
    let civil = month < 10 ? month + 3 : month - 9
    let names = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    let weekdays = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
    func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let clock = "\(two(second / 3600)):\(two(second / 60 % 60)):\(two(second % 60))"
    let fullYear = year + era * 400 + (civil <= 2 ? 1 : 0)
    return "\(weekdays[Int(days % 7)]), \(two(day)) \(names[Int(civil - 1)]) \(fullYear) \(clock) GMT"
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
