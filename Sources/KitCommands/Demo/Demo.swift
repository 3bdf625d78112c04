import ArgumentParser
import CommandKit
import MPaaSDemo
import MPaaSSupport
import MPaaSTerminal

/// `mpaas demo DIR`: a folder with all that the examples of README start from.
struct DemoCommand: MPaaSCommand {
  static var configuration: CommandConfiguration { CommandConfiguration("demo", key: "demo") }

  @Argument(help: .text("command.demo.folder"), completion: .directory)
  var folder: String

  @Option(name: .customLong("part"), help: .text("command.demo.part", valueName: "part"))
  var parts: [DemoPart] = []

  @OptionGroup var common: CommonOptions

  func run(in context: Context) throws -> MadeDemo {
    let programs = try DemoPrograms(executable: Executable.current(), environment: context.environment)
    let chosen = parts.isEmpty ? DemoPart.allCases : parts
    let demo = DemoFolder(folder, parts: Set(chosen), programs: programs)
    try demo.make(environment: context.environment) { step in
      context.terminal.detail(StyledText("$ " + step.line, .faint))
    }
    return MadeDemo(demo)
  }
}

extension DemoPart: ExpressibleByArgument {}
