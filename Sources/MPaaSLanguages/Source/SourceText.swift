/// A text that a source asks for by its key.
package struct SourceText: Sendable, Hashable {
  package let key: String
  /// The source's text in the language of development.
  package let value: String?
  /// The comment for translators; nil where nothing, or nothing that can be read, stands there.
  package let comment: String?
  package let table: String
  package let file: String
  /// From 1: where the call begins.
  package let line: Int
  /// Tells whether the key has specifiers whose types were guessed from how interpolated expressions look.
  package let isGuessed: Bool

  package static let defaultTable = "Localizable"

  package init(
    key: String, value: String? = nil, comment: String? = nil, table: String = Self.defaultTable, file: String,
    line: Int, isGuessed: Bool = false
  ) {
    self.key = key
    self.value = value
    self.comment = comment
    self.table = table
    self.file = file
    self.line = line
    self.isGuessed = isGuessed
  }

  func with(key: String) -> SourceText {
    SourceText(
      key: key, value: value, comment: comment, table: table, file: file, line: line, isGuessed: isGuessed)
  }
}

/// A call whose key or table is known at run time only.
package struct DynamicText: Sendable, Hashable {
  package enum Part: String, Sendable { case key, table }

  package let function: String
  /// The argument in place of a literal.
  package let argument: String
  package let part: Part
  package let file: String
  package let line: Int
}

/// A function, a property or a macro that only passes its argument on to a function of ours.
package struct TextWrapper: Sendable, Hashable {
  package let name: String
  package let file: String
  package let line: Int
}

/// The texts found in sources.
package struct SourceTexts: Sendable {
  /// In the order of the files, and in each by line.
  package var texts: [SourceText] = []
  package var dynamic: [DynamicText] = []
  package var wrappers: [TextWrapper] = []
  /// The first file that imports SwiftUI, where its literals were not to be looked at.
  package var withoutSwiftUI: String?

  package init() {}

  package mutating func append(_ other: SourceTexts) {
    texts += other.texts
    dynamic += other.dynamic
    wrappers += other.wrappers
    withoutSwiftUI = withoutSwiftUI ?? other.withoutSwiftUI
  }
}

/// The languages of sources.
package enum SourceLanguage: Sendable {
  case swift
  /// C, C++ and Objective-C.
  case c

  /// By the extension of a path; nil for what is no source.
  package init?(path: String) {
    guard let dot = path.lastIndex(of: "."), path[dot...].firstIndex(of: "/") == nil else { return nil }
    switch path[path.index(after: dot)...].lowercased() {
    case "swift", "swiftinterface": self = .swift
    case "m", "mm", "h", "c", "cc", "cpp", "cxx", "hpp", "hh", "hxx", "pch", "inc": self = .c
    default: return nil
    }
  }
}

/// The calls that count as asking for a text.
package struct ExtractionOptions: Sendable {
  /// Tells whether the literals of SwiftUI's views and modifiers are keys too.
  package var includesSwiftUI = false
  package var wrappers: [WrapperSignature] = []

  package init(includesSwiftUI: Bool = false, wrappers: [WrapperSignature] = []) {
    self.includesSwiftUI = includesSwiftUI
    self.wrappers = wrappers
  }
}
