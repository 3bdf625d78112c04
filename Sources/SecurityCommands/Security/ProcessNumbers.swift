import ArgumentParser
import CommandKit
import MPaaSSupport

extension CompletionKind {
  /// The numbers of the processes of this machine.
  static var processes: CompletionKind {
    values { _ in try FileSystem.names(in: "/proc").filter { Int32($0) != nil }.sorted() }
  }
}
