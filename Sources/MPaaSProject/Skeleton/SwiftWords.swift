import MPaaSDeclarations

/// The words that Swift takes as a name.
package enum SwiftWords {
  /// Words of the language that cannot name a type or a variable without back quotes (The Swift Programming Language,
  /// "Keywords and Punctuation").
  static let reserved = SwiftKeywords.reserved.union([
    "Any", "Self", "await", "actor", "async", "some", "any", "macro", "_",
  ])

  /// Names of types and modules that code next to it uses, so that a type or a module of that name would hide them.
  static let taken: Set<String> = [
    "Type", "Protocol", "Swift", "Foundation", "UIKit", "SwiftUI", "AppKit", "Testing", "XCTest", "Combine", "Darwin",
    "Glibc", "Dispatch", "Array", "Bool", "Character", "Data", "Date", "Dictionary", "Double", "Error", "Float", "Int",
    "Never", "Optional", "Result", "Sendable", "Set", "String", "Task", "UInt", "URL", "View", "App", "Scene", "Main",
    "Package", "Test", "Tests", "MobileContext", "MPaaSFramework", "MPaaSHotpatch", "MPaaSTrust", "CrashReporter",
    "Observation", "Synchronization", "NSObject", "Codable", "Encodable", "Decodable", "Hashable", "Equatable",
    "Identifiable", "Module", "Void",
  ]

  /// ASCII letters, digits and underscores, no digit first; at most 64.
  static func isName(_ text: String) -> Bool {
    guard let first = text.utf8.first, text.utf8.count <= 64 else { return false }
    func isLetter(_ byte: UInt8) -> Bool { (byte | 0x20) &- UInt8(ascii: "a") < 26 || byte == UInt8(ascii: "_") }
    return isLetter(first) && text.utf8.allSatisfy { isLetter($0) || $0 &- UInt8(ascii: "0") < 10 }
  }

  /// A name that is no word of the language.
  package static func isIdentifier(_ text: String) -> Bool {
    isName(text) && !reserved.contains(text)
  }

  /// An identifier with an upper-case letter first that hides nothing.
  package static func isTypeName(_ text: String) -> Bool {
    guard let first = text.utf8.first else { return false }
    return isIdentifier(text) && first &- UInt8(ascii: "A") < 26 && !taken.contains(text)
  }
}
