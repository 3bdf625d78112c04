package import ArgumentParser

/// The commands of configuration files.
package enum ConfigNouns {
  package static var all: [any ParsableCommand.Type] {
    [RuntimeCommand.self, PlistCommand.self, ThemeCommand.self, I18nCommand.self]
  }
}
