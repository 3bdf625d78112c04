import MPaaSSupport

/// Names of modules.
package enum ModuleName {
  /// Tells whether `name` begins with a letter or digit of ASCII and goes on with such, `.`, `_`, `+` and `-`; at most
  /// 100.
  ///
  /// It is a folder in projects, a part of file names and of addresses.
  package static func isValid(_ name: String) -> Bool {
    guard let first = name.utf8.first, name.utf8.count <= 100, isAlphanumeric(first) else { return false }
    return name.utf8.allSatisfy { byte in
      isAlphanumeric(byte)
        || [UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "+"), UInt8(ascii: "-")].contains(byte)
    }
  }

  private static func isAlphanumeric(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
      || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
  }
}

/// Paths inside a module.
package enum ModulePath {
  /// Tells whether `path` is relative, stays inside, and has one spelling only: no empty part, no `.`, no `..`, no
  /// backslash, no control characters.
  package static func isValid(_ path: String) -> Bool {
    guard (1...1024).contains(path.utf8.count), path.isPlainText, !path.utf8.contains(UInt8(ascii: "\\")) else {
      return false
    }
    return path.split(separator: "/", omittingEmptySubsequences: false).allSatisfy {
      !$0.isEmpty && $0 != "." && $0 != ".." && $0.utf8.count <= 255
    }
  }
}
