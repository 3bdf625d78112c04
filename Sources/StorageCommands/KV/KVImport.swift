import ArgumentParser
import CommandKit
import MPaaSStorage
import MPaaSStorageImport
import MPaaSSupport
import MPaaSTerminal

/// The fates that what is imported outlives.
enum KVDurability: String, ExpressibleByArgument, CaseIterable {
  case process, power

  var options: KeyValueOptions.Durability { self == .power ? .power : .process }
}

extension KVCommand {
  /// `mpaas kv import FILE JSONL`: stores the records of lines, or with `--from` those of another library's file.
  struct Import: StreamingCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("import", key: "kv.import") }

    @OptionGroup var file: KVFileOptions

    @Argument(help: .text("command.kv.import.lines"), completion: .file())
    var lines: String

    @Flag(help: .text("command.kv.import.acknowledge"))
    var acknowledge = false

    @Flag(help: .text("command.kv.import.exclusive"))
    var exclusive = false

    @Option(help: .text("command.kv.import.durability", valueName: "fate"))
    var durability = KVDurability.process

    @OptionGroup var foreign: KVForeignOptions
    @OptionGroup var group: KVBusinessOption
    @OptionGroup var common: CommonOptions

    func run(in context: Context, results: ResultSink) async throws -> ExitStatus {
      if let form = foreign.from { return try run(form, in: context, results) }
      guard foreign.areUnused, group.business.isEmpty else {
        throw ValidationError(context.catalogue.text("text.kv-import-usage"))
      }
      let data = try context.data(at: lines)
      let store = try file.store(durability.options, sharing: exclusive ? .exclusive : .processes)
      var lines = KVLines(file: context.name(ofData: lines))
      var batch = KeyValueBatch()
      try withExtendedLifetime(data) {
        try lines.read(data.buffer) { line in
          line.add(to: &batch)
          guard acknowledge || line.number % 1000 == 0 else { return }
          try store.write(batch)
          batch = KeyValueBatch()
          if acknowledge { results.put(text: "\(line.number)\n") }
        }
      }
      try store.write(batch)
      if !acknowledge { try results.put(lines.changes) }
      return .done
    }

    private func run(
      _ form: KVForeignForm, in context: Context, _ results: ResultSink
    ) throws -> ExitStatus {
      guard !acknowledge, foreign.areFor(form) else {
        throw ValidationError(context.catalogue.text("text.kv-import-usage"))
      }
      let imported = try foreign.records(of: lines, as: form, business: group.business, in: context)
      try imported.store(in: file.store(durability.options, sharing: exclusive ? .exclusive : .processes))
      try results.put(KVImported(imported))
      return .done
    }
  }
}
