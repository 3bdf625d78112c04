import ArgumentParser
import CommandKit
import MPaaSDeltas
import MPaaSDigests
import MPaaSSupport
import MPaaSTerminal

extension UpdateCommand {
  /// `mpaas update delta OLD NEW`: the difference between two files, or with `--apply` the file that one leads to.
  struct Delta: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("delta", key: "update.delta") }

    @Argument(help: .text("command.update.delta.old"), completion: .file())
    var old: String

    @Argument(help: .text("command.update.delta.new"), completion: .file())
    var new: String

    @Flag(help: .text("command.update.delta.apply"))
    var apply = false

    @Option(name: [.short, .long], help: .text("command.update.delta.output", valueName: "file"), completion: .file())
    var output: String

    @OptionGroup var common: CommonOptions

    func validate() throws {
      guard output != "-" else { throw ValidationError(Catalogue.current.text("text.update-delta-output")) }
    }

    func run(in context: Context) async throws -> DeltaResult {
      let (old, new) = (try Bytes.mapping(old), try Bytes.mapping(new))
      let result = apply ? try applied(new, to: old) : try made(from: old, to: new)
      try result.write(to: output)
      return DeltaResult(
        output: output, bytes: result.count, old: old.count, new: apply ? result.count : new.count,
        sha256: result.sha256.hexadecimal, applied: apply)
    }

    private func applied(_ delta: Bytes, to old: Bytes) throws -> Bytes {
      guard let size = ZstdFrame.contentSize(of: delta), size <= 1 << 34,
        let result = ZstdFrame.content(of: delta, against: old, size: size)
      else { throw Diagnostic("update-delta-failed", ["path": new], exit: .notPermitted) }
      return result
    }

    private func made(from old: Bytes, to new: Bytes) throws -> Bytes {
      do {
        return try ZstdFrame.difference(from: old, to: new)
      } catch {
        throw Diagnostic(
          "update-delta-not-made", ["version": self.old, "reason": error.reason], exit: .internalFault)
      }
    }
  }
}

/// A difference that was made or applied.
struct DeltaResult: Presentable {
  let output: String
  let bytes: Int
  let old: Int
  let new: Int
  let sha256: String
  let applied: Bool

  func document(_ catalogue: Catalogue) -> Document {
    let share = new > 0 ? "\(Int((Double(bytes) * 100 / Double(new)).rounded()))" : "0"
    let values = ["path": output, "size": ByteCount(UInt64(bytes)).description, "share": share]
    return [.line(StyledText(catalogue.text(applied ? "text.update-delta-applied" : "text.update-delta-made", values)))]
  }
}
