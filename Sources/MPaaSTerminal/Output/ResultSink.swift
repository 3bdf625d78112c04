/// The receiver of results that come one by one: each is printed before the next is made.
///
/// A slow reader slows the command down, so that nothing piles up in memory.
package struct ResultSink: Sendable {
  private let present: @Sendable (any Presentable) throws -> Void
  private let write: @Sendable (UnsafeRawBufferPointer) -> Void

  /// A sink that hands results and bytes on, to a terminal or to a test's memory.
  package init(
    present: @escaping @Sendable (any Presentable) throws -> Void,
    write: @escaping @Sendable (UnsafeRawBufferPointer) -> Void
  ) {
    self.present = present
    self.write = write
  }

  /// Prints a result: its document, or with `--json` its JSON on a line of its own.
  package func put(_ result: some Presentable) throws {
    try present(result)
  }

  /// Writes bytes that are a result as they stand, such as those of a converted file.
  ///
  /// Pieces should end where lines do: on a terminal, a character that is cut is shown as bytes.
  package func put(bytes: UnsafeRawBufferPointer) {
    write(bytes)
  }

  /// Writes text that is a result as it stands, line ends included.
  package func put(text: String) {
    var text = text
    text.withUTF8 { write(UnsafeRawBufferPointer($0)) }
  }
}

extension Terminal {
  /// Standard output, for results that come one by one.
  package var results: ResultSink {
    ResultSink(present: { try self.print($0) }, write: data.writeBytes)
  }
}
