import ArgumentParser
import CommandKit
import MPaaSSupport
import MPaaSTerminal
import MPaaSToolSupport

/// `mpaas doctor`: whether this machine has what the kit needs.
struct DoctorCommand: MPaaSCommand {
  static var configuration: CommandConfiguration { CommandConfiguration("doctor", key: "doctor") }

  @OptionGroup var common: CommonOptions

  func run(in context: Context) -> DoctorReport {
    let machine = Machine(processes: .live)
    let examination = Examination(context: context, machine: machine)
    return DoctorReport(checks: examination.checks())
  }
}
