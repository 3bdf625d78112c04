import ArgumentParser

/// `mpaas`: a list of subcommands and nothing else.
struct RootCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      "mpaas", key: "mpaas", version: KitVersion.current.line,
      subcommands: [
        KitVersionCommand.self, KitUpdateCommand.self, DoctorCommand.self, ExplainCommand.self, CompletionCommand.self,
        SDKCommand.self, ModuleCommand.self, CrashCommand.self, SymbolsCommand.self, KeyCommand.self,
        RegistryCommand.self, HotpatchCommand.self,
        CreateAppCommand.self, NewCommand.self, TemplateCommand.self, UpdateTemplateCommand.self,
        GenerateCommand.self, DAOCommand.self, RuntimeCommand.self, PinyinCommand.self, NetCommand.self,
        LogCommand.self, FileCommand.self, ServeCommand.self,
        ProjectCommand.self, PlistCommand.self, ThemeCommand.self, GatewayCommand.self, I18nCommand.self,
      ])
  }
}
