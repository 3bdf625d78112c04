import ArgumentParser

/// `mpaas`: a list of subcommands and nothing else.
struct RootCommand: AsyncParsableCommand {
  /// The noun that a call names: only its commands are put into the parser's tree, since all of them cost milliseconds.
  ///
  /// Nil for the whole tree, which help, completion scripts and calls without a known noun need.
  @TaskLocal static var noun: String?

  static var configuration: CommandConfiguration {
    CommandConfiguration(
      "mpaas", key: "mpaas", version: KitVersion.current.line,
      subcommands: noun.map { noun in nouns.filter { $0._commandName == noun } } ?? nouns)
  }

  private static let nouns: [any ParsableCommand.Type] = [
    KitVersionCommand.self, KitUpdateCommand.self, DoctorCommand.self, ExplainCommand.self, CompletionCommand.self,
    SDKCommand.self, ModuleCommand.self, CrashCommand.self, SymbolsCommand.self, KeyCommand.self,
    RegistryCommand.self, HotpatchCommand.self,
    CreateAppCommand.self, NewCommand.self, TemplateCommand.self, UpdateTemplateCommand.self,
    GenerateCommand.self, DAOCommand.self, RuntimeCommand.self, PinyinCommand.self, NetCommand.self,
    LogCommand.self, FileCommand.self, ServeCommand.self,
    ProjectCommand.self, PlistCommand.self, ThemeCommand.self, GatewayCommand.self, I18nCommand.self,
  ]

  /// The noun of a call whose first word is one.
  static func noun(of arguments: [String]) -> String? {
    arguments.first.flatMap { word in nouns.contains { $0._commandName == word } ? word : nil }
  }
}
