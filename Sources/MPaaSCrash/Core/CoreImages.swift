import CUnwind
import MPaaSCrashReport
package import MPaaSSupport
import MPaaSSymbols

/// Finds the images of a core: from its list of mapped files, checked against the files that are there today.
struct CoreImages {
  let core: CoreFile
  /// Stands in for the main executable's path.
  let executable: String?
  /// Opens a file by its path; nil where there is none.
  let open: (String) -> Bytes?

  private(set) var list: ImageList
  private(set) var notes: [String] = []
  private(set) var mainPath = ""
  private let memory: CoreMemory
  private let code: [CoreFile.Segment]

  init(
    _ core: CoreFile, memory: CoreMemory, executable: String?, open: @escaping (String) -> Bytes?
  ) throws(CoreError) {
    self.core = core
    self.memory = memory
    self.executable = executable
    self.open = open
    code = core.segments.filter(\.isExecutable)
    let pathBytes = core.notes.files.reduce(4096) { $0 + $1.path.utf8.count + 1 } + (executable?.utf8.count ?? 0)
    list = ImageList(capacity: core.notes.files.count + core.segments.count + 1, pathCapacity: pathBytes)
    mainPath = Self.mainPath(core)
    for group in Self.groups(core.notes.files) { try addFile(group) }
    addVDSO()
    addAnonymousCode()
    list.sort()
    list.markMain(path: executable ?? CrashReport.withoutDeleted(mainPath))
  }

  /// The mapped file that the program itself is: the one that holds the entry point (`AT_ENTRY`), else the first.
  private static func mainPath(_ core: CoreFile) -> String {
    (core.programFile ?? core.notes.files.first)?.path ?? ""
  }

  /// The mappings of each loaded file: those of one path, beginning with the one of the file's start.
  private static func groups(_ files: [CoreNotes.MappedFile]) -> [[CoreNotes.MappedFile]] {
    var groups: [[CoreNotes.MappedFile]] = []
    var newest: [String: Int] = [:]
    for file in files {
      // A second mapping of the file's start belongs to the first where it follows at once: a small file's code.
      if let group = newest[file.path], file.offset != 0 || groups[group].last?.end == file.start {
        groups[group].append(file)
      } else {
        newest[file.path] = groups.count
        groups.append([file])
      }
    }
    return groups
  }

  private mutating func addFile(_ mappings: [CoreNotes.MappedFile]) throws(CoreError) {
    guard let first = mappings.first, let last = mappings.last, first.offset == 0 else { return }
    let isMain = first.path == mainPath
    let path = isMain ? executable ?? CrashReport.withoutDeleted(first.path) : CrashReport.withoutDeleted(first.path)
    let dumped = code.filter { segment in
      mappings.contains { $0.start <= segment.address && segment.address < $0.end }
    }
    // Debuggers leave out code that the file has too; which file it was cannot be told from data that is mapped.
    let file = open(path)
    guard let range = Self.range(dumped) ?? file.flatMap({ Self.codeRange(of: $0, mapped: mappings) }) else { return }
    // The core's own first page first: it tells the build ID of what ran.
    var image = mp_image()
    let known = readHeader(&image, at: first.start)
    if let file {
      try check(file, path, isMain: isMain, against: known ? image.buildID : "")
      if !known { notes.append("\(path) is taken as it is today: the core has no build ID to compare it with.") }
      if isTrusted(file, image.buildID) {
        for mapping in mappings { memory.back(mapping, by: file) }
        image = mp_image()
      }
    } else if isMain || known {
      notes.append("\(path) is not there\(isMain ? "; name the executable with --exec" : "").")
    }
    if !readHeader(&image, at: first.start) { image.end = max(image.end, last.end) }
    image.text_start = range.lowerBound
    image.text_end = range.upperBound
    image.end = max(image.end, range.upperBound)
    _ = list.append(image, path: path)
  }

