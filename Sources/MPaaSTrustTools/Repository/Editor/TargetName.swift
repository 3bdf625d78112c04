import MPaaSSupport
package import MPaaSTrust

/// Names of targets, and which roles may vouch for them.
package enum TargetName {
  /// Refuses what is no relative path that any system can store and any URL can hold.
  ///
  /// - Throws: `TrustError` `target-name`.
  package static func validate(_ name: String) throws(TrustError) {
    // By scalars: a mark behind a slash makes one character of both.
    let parts = name.unicodeScalars.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    let isClean = name.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7f && $0 != "\\" }
    // The digest with its dot takes 65 of the 255 bytes that file systems give to a name.
    let isShort = name.utf8.count <= 1024 && parts.allSatisfy { $0.utf8.count <= 190 }
    guard isClean, isShort, !parts.contains(where: { $0.isEmpty || $0 == "." || $0 == ".." }) else {
      throw TrustError(.targetName, ["name": name])
    }
  }

  /// Refuses a name beside another that has the same letters in other bytes: people and file systems take them for one.
  ///
  /// - Throws: `TrustError` `target-name-twin`.
  package static func distinguish(_ name: String, _ other: String) throws(TrustError) {
    // Strings are equal where Unicode normalization makes them so (UAX #15).
    guard name == other, ExactName(name) != ExactName(other) else { return }
    throw TrustError(.targetNameTwin, ["name": name, "other": other])
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
}

extension SuccinctRoles {
  /// The number of bins.
  var count: Int { 1 << bitLength }

  var names: [String] { (0..<count).map { bin(at: UInt32($0)) } }
}

extension TrustError.Code {
  package static let targetName = TrustError.Code("target-name", exit: .usage)
  package static let targetNameTwin = TrustError.Code("target-name-twin", exit: .usage)
  package static let roleName = TrustError.Code("role-name", exit: .usage)
}
