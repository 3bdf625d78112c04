#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The texts of an app in each of its languages.
public struct LanguageTexts: Sendable {
  /// In the order of their tags.
  public let languages: [AppLanguage]
  private let tables: [AppLanguage: [String: String]]

  /// No texts: every key stands for itself.
  public static let none = LanguageTexts([:])

  /// Makes the texts from a table of keys and texts for each language.
  public init(_ tables: [AppLanguage: [String: String]]) {
    self.tables = tables
    languages = tables.keys.sorted { $0.tag < $1.tag }
  }

  /// Reads a folder as the old kit's `MPLanguage.bundle` is: a table for each language, `zh_CN.strings`, `en.strings`.
  ///
  /// Folders of languages (`de.lproj`) with one or more tables are read too. Several tables of a language are joined, in the
  /// order of their paths; the last that has a key counts.
  /// - Throws: `language-bundle-missing`, `language-table-malformed` with the file.
  public init(bundle folder: String) throws(FrameworkError) {
    var tables: [AppLanguage: [String: String]] = [:]
    for name in try Self.names(in: folder) {
      if name.hasSuffix(".strings"), let language = AppLanguage(String(name.dropLast(8))) {
        try Self.read(folder + "/" + name, into: &tables[language, default: [:]])
      } else if name.hasSuffix(".lproj"), let language = AppLanguage(String(name.dropLast(6))) {
        for file in try Self.names(in: folder + "/" + name) where file.hasSuffix(".strings") {
          try Self.read(folder + "/" + name + "/" + file, into: &tables[language, default: [:]])
        }
      }
    }
    guard !tables.isEmpty else { throw FrameworkError(.languageBundleMissing, .parameter(folder)) }
    self.init(tables)
  }

  /// The text of a key in a language; nil where it has none.
  public subscript(key: String, language: AppLanguage) -> String? { tables[language]?[key] }

  /// The language of these that fits a wish best: the same, else of the same family.
  public func best(for wish: AppLanguage) -> AppLanguage? {
    tables[wish] != nil ? wish : languages.first { $0.family == wish.family && wish.family != "zh" }
  }

  private static func names(in folder: String) throws(FrameworkError) -> [String] {
    do {
      return try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    } catch {
      throw FrameworkError(.languageBundleMissing, .parameter(folder), underlying: error)
    }
  }

  private static func read(_ path: String, into table: inout [String: String]) throws(FrameworkError) {
    do {
      let data = try Data(contentsOf: URL(fileURLWithPath: path, isDirectory: false))
      guard !data.isEmpty else { return }
      table.merge(try PropertyListDecoder().decode([String: String].self, from: data)) { $1 }
    } catch {
      throw FrameworkError(.languageTableMalformed, .parameter(path), values: ["reason": Self.reason(error)])
    }
  }

  private static func reason(_ error: any Error) -> String {
    guard case .dataCorrupted(let context) = error as? DecodingError else { return "\(error)" }
    let cocoa = context.underlyingError as? CocoaError
    return cocoa?.userInfo["NSDebugDescription"] as? String ?? context.debugDescription
  }
}