  /// From the first to the end of the last of the executable segments that a core has of an image.
  private static func range(_ segments: [CoreFile.Segment]) -> Range<UInt64>? {
    guard let first = segments.first, let last = segments.last, first.address < last.end else { return nil }
    return first.address..<last.end
  }

  /// The addresses of a file's code, where it was mapped as the file asks for; nil where it was only read as data.
  private static func codeRange(of file: Bytes, mapped mappings: [CoreNotes.MappedFile]) -> Range<UInt64>? {
    guard let base = mappings.first?.start, let image = try? ELFImage(file) else { return nil }
    let loaded = image.segments.filter { $0.type == ELFSegment.load }
    guard mappings.count > 1 || loaded.count == 1 else { return nil }
    let ranges = loaded.filter(\.isExecutable).compactMap { segment -> Range<UInt64>? in
      let start = base &+ (segment.address &- image.loadAddress)
      let (end, overflow) = start.addingReportingOverflow(segment.memorySize)
      let isMapped = mappings.contains {
        $0.start <= start && start < $0.end && $0.offset &+ (start - $0.start) == segment.offset
      }
      return isMapped && !overflow && start < end ? start..<end : nil
    }
    guard let start = ranges.map(\.lowerBound).min(), let end = ranges.map(\.upperBound).max() else { return nil }
    return start..<end
  }

  private func readHeader(_ image: inout mp_image, at base: UInt64) -> Bool {
    image.base = base
    var reader = memory.reader
    return mp_image_read_header(&image, &reader)
  }

  private func isTrusted(_ file: Bytes, _ buildID: String) -> Bool {
    guard !buildID.isEmpty, let found = ImageList.buildID(of: file) else { return true }
    return found == buildID
  }

  /// Compares the build ID of the file that is there today with that of the one that ran.
  private mutating func check(
    _ file: Bytes, _ path: String, isMain: Bool, against buildID: String
  ) throws(CoreError) {
    guard !buildID.isEmpty else { return }
    guard let found = ImageList.buildID(of: file) else {
      notes.append("\(path) has no build ID to compare with \(buildID), the one in the core.")
      return
    }
    guard found != buildID else { return }
    if isMain, executable != nil {
      throw CoreError(.otherExecutable(core: buildID, file: found, executable: path))
    }
    notes.append(
      "\(path) is not the file that ran: its build ID is \(found), the core's is \(buildID). It is left out of account."
    )
  }

  private mutating func addVDSO() {
    guard let base = core.notes.auxiliary[CoreNotes.vdso] else { return }
    var image = mp_image()
    guard readHeader(&image, at: base), let segment = core.segments.first(where: { $0.address == base }) else { return }
    image.is_vdso = true
    image.text_start = base
    image.text_end = segment.end
    image.end = max(image.end, segment.end)
    _ = list.append(image, path: "[vdso]")
  }

  /// Executable memory without a file: a just-in-time compiler's.
  private mutating func addAnonymousCode() {
    // The upper half of the addresses is the kernel's: its vsyscall page.
    for segment in code where segment.address < 1 << 63 && list.index(of: segment.address) == nil {
      guard !core.notes.files.contains(where: { $0.start <= segment.address && segment.address < $0.end }) else {
        continue
      }
      var image = mp_image()
      image.base = segment.address
      image.end = segment.end
      image.text_start = segment.address
      image.text_end = segment.end
      image.is_anonymous = true
      _ = list.append(image, path: "")
    }
  }
}

extension CoreFile {
  /// The memory that the core holds, and behind it the files that were mapped.
  ///
  /// - Parameter open: Opens a file; nil where there is none.
  /// - Throws: `CoreError` where a file is not the one that was mapped.
  package func memory(open: @escaping (String) -> Bytes?) throws(CoreError) -> any TargetMemory {
    let memory = CoreMemory(self)
    _ = try CoreImages(self, memory: memory, executable: nil, open: open)
    return memory
  }
}
