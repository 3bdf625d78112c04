package import MPaaSSupport

/// Lines and columns of what stands on a tape.
package struct OldStyleLines: Sendable {
  private let lines: TextLines
  private let file: String

  package init(_ tape: OldStyleTape, file: String) {
    lines = TextLines(tape.bytes)
    self.file = file
  }

  package func line(at offset: Int) -> Int { lines.position(of: offset).line }

  package func place(at offset: Int) -> Place {
    let (line, column) = lines.position(of: offset)
    return .text(file: file, line: line, column: column)
  }
}
