import ArgumentParser
import CommandKit
import MPaaSTerminal

/// `mpaas kitversion`.
struct KitVersionCommand: MPaaSCommand {
  static var configuration: CommandConfiguration { CommandConfiguration("kitversion", key: "kitversion") }

  @OptionGroup var common: CommonOptions

  func run(in context: Context) -> KitVersion { .current }
}
