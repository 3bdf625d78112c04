import ArgumentParser
import CommandKit
import MPaaSSupport
import MPaaSTerminal
import MPaaSTransfer

extension FileCommand {
  /// `mpaas file list`: what stands in the queue.
  struct List: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("list", key: "file.list") }

    @Option(help: .text("command.file.list.state"))
    var state: [TransferState] = []

    @OptionGroup var queue: TransferQueueOptions
    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> TransferList {
      let queue = try queue.open(in: context)
      return TransferList(records: try queue.records(state.isEmpty ? TransferState.allCases : state))
    }
  }

  /// `mpaas file resume [ID…]`: moves what waits; what is named is tried again whatever became of it.
  struct Resume: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("resume", key: "file.resume") }

    @Argument(
      help: .text("command.file.resume.ids", valueName: "id"),
      completion: .transfers([.waiting, .paused, .failed, .cancelled]))
    var ids: [Int64] = []

    @OptionGroup var queue: TransferQueueOptions
    @OptionGroup var moving: TransferRunOptions
    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> TransferList {
      let queue = try queue.open(in: context)
      let named = ids.map { TransferID(rawValue: $0) }
      for id in named { try queue.resume(id) }
      let open = try queue.records([.waiting, .active]).map(\.id)
      let wanted = named.isEmpty ? open : named
      _ = try await moving.run(
        queue, only: named.isEmpty ? nil : Set(named), label: context.catalogue.text("text.file-queue"), in: context)
      let records = try wanted.compactMap { try queue.record($0) }
      return TransferList(records: records, isJudged: true)
    }
  }

  /// `mpaas file cancel ID…`: gives transfers up.
  struct Cancel: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("cancel", key: "file.cancel") }

    @Argument(
      help: .text("command.file.cancel.ids", valueName: "id"),
      completion: .transfers([.waiting, .active, .paused, .failed]))
    var ids: [Int64]

    @OptionGroup var queue: TransferQueueOptions
    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> TransferList {
      let queue = try queue.open(in: context)
      let named = ids.map { TransferID(rawValue: $0) }
      for id in named { try queue.cancel(id) }
      // The parts that servers have go with them; a server that cannot be reached removes its part when it expires.
      _ = try await queue.run(only: Set(named), patience: .none)
      return TransferList(records: try named.compactMap { try queue.record($0) })
    }
  }

  /// `mpaas file pause ID…`: stops transfers until they are resumed.
  struct Pause: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("pause", key: "file.pause") }

    @Argument(
      help: .text("command.file.pause.ids", valueName: "id"),
      completion: .transfers([.waiting, .active]))
    var ids: [Int64]

    @OptionGroup var queue: TransferQueueOptions
    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> TransferList {
      let queue = try queue.open(in: context)
      let named = ids.map { TransferID(rawValue: $0) }
      for id in named { try queue.pause(id) }
      return TransferList(records: try named.compactMap { try queue.record($0) })
    }
  }

  /// `mpaas file remove ID…`: forgets transfers; files stay.
  struct Remove: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("remove", key: "file.remove") }

    @Argument(
      help: .text("command.file.remove.ids", valueName: "id"),
      completion: .transfers([.paused, .done, .failed, .cancelled]))
    var ids: [Int64]

    @OptionGroup var queue: TransferQueueOptions
    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> TransferList {
      let queue = try queue.open(in: context)
      let named = ids.map { TransferID(rawValue: $0) }
      let records = try named.compactMap { try queue.record($0) }
      for id in named { try queue.remove(id) }
      return TransferList(records: records)
    }
  }
}
