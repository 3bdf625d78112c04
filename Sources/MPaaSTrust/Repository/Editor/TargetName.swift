import Crypto
import MPaaSSupport

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Names of targets, and which roles may vouch for them.
package enum TargetName {
  /// Refuses what is no relative path that any system can store and any URL can hold.
  ///
  /// - Throws: `TrustError` `target-name`.
  package static func validate(_ name: String) throws(TrustError) {
    let parts = name.split(separator: "/", omittingEmptySubsequences: false)
    let isClean = name.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7f && $0 != "\\" }
    // The digest with its dot takes 65 of the 255 bytes that file systems give to a name.
    let isShort = name.utf8.count <= 1024 && parts.allSatisfy { $0.utf8.count <= 190 }
    guard isClean, isShort, !parts.contains(where: { $0.isEmpty || $0 == "." || $0 == ".." }) else {
      throw TrustError(.targetName, ["name": name])
    }
  }

  /// Refuses names that are no part of a file name everywhere, and those of the four top roles.
  ///
  /// - Throws: `TrustError` `role-name`.
  package static func validate(role name: String) throws(TrustError) {
    let isClean = name.utf8.allSatisfy { byte in
      (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
        || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || [0x2d, 0x2e, 0x5f].contains(byte)
    }
    guard isClean, (1...128).contains(name.utf8.count), !name.hasPrefix("."), TopRole(rawValue: name) == nil else {
      throw TrustError(.roleName, ["role": name])
    }
  }

  /// SHA-256 of the name in hex, which decides about the bin.
  static func digest(_ name: String) -> String {
    Data(SHA256.hash(data: Array(name.utf8))).hexadecimal
  }
}

extension DelegatedRole {
  /// Whether the role may vouch for a target of this name.
  package func covers(_ name: String) -> Bool {
    switch scope {
    case .paths(let patterns):
      let parts = name.split(separator: "/", omittingEmptySubsequences: false)
      return patterns.contains { pattern in
        let patterns = pattern.split(separator: "/", omittingEmptySubsequences: false)
        return patterns.count == parts.count
          && zip(patterns, parts).allSatisfy {
            Self.matches(Array($0.unicodeScalars)[...], Array($1.unicodeScalars)[...])
          }
      }
    case .hashPrefixes(let prefixes):
      let digest = TargetName.digest(name)
      return prefixes.contains { digest.hasPrefix($0) }
    }
  }

  /// `*` stands for any number of characters, `?` for one; in time that grows with the product of the lengths.
  private static func matches(_ pattern: ArraySlice<Unicode.Scalar>, _ text: ArraySlice<Unicode.Scalar>) -> Bool {
    var pattern = pattern
    var text = text
    var retry: (pattern: ArraySlice<Unicode.Scalar>, text: ArraySlice<Unicode.Scalar>)?
    while !text.isEmpty {
      if pattern.first == "*" {
        pattern = pattern.dropFirst()
        retry = (pattern, text)
      } else if let one = pattern.first, one == "?" || one == text.first {
        pattern = pattern.dropFirst()
        text = text.dropFirst()
      } else if let last = retry {
        text = last.text.dropFirst()
        pattern = last.pattern
        retry = (pattern, text)
      } else {
        return false
      }
    }
    return pattern.allSatisfy { $0 == "*" }
  }
}

extension SuccinctRoles {
  /// How many bins there are.
  package var count: Int { 1 << bitLength }

  /// The name of a bin: its number in hex, with as many digits as the last one has (TAP 15).
  package func name(ofBin number: Int) -> String {
    let width = String(count - 1, radix: 16).count
    let digits = String(number, radix: 16)
    return namePrefix + "-" + String(repeating: "0", count: max(0, width - digits.count)) + digits
  }

  /// The bin that vouches for a target: the first bits of the digest of its name.
  package func bin(for name: String) -> String {
    let first = UInt32(TargetName.digest(name).prefix(8), radix: 16) ?? 0
    return self.name(ofBin: Int(first >> UInt32(32 - bitLength)))
  }
}

extension TrustError.Code {
  package static let targetName = TrustError.Code("target-name", exit: .usage)
  package static let roleName = TrustError.Code("role-name", exit: .usage)
}
