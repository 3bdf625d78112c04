import ArgumentParser
import CommandKit
import MPaaSConfig
import MPaaSSupport
import MPaaSTerminal

extension RuntimeCommand {
  /// `mpaas runtime list [FILE]`: what an app is made of.
  struct List: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("list", key: "runtime.list") }

    @Argument(help: .text("command.runtime.list.words"), completion: .file(extensions: ["plist"]))
    var words: [String] = []

    @OptionGroup var options: RuntimeFileOptions
    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> RuntimeListView {
      let (file, words) = try options.open(words)
      guard words.isEmpty else { throw Diagnostic("runtime-words", exit: .usage) }
      return RuntimeListView(file)
    }
  }
}

/// The micro-apps, services and modules of a runtime table.
struct RuntimeListView: Presentable {
  struct Application: Encodable {
    let name: String
    let delegate: String
    let description: String?
    let launcher: Bool
    let line: Int?
  }

  struct Service: Encodable {
    let name: String
    let `class`: String
    let `protocol`: String?
    let lazy: Bool
    let singleton: Bool
    let line: Int?
  }

  struct Module: Encodable {
    let `class`: String
    /// Nil, like the priority, where the file leaves it to the class.
    let level: Int?
    let priority: Int?
    let line: Int?
  }

  let file: String
  let launcher: String?
  let applications: [Application]
  let services: [Service]
  let modules: [Module]

  init(_ file: MobileRuntimeFile) {
    func line(_ place: Place?) -> Int? { if case .text(_, let line, _)? = place { line } else { nil } }
    self.file = file.document.file
    launcher = file.launcher
    applications = file.applications.map {
      Application(
        name: $0.name, delegate: $0.delegate, description: $0.title, launcher: $0.name == file.launcher,
        line: line($0.place))
    }
    services = file.services.map {
      Service(
        name: $0.name, class: $0.className, protocol: $0.interface, lazy: $0.isLazy, singleton: $0.isSingleton,
        line: line($0.place))
    }
    modules = file.modules.map {
      Module(class: $0.className, level: $0.level, priority: $0.priority, line: line($0.place))
    }
  }

  private static func number(_ value: Int?) -> String { value.map { "\($0)" } ?? "-" }

  func document(_ catalogue: Catalogue) -> Document {
    func heading(_ name: String) -> String { catalogue.text("text.runtime-heading-\(name)") }
    func word(_ name: String) -> String { catalogue.text("text.runtime-kind-\(name)") }
    var rows: [[StyledText]] = applications.map { app in
      var note = StyledText(app.description ?? "", .faint)
      if app.launcher { note = StyledText(catalogue.text("text.runtime-launcher") + " ", .good) + note }
      return [StyledText(word("application"), .faint), StyledText(app.name, .function), StyledText(app.delegate), note]
    }
    rows += services.map { service in
      let notes = [
        service.lazy ? nil : catalogue.text("text.runtime-eager"), service.protocol,
        service.singleton ? nil : catalogue.text("text.runtime-many"),
      ].compactMap(\.self)
      return [
        StyledText(word("service"), .faint), StyledText(service.name, .function), StyledText(service.class),
        StyledText(notes.joined(separator: ", "), .faint),
      ]
    }
    rows += modules.map { module in
      let isSaid = module.level != nil || module.priority != nil
      let values = ["level": Self.number(module.level), "priority": Self.number(module.priority)]
      return [
        StyledText(word("module"), .faint), StyledText(module.class, .function), StyledText(module.class),
        StyledText(isSaid ? catalogue.text("text.runtime-module-note", values) : "", .faint),
      ]
    }
    return [
      .table(
        Table(
          columns: [
            .init(heading("kind")), .init(heading("name")), .init(heading("class")),
            .init(heading("note"), isOptional: true),
          ], rows: rows))
    ]
  }
}
