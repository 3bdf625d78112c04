package import MPaaSSupport

/// The reason why a file is not a core that can be read.
package struct CoreError: Error, Sendable, Equatable {
  package enum Code: Sendable, Equatable {
    /// No ELF file at all.
    case notELF
    /// An ELF file, but an executable or a library.
    case notCore
    /// Another machine's: its ELF number.
    case otherMachine(UInt16)
    /// 32-bit, or the other byte order.
    case otherShape
    /// The program headers lie past the end.
    case truncated
    /// No thread's registers are in it.
    case noThreads
    /// The executable given is not the one that ran: the build IDs of the core and of the file.
    case otherExecutable(core: String, file: String, executable: String)
  }
  package let code: Code
  package var path: String
  /// Bytes from the start of the file.
  package let offset: UInt64

  init(_ code: Code, path: String = "", offset: UInt64 = 0) {
    self.code = code
    self.path = path
    self.offset = offset
  }
}

extension CoreError: DiagnosticConvertible {
  package var diagnostic: Diagnostic {
    var values = ["path": path]
    let id: DiagnosticID
    switch code {
    case .notELF: id = "core-not-elf"
    case .notCore: id = "core-not-a-core"
    case .otherMachine(let machine):
      id = "core-other-machine"
      values["machine"] = "\(machine)"
    case .otherShape: id = "core-other-shape"
    case .truncated: id = "core-truncated"
    case .noThreads: id = "core-no-threads"
    case .otherExecutable(let core, let file, let executable):
      id = "core-other-executable"
      values.merge(["core_id": core, "file_id": file, "executable": executable]) { $1 }
    }
    return Diagnostic(id, values, at: .bytes(file: path, offset: offset), exit: .malformedInput)
  }
}
