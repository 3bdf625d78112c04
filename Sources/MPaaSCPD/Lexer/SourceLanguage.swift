/// A language whose sources are split into tokens of its own.
package enum SourceLanguage: UInt8, Sendable, CaseIterable {
  case swift, c, objectiveC, java, kotlin, javascript, lua, xml, text

  /// The name that options, tables and results have.
  package var name: String {
    switch self {
    case .swift: "swift"
    case .c: "c"
    case .objectiveC: "objective-c"
    case .java: "java"
    case .kotlin: "kotlin"
    case .javascript: "javascript"
    case .lua: "lua"
    case .xml: "xml"
    case .text: "text"
    }
  }

  package init?(name: String) {
    guard let language = Self.allCases.first(where: { $0.name == name }) else { return nil }
    self = language
  }

  /// Languages of one family have tokens in common, so that code moved between them is found.
  var family: UInt8 { self == .objectiveC ? SourceLanguage.c.rawValue : rawValue }

  /// The language of a file by the end of its name; nil for others.
  package init?(path: String) {
    let name = path.utf8.split(separator: UInt8(ascii: "/")).last.map { String(Substring($0)) } ?? path
    guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")) else { return nil }
    guard let language = Self.extensions[name[name.index(after: dot)...].lowercased()] else { return nil }
    self = language
  }

  private static let extensions: [String: SourceLanguage] = {
    var table: [String: SourceLanguage] = [:]
    let names: [(SourceLanguage, String)] = [
      (.swift, "swift swiftinterface"), (.c, "c cc cpp cxx c++ h hh hpp hxx h++ inc inl ipp metal"),
      (.objectiveC, "m mm"), (.java, "java"), (.kotlin, "kt kts"),
      (.javascript, "js jsx mjs cjs ts tsx mts cts"), (.lua, "lua luau"),
      (.xml, "xml plist storyboard xib xsd xsl xslt svg html htm xhtml entitlements"),
    ]
    for (language, ends) in names { for end in ends.split(separator: " ") { table[String(end)] = language } }
    return table
  }()
}
