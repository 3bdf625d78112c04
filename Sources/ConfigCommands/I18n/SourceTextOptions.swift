import ArgumentParser
import CommandKit
import MPaaSLanguages
import MPaaSTerminal

/// The choice of the calls in sources that ask for texts.
struct SourceTextOptions: ParsableArguments {
  @Flag(name: .customLong("swiftui"), inversion: .prefixedNo, help: .text("command.i18n.swiftui"))
  var swiftUI = true

  @Option(help: .text("command.i18n.wrapper", valueName: "name[:arguments]"))
  var wrapper: [String] = []

  @Option(help: .text("command.i18n.exclude", valueName: "name"))
  var exclude: [String] = []

  @Option(help: .text("command.i18n.package", valueName: "folder"), completion: .directory)
  var package: [String] = []

  func validate() throws {
    for text in wrapper where WrapperSignature(text) == nil {
      throw ValidationError(Catalogue.current.text("text.i18n-bad-wrapper", ["text": text]))
    }
  }

  func texts(of paths: [String]) throws -> SourceTexts {
    let options = ExtractionOptions(includesSwiftUI: swiftUI, wrappers: wrapper.compactMap { WrapperSignature($0) })
    let packages = package.isEmpty ? nil : try SourceFiles(package, excluding: exclude)
    return try SourceFiles(paths, excluding: exclude).texts(options, packages: packages)
  }
}

/// The choice of tables and of languages.
struct LanguageTableOptions: ParsableArguments {
  @Argument(
    help: .text("command.i18n.tables", valueName: "table"),
    completion: .file(extensions: ["strings", "stringsdict", "xcstrings", "csv"]))
  var tables: [String]

  @Option(help: .text("command.i18n.development", valueName: "language"))
  var development: String?
}
