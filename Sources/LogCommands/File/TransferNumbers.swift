import ArgumentParser
import CommandKit
import MPaaSSupport
import MPaaSTransfer

extension CompletionKind {
  /// The transfers of the queue that are in one of some states, with the states and the files.
  static func transfers(_ states: [TransferState]) -> CompletionKind {
    candidates { input in
      let path = input.option("--queue") ?? input.directories.data + "/transfers/queue.sqlite"
      // Opening would make a queue that is not there.
      guard FileStatus(path)?.kind == .file else { return Candidates() }
      let given = Set(input.arguments)
      let records = try TransferQueue(path).records(states)
      return Candidates(
        records.map { Candidate("\($0.id.rawValue)", "\($0.state.rawValue)  \($0.transfer.file)") }
          .filter { !given.contains($0.value) })
    }
  }
}
