/// The stable name of one kind of problem, such as `elf-section-past-end`.
///
/// Its texts stand in the catalogue under this name, and `mpaas explain` prints the long one.
package struct DiagnosticID: Sendable, Hashable, Codable, ExpressibleByStringLiteral, CustomStringConvertible {
  package let name: String

  package init(_ name: String) {
    self.name = name
  }

  package init(stringLiteral value: String) {
    self.init(value)
  }

  package init(from decoder: any Decoder) throws {
    self.init(try decoder.singleValueContainer().decode(String.self))
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(name)
  }

  package var description: String { name }
}

/// The place of a problem in the input.
package enum Place: Sendable, Hashable {
  /// A text file; line and column count from 1.
  case text(file: String, line: Int, column: Int?)
  /// A binary file; the offset counts bytes from its start.
  case bytes(file: String, offset: UInt64)
  case file(String)
}

extension Place: CustomStringConvertible {
  package var description: String {
    switch self {
    case .text(let file, let line, nil): "\(file):\(line)"
    case .text(let file, let line, let column?): "\(file):\(line):\(column)"
    case .bytes(let file, let offset): "\(file): offset 0x\(String(offset, radix: 16))"
    case .file(let file): file
    }
  }
}

/// Something that a user can act on: what happened, where, and how it is mended.
///
/// It carries no sentence: the catalogue holds the texts of `id` in each language, with `{name}` where
/// a member of `values` is named.
package struct Diagnostic: Error, Sendable, Equatable {
  package let id: DiagnosticID
  /// The values that the texts name: a file, a section, a size.
  package let values: [String: String]
  package let place: Place?
  package let exit: ExitStatus
  /// The lines of their own below the sentence: the steps of an explanation, what helps.
  package let details: [Detail]

  /// A line below the sentence: the key of its text in the catalogue, and what that names.
  package struct Detail: Sendable, Equatable {
    package let key: String
    package let values: [String: String]

    package init(_ key: String, _ values: [String: String] = [:]) {
      self.key = key
      self.values = values
    }
  }

  package init(
    _ id: DiagnosticID, _ values: [String: String] = [:], at place: Place? = nil, exit: ExitStatus,
    details: [Detail] = []
  ) {
    self.id = id
    self.values = values
    self.place = place
    self.exit = exit
    self.details = details
  }
}

/// An error of a capability that knows how it is told to a user.
package protocol DiagnosticConvertible: Error {
  var diagnostic: Diagnostic { get }
}

extension Diagnostic: DiagnosticConvertible {
  package var diagnostic: Diagnostic { self }
}
