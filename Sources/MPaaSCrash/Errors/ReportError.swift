package import MPaaSCrashReport
package import MPaaSSupport

/// The reason why bytes are not a crash report that we can read.
package struct ReportError: Error, Sendable, Equatable {
  package enum Code: Sendable, Equatable {
    /// No bytes at all.
    case empty
    /// Neither .ips nor any other format that is known.
    case unknownFormat
    /// The fault of the JSON.
    case malformed(JSONError.Code)
    /// A member has a value of the wrong kind: its path (`threads[3].frames`), what it must be, what it is.
    case wrongKind(path: String, expected: String, found: String)
    /// A member that a report cannot be without.
    case missing(path: String)
    /// A text report that has neither stacks nor images.
    case noStacks
    /// A raw record that no report can be made of.
    case record(RawRecordFault)
    /// A `.plcrash` that no report can be made of.
    case plcrash(PLCrashFault)
    /// A minidump or microdump that no report can be made of.
    case minidump(MinidumpFault)
  }
  package let code: Code
  /// Bytes from the start of the file, where known.
  package var offset: Int?
  /// From 1, where known.
  package var line: Int?
  /// From 1, in bytes, where known.
  package var column: Int?
  /// The file, where the bytes came from one.
  package var path: String?

  package init(_ code: Code, offset: Int? = nil, line: Int? = nil, column: Int? = nil) {
    self.code = code
    self.offset = offset
    self.line = line
    self.column = column
  }
}

extension ReportError: DiagnosticConvertible {
  package var diagnostic: Diagnostic {
    let file = path ?? "-"
    let place = line.map { Place.text(file: file, line: $0, column: column) } ?? .file(file)
    func make(_ id: DiagnosticID, _ values: [String: String] = [:]) -> Diagnostic {
      Diagnostic(id, values.merging(["path": file]) { $1 }, at: place, exit: .malformedInput)
    }
    switch code {
    case .empty: return make("report-empty")
    case .unknownFormat: return make("report-unknown-format")
    case .malformed(.endOfInput): return make("report-truncated", ["offset": "\(offset ?? 0)"])
    case .malformed(let reason):
      return make("report-malformed", ["reason": reason.rawValue, "offset": "\(offset ?? 0)"])
    case .wrongKind(let member, let expected, let found):
      return make("report-wrong-kind", ["member": member, "expected": expected, "found": found])
    case .missing(let member): return make("report-member-missing", ["member": member])
    case .noStacks: return make("report-no-stacks")
    case .record(let fault): return FormatError(fault, offset: offset ?? 0, path: file).diagnostic
    case .plcrash(let fault): return FormatError(fault, offset: offset ?? 0, path: file).diagnostic
    case .minidump(let fault): return FormatError(fault, offset: offset ?? 0, path: file).diagnostic
    }
  }
}
