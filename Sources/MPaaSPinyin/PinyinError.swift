package import MPaaSSupport

/// The reason why pinyin data, an index or a text cannot be read.
public struct PinyinError: Error, Sendable, Equatable {
  /// One way of failing: the stable word that `mpaas explain` knows, and how the command ends.
  public struct Code: Sendable, Hashable {
    package let id: DiagnosticID
    package let exit: ExitStatus

    /// The stable word, such as `pinyin-data-damaged`.
    public var word: String { id.description }

    package init(_ id: DiagnosticID, exit: ExitStatus) {
      self.id = id
      self.exit = exit
    }

    /// The code for what is not the format that it should be: exit status 65.
    package static func malformed(_ id: DiagnosticID) -> Code { Code(id, exit: .malformedInput) }
  }

  /// The kind of the error.
  public let code: Code
  /// The values that the texts of the error name: offsets, versions, paths.
  public let values: [String: String]
  package let place: Place?

  package init(_ code: Code, _ values: [String: String] = [:], at place: Place? = nil) {
    self.code = code
    self.values = values
    self.place = place
  }
}

extension PinyinError: DiagnosticConvertible {
  package var diagnostic: Diagnostic { Diagnostic(code.id, values, at: place, exit: code.exit) }
}

extension PinyinError.Code {
  /// A file that is no pinyin data.
  package static var notData: Self { .malformed("pinyin-data-unknown") }
  /// Data of another version of the format.
  package static var dataVersion: Self { .malformed("pinyin-data-version") }
  /// Data that is cut off or contradicts itself; `offset` is where.
  package static var dataDamaged: Self { .malformed("pinyin-data-damaged") }
}
