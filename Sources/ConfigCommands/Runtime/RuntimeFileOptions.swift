import ArgumentParser
import CommandKit
import MPaaSConfig
import MPaaSSupport
import MPaaSTerminal

/// The choice of a runtime table.
struct RuntimeFileOptions: ParsableArguments {
  @Option(
    name: .shortAndLong, help: .text("command.runtime.file", valueName: "file"),
    completion: .file(extensions: ["plist"]))
  var file: String?

  static let fileName = "MobileRuntime.plist"

  /// The file and the other words.
  func open(_ words: [String]) throws -> (file: MobileRuntimeFile, words: [String]) {
    let chosen = try ConfigFileWords(words, option: file, name: Self.fileName)
    return (try MobileRuntimeFile(ConfigFileWords.read(chosen.file), file: chosen.file), chosen.rest)
  }
}

/// The options that edits of a runtime table share.
struct RuntimeEditOptions: ParsableArguments {
  @Flag(name: [.customShort("n"), .long], help: .text("command.runtime.dry-run"))
  var dryRun = false

  @OptionGroup var file: RuntimeFileOptions

  func write(_ edited: MobileRuntimeFile, over file: MobileRuntimeFile) throws -> EditedFile {
    try ConfigFileUpdate(file.document.file, old: file.bytes, new: edited.bytes).result(isDryRun: dryRun)
  }
}
