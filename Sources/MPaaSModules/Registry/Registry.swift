import MPaaSDigests
import MPaaSSupport

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A signed repository of modules that this machine or a project asks.
package struct Registry: Sendable, Equatable {
  /// The one that named it.
  package enum Origin: String, Sendable, Codable {
    case project, user
  }

  package var name: String
  /// `https:`, `http:` or `file:` URLs, or folders, in the order in which they are tried; the first is its address.
  package var mirrors: [String]
  /// The signed root that is trusted from the beginning: a file.
  package var root: String
  package var origin: Origin
  /// The folder where what is trusted of it is kept.
  package var folder: String

  package init(name: String, mirrors: [String], root: String, origin: Origin, folder: String) {
    self.name = name
    self.mirrors = mirrors
    self.root = root
    self.origin = origin
    self.folder = folder
  }

  package var url: String { mirrors.first ?? "" }

  /// A letter or digit, then letters, digits, `_` and `-`; at most 40.
  package static func isName(_ text: String) -> Bool {
    guard (1...40).contains(text.utf8.count), let first = text.utf8.first, first != UInt8(ascii: "-") else {
      return false
    }
    return text.utf8.allSatisfy {
      switch $0 {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
        true
      default: false
      }
    }
  }

  /// SHA-256 of a root file, in 64 lower-case hexadecimal digits: what people compare.
  package static func fingerprint(of root: [UInt8]) -> String {
    root.sha256.hexadecimal
  }
}
