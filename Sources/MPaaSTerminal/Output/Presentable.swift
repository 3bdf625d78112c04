package import MPaaSSupport

/// A result of a command: it encodes to the JSON that `--json` prints, and says once what it is in words.
package protocol Presentable: Encodable, Sendable {
  /// The form for a person to read.
  func document(_ catalogue: Catalogue) -> Document
  /// The way the command ends after printing it; `done` unless the result is a negative answer.
  var exit: ExitStatus { get }
}

extension Presentable {
  package var exit: ExitStatus { .done }
}

/// Lines and tables, one under another.
package struct Document: Sendable, Equatable, ExpressibleByArrayLiteral {
  package enum Block: Sendable, Equatable {
    case line(StyledText)
    case table(Table)
  }

  package var blocks: [Block]

  package init(arrayLiteral blocks: Block...) {
    self.blocks = blocks
  }

  package init(blocks: [Block] = []) {
    self.blocks = blocks
  }

  package init(lines: [StyledText]) {
    blocks = lines.map(Block.line)
  }

  package mutating func line(_ text: StyledText = "") {
    blocks.append(.line(text))
  }

  package mutating func table(_ table: Table) {
    blocks.append(.table(table))
  }

  package func lines(width: Int?) -> [StyledText] {
    blocks.flatMap { block in
      switch block {
      case .line(let line): [line]
      case .table(let table): table.lines(width: width)
      }
    }
  }
}
