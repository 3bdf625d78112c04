import ArgumentParser
import CommandKit
import MPaaSProject
import MPaaSSupport
import MPaaSTerminal

extension ProjectCommand {
  /// `mpaas project cat PROJECT`: the project, read and written again.
  struct Cat: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("cat", key: "project.cat") }

    @Argument(help: .text("command.project.project"), completion: .file(extensions: ["xcodeproj", "pbxproj"]))
    var project = "."

    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> ProjectText {
      let source = try XcodeProjectSource(project)
      switch source.content {
      case .objects(let file):
        // What an edit that changes nothing would write.
        let text = ProjectText(bytes: try PBXDraft(file).finished().bytes) { Self.json(file) }
        text.print(in: context)
        return text
      case .json(let file):
        let text = ProjectText(bytes: file.bytes) { file.value }
        text.print(in: context)
        return text
      }
    }

    private static func json(_ file: PBXProjectFile) -> JSONValue {
      var root = members(file.rootMembers)
      root["objects"] = .object(
        file.ids.reduce(into: JSONValue.Object()) { $0[$1] = .object(members(file.object($1)?.members ?? [])) })
      return .object(root)
    }

    private static func members(_ members: [PBXMember]) -> JSONValue.Object {
      members.reduce(into: JSONValue.Object()) { $0[$1.key] = value($1.value) }
    }

    private static func value(_ value: PBXValue) -> JSONValue {
      switch value {
      case .string(let text): .string(text)
      case .array(let values): .array(values.map(Self.value))
      case .dictionary(let members): .object(Self.members(members))
      }
    }
  }
}

/// A project: its bytes are printed as they are, `--json` has its objects.
struct ProjectText: Presentable {
  let bytes: [UInt8]
  private let value: @Sendable () -> JSONValue

  init(bytes: [UInt8], value: @escaping @Sendable () -> JSONValue) {
    self.bytes = bytes
    self.value = value
  }

  func print(in context: Context) {
    guard !context.terminal.settings.isJSON else { return }
    bytes.withUnsafeBytes { context.terminal.data.writeBytes($0) }
  }

  func encode(to encoder: any Encoder) throws { try value().encode(to: encoder) }
  func document(_ catalogue: Catalogue) -> Document { [] }
}
