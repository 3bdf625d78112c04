package import ArgumentParser

/// The commands of configuration files.
package enum ConfigNouns {
  package static var runtime: [any ParsableCommand.Type] {
    [RuntimeCommand.self]
  }

  package static var files: [any ParsableCommand.Type] {
    [PlistCommand.self, ThemeCommand.self, GatewayCommand.self, I18nCommand.self]
  }
}
