import ArgumentParser
import CommandKit
import MPaaSSupport
import MPaaSTerminal
import MPaaSTransfer

/// The limits of the device, and the time that a command waits.
struct TransferRunOptions: ParsableArguments {
  @Option(help: .text("command.file.network"))
  var network = DeviceState.Network.wifi

  @Option(help: .text("command.file.battery", valueName: "percent"))
  var battery: Int?

  @Flag(help: .text("command.file.no-wait"))
  var noWait = false

  @Option(help: .text("command.file.standstill", valueName: "seconds"))
  var standstill = 60

  func validate() throws {
    if standstill < 0 { throw ValidationError("--standstill 0…") }
    if let battery, !(0...100).contains(battery) { throw ValidationError("--battery 0…100") }
  }

  var device: DeviceState {
    DeviceState(network: network, battery: battery.map { Double($0) / 100 }, isCharging: battery == nil)
  }

  /// Moves transfers and tells how it goes.
  func run(
    _ queue: TransferQueue, only: Set<TransferID>?, label: String, in context: Context
  ) async throws -> TransferSummary {
    let narrator = TransferNarrator(context.terminal, label: label)
    defer { narrator.finish() }
    let device = device
    return try await queue.run(
      only: only, patience: noWait ? .none : .retries, standstill: standstill == 0 ? nil : .seconds(standstill),
      device: { device }, events: { narrator.take($0) })
  }
}
