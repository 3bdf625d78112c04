import ArgumentParser
import CommandKit
import MPaaSConfig
import MPaaSSupport
import MPaaSTerminal

extension RuntimeCommand {
  /// `mpaas runtime add-app NAME DELEGATE`: registers a micro-app.
  struct AddApp: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("add-app", key: "runtime.add-app") }

    @Argument(help: .text("command.runtime.add-app.words"))
    var words: [String] = []

    @Option(help: .text("command.runtime.add-app.delegate", valueName: "class"))
    var delegate: String?

    @Option(help: .text("command.runtime.add-app.description", valueName: "text"))
    var description: String?

    @Flag(help: .text("command.runtime.add-app.launcher"))
    var launcher = false

    @OptionGroup var edit: RuntimeEditOptions
    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> EditedFile {
      let (file, words) = try edit.file.open(words)
      let all = words + [delegate].compactMap(\.self)
      guard all.count == 2, !all.contains("") else { throw Diagnostic("runtime-words", exit: .usage) }
      var edited = try file.adding(.init(name: all[0], delegate: all[1], title: description))
      if launcher { edited = try edited.settingLauncher(all[0]) }
      return try edit.write(edited, over: file)
    }
  }

  /// `mpaas runtime remove-app NAME`: takes a micro-app out.
  struct RemoveApp: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("remove-app", key: "runtime.remove-app") }

    @Argument(help: .text("command.runtime.remove-app.words"), completion: .runtimeApplications)
    var words: [String] = []

    @Flag(help: .text("command.runtime.remove-app.force"))
    var force = false

    @OptionGroup var edit: RuntimeEditOptions
    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> EditedFile {
      let (file, words) = try edit.file.open(words)
      guard words.count == 1 else { throw Diagnostic("runtime-words", exit: .usage) }
      context.noteAbsent(words[0], among: file.applications.map(\.name), in: file)
      return try edit.write(file.removingApplication(words[0], force: force), over: file)
    }
  }

  /// `mpaas runtime add-service NAME CLASS`: registers a service.
  struct AddService: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("add-service", key: "runtime.add-service") }

    @Argument(help: .text("command.runtime.add-service.words"))
    var words: [String] = []

    @Option(name: .customLong("class"), help: .text("command.runtime.add-service.class", valueName: "class"))
    var className: String?

    @Option(name: .customLong("protocol"), help: .text("command.runtime.add-service.protocol", valueName: "protocol"))
    var interface: String?

    @Flag(help: .text("command.runtime.add-service.eager"))
    var eager = false

    @Flag(help: .text("command.runtime.add-service.many"))
    var many = false

    @OptionGroup var edit: RuntimeEditOptions
    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> EditedFile {
      let (file, words) = try edit.file.open(words)
      let all = words + [className].compactMap(\.self)
      guard all.count == 2, !all.contains("") else { throw Diagnostic("runtime-words", exit: .usage) }
      let service = MobileRuntimeFile.Service(
        name: all[0], className: all[1], interface: interface, isLazy: !eager, isSingleton: !many)
      return try edit.write(file.adding(service), over: file)
    }
  }

  /// `mpaas runtime remove-service NAME`: takes a service out.
  struct RemoveService: MPaaSCommand {
    static var configuration: CommandConfiguration {
      CommandConfiguration("remove-service", key: "runtime.remove-service")
    }

    @Argument(help: .text("command.runtime.remove-service.words"), completion: .runtimeServices)
    var words: [String] = []

    @OptionGroup var edit: RuntimeEditOptions
    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> EditedFile {
      let (file, words) = try edit.file.open(words)
      guard words.count == 1 else { throw Diagnostic("runtime-words", exit: .usage) }
      context.noteAbsent(words[0], among: file.services.map(\.name), in: file)
      return try edit.write(file.removingService(words[0]), over: file)
    }
  }
}

extension Context {
  /// Says that what is to go is not there: that is no error, and may be a misspelling.
  fileprivate func noteAbsent(_ name: String, among names: [String], in file: MobileRuntimeFile) {
    guard !names.contains(name) else { return }
    let near = closestMatch(to: name, among: names)
    let suggestion = near.map { catalogue.text("text.finding-suggestion", ["name": $0]) } ?? ""
    let values = ["name": name, "file": file.document.file]
    terminal.note(StyledText(catalogue.text("text.runtime-absent", values) + suggestion, .warning))
  }
}
