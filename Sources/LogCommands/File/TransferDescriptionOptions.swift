import ArgumentParser
import CommandKit
import MPaaSSupport
import MPaaSTerminal
import MPaaSTransfer
import MPaaSTransferTools
import MPaaSTrustTools

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The options that uploads and downloads share.
struct TransferDescriptionOptions: ParsableArguments {
  @Option(help: .text("command.file.sha256", valueName: "hex"))
  var sha256: String?

  @Option(name: .customLong("header"), help: .text("command.file.header", valueName: "name=value"))
  var headers: [NamedValue] = []

  @Option(help: .text("command.file.over"))
  var over = Transfer.NetworkRule.any

  @Option(help: .text("command.file.priority", valueName: "number"))
  var priority = 0

  @Option(help: .text("command.file.deadline", valueName: "12h|2026-03-01T12:00:00Z"))
  var deadline: String?

  @Option(help: .text("command.file.batch", valueName: "word"))
  var batch: String?

  @Option(help: .text("command.file.tag", valueName: "word"))
  var tag: String?

  @Flag(help: .text("command.file.later"))
  var later = false

  /// Adds the transfer, and moves it where it shall not wait.
  func move(
    _ described: Transfer, _ options: TransferQueueOptions, _ run: TransferRunOptions, in context: Context
  ) async throws -> TransferList {
    var transfer = described
    transfer.sha256 = sha256
    for pair in headers { transfer.headers[pair.name] = pair.value }
    transfer.network = over
    transfer.priority = priority
    transfer.batch = batch
    transfer.tag = tag
    if let deadline {
      guard let time = Date(deadline, after: context.now()) ?? Date(utc: deadline) else {
        throw TransferError(.badDescription, ["field": "--deadline", "value": deadline])
      }
      transfer.deadline = time.timeIntervalSince1970
    }
    let queue = try options.open(in: context)
    let label = FileSystem.name(of: transfer.file)
    let move = { (id: TransferID) async throws in
      _ = try await run.run(queue, only: [id], label: label, in: context)
    }
    let record = try await queue.bring(transfer, run: later ? nil : move)
    return TransferList(records: [record], isJudged: !later, isAlone: true)
  }
}
