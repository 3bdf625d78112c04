import ArgumentParser
import CommandKit
import MPaaSSupport
import MPaaSTerminal
import MPaaSToolSupport

/// `mpaas doctor`: checks whether this machine has what the kit, or one use of it, needs.
struct DoctorCommand: MPaaSCommand {
  static var configuration: CommandConfiguration { CommandConfiguration("doctor", key: "doctor") }

  @Option(name: .customLong("for"), help: .text("command.doctor.for", valueName: "crash|modules|net|server"))
  var purpose: DoctorPurpose?

  @OptionGroup var common: CommonOptions

  func run(in context: Context) async -> DoctorReport {
    let machine = Machine(processes: .live)
    let examination = Examination(context: context, machine: machine)
    return DoctorReport(checks: await examination.checks(for: purpose))
  }
}
