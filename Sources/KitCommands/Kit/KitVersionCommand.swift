import ArgumentParser
import CommandKit
import MPaaSTerminal

/// `mpaas kitversion`.
struct KitVersionCommand: MPaaSCommand {
  static var configuration: CommandConfiguration { CommandConfiguration("kitversion", key: "kitversion") }

  @OptionGroup var common: CommonOptions

  func run(in context: Context) -> KitVersion {
    let kit = KitVersion.current
    context.terminal.detail(StyledText("Swift \(kit.swift), \(kit.platform)", .faint))
    return kit
  }
}
