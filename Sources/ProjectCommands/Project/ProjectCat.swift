import ArgumentParser
import CommandKit
import MPaaSProject
import MPaaSSupport
import MPaaSTerminal

extension ProjectCommand {
  /// `mpaas project cat PROJECT`: the project, read and written again.
  struct Cat: StreamingCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("cat", key: "project.cat") }

    @Argument(help: .text("command.project.project"), completion: .file(extensions: ["xcodeproj", "pbxproj"]))
    var project = "."

    @OptionGroup var common: CommonOptions

    func run(in context: Context, results: ResultSink) async throws -> ExitStatus {
      let source = try XcodeProjectSource(project)
      switch source.content {
      case .objects(let file):
        // The bytes that an edit which changes nothing would write.
        let bytes = try PBXDraft(file).finished().bytes
        try put(bytes, ProjectObjects { file.json }, in: context, results)
      case .json(let file):
        try put(file.bytes, ProjectObjects { file.value }, in: context, results)
      }
      return .done
    }

    private func put(
      _ bytes: [UInt8], _ objects: ProjectObjects, in context: Context, _ results: ResultSink
    ) throws {
      if context.terminal.settings.isJSON {
        try results.put(objects)
      } else {
        bytes.withUnsafeBytes(results.put(bytes:))
      }
    }
  }
}

/// The objects of a project, for `--json`; in words a project is its bytes.
struct ProjectObjects: Presentable {
  private let value: @Sendable () -> JSONValue

  init(_ value: @escaping @Sendable () -> JSONValue) {
    self.value = value
  }

  func encode(to encoder: any Encoder) throws { try value().encode(to: encoder) }
  func document(_ catalogue: Catalogue) -> Document { [] }
}
