import ArgumentParser
import CommandKit

/// `mpaas i18n …`: languages.
struct I18nCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      "i18n", key: "i18n",
      subcommands: [
        Extract.self,
        Merge.self,
        Check.self,
        Convert.self,
        Pseudo.self,
        Stats.self,
      ])
  }
}
