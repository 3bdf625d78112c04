import CSecurity
package import MPaaSSecurity
import MPaaSSupport

/// A check of another process from outside, by /proc, its memory and its files.
package struct ProcessCheck: Sendable {
  package let process: Int32
  /// Images that are expected although nothing is linked with them, as `Security.allow(image:)` has them.
  package let allowed: [String]
  /// Tells whether the ports that it listens on are spoken to.
  package let asksPorts: Bool

  package init(process: Int32, allowed: [String] = [], asksPorts: Bool = true) {
    self.process = process
    self.allowed = allowed
    self.asksPorts = asksPorts
  }

  /// The findings, the most certain first.
  ///
  /// - Throws: `SecurityError`: no such process, or not permitted.
  package func findings() throws(SecurityError) -> CheckedProcess {
    #if os(Linux)
      let folder = "/proc/\(process)"
      guard process > 0, let status = ProcText.read("\(folder)/status") else {
        throw SecurityError(.processMissing, ["pid": "\(process)"])
      }
      // A zombie and a thread of the kernel have no memory.
      guard let mappings = ProcessMapping.all(of: "\(folder)/maps"), !mappings.isEmpty,
        FileStatus("\(folder)/root") != nil
      else {
        throw SecurityError(.processRefused, ["pid": "\(process)"])
      }
      let memory = ProcessMemory(of: process)
      let images = ProcessImages(process: process, memory: memory, root: "\(folder)/root")
      let look = ProcessLook(check: self, mappings: mappings, images: images, memory: memory)
      var findings = debugger(status) + variables("\(folder)/environ", images)
      findings += look.imageFindings() + look.slotFindings()
      let code = look.codeFindings()
      findings += code.findings + fridaThreads()
      if asksPorts { findings += fridaPorts() }
      let name = ProcText.read("\(folder)/comm")?.split(separator: "\n").first.map(String.init)
      return CheckedProcess(
        process: process, name: name ?? "", findings: findings.sorted { $0.confidence > $1.confidence },
        comparedBytes: code.compared, unread: code.unread)
    #else
      throw SecurityError(.unsupported)
    #endif
  }

  private func debugger(_ status: String) -> [Finding] {
    var status = status
    var tracer = 0
    let found = status.withUTF8 { bytes in
      bytes.withMemoryRebound(to: CChar.self) { text in
        text.baseAddress.map { mp_status_number($0, text.count, "TracerPid", &tracer) } ?? false
      }
    }
    guard found, tracer > 0 else { return [] }
    let name = ProcText.read("/proc/\(tracer)/comm")?.split(separator: "\n").first.map(String.init)
    return [Finding(.debugger, .certain, subject: name, number: UInt(tracer))]
  }

  private func variables(_ path: String, _ images: ProcessImages) -> [Finding] {
    guard let text = ProcText.read(path) else { return [] }
    return text.split(separator: "\0").compactMap { entry in
      guard let equals = entry.firstIndex(of: "="),
        ["LD_PRELOAD", "LD_AUDIT"].contains(entry[..<equals])
      else { return nil }
      let value = entry[entry.index(after: equals)...]
      let names = value.split { $0 == ":" || $0 == " " }.map(String.init)
      guard !names.allSatisfy({ images.isAllowed($0, allowed) }) else { return nil }
      return Finding(.preloadVariable, .certain, subject: String(value), name: String(entry[..<equals]))
    }
  }
}

/// The findings about a process.
package struct CheckedProcess: Sendable {
  package let process: Int32
  package let name: String
  package let findings: [Finding]
  /// Bytes of code that were compared with their files.
  package let comparedBytes: UInt64
  /// Files whose code could not be compared: unreadable, removed, or with relocations in code.
  package let unread: [String]
}

/// Files of /proc, which have no size until they are read.
enum ProcText {
  static func read(_ path: String) -> String? {
    (try? Bytes.reading(path, limit: 1 << 22)).map { String(decoding: $0.array, as: UTF8.self) }
  }
}
