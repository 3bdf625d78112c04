import MPaaSSecurity
import MPaaSSupport
import MPaaSSymbols

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The state of one look at a process.
struct ProcessLook {
  let check: ProcessCheck
  let mappings: [ProcessMapping]
  let images: ProcessImages
  let memory: ProcessMemory

  /// The kernel's own pages.
  private static let kernel: Set<String> = ["[vdso]", "[vsyscall]", "[vectors]"]

  /// Code that belongs to no image of the app, and code that can be written.
  func imageFindings() -> [Finding] {
    var findings: [Finding] = []
    var seen: Set<String> = []
    for mapping in mappings where mapping.isExecutable && !Self.kernel.contains(mapping.path) {
      let address = UInt(mapping.start)
      guard let kind = foreignKind(mapping) else {
        if mapping.isWritable {
          findings.append(Finding(.writableCode, .probable, subject: mapping.path, address: address))
        }
        continue
      }
      // Parts of one file are one finding; memory without a file has a place each.
      if mapping.isFile, !seen.insert(mapping.path).inserted { continue }
      let isFrida = mapping.isFile && (mapping.path.contains("frida") || mapping.path.contains("/linjector-"))
      let confidence: Finding.Confidence = isFrida ? .certain : kind == .anonymousCode ? .possible : .probable
      findings.append(
        Finding(
          isFrida ? .frida : kind, confidence, subject: mapping.path.isEmpty ? nil : mapping.path, address: address,
          number: UInt(mapping.end - mapping.start)))
    }
    return findings
  }

  private func foreignKind(_ mapping: ProcessMapping) -> Finding.Kind? {
    guard mapping.isFile else { return .anonymousCode }
    let image = images.image(at: mapping.start)
    if image?.isLinked == true { return nil }
    if mapping.path.hasPrefix("/memfd:") { return .memoryFile }
    if images.isOwn(mapping.path, allowed: check.allowed) { return nil }
    return mapping.isDeleted ? .deletedImage : .foreignImage
  }

  /// A library that stands before all others takes over hundreds of functions.
  private static let mostSlots = 16

  /// Slots of the app's images that lead to code of no image of its own.
  func slotFindings() -> [Finding] {
    let foreign = mappings.filter {
      $0.isExecutable && !Self.kernel.contains($0.path) && foreignKind($0) != nil
    }
    guard !foreign.isEmpty else { return [] }
    var findings: [Finding] = []
    for image in images.images where image.isLinked {
      var count = 0
      for slot in image.file?.slots ?? [] where count < Self.mostSlots {
        guard let value = memory.word(at: image.bias &+ slot.address), value != 0,
          let owner = foreign.first(where: { value >= $0.start && value < $0.end })
        else { continue }
        count += 1
        findings.append(
          Finding(
            .replacedSlot, .certain, subject: owner.path.isEmpty ? nil : owner.path, name: slot.name,
            address: UInt(image.bias &+ slot.address), number: UInt(value)))
      }
    }
    return findings
  }

  /// Places where the code of the app's images differs from their files.
  func codeFindings() -> (findings: [Finding], compared: UInt64, unread: [String]) {
    var findings: [Finding] = []
    var compared: UInt64 = 0
    var unread: [String] = []
    for mapping in mappings where mapping.isExecutable && mapping.isFile && foreignKind(mapping) == nil {
      guard let image = images.image(at: mapping.start), let file = image.file, !mapping.isDeleted,
        file.dynamic?.hasTextRelocations != true
      else {
        if !unread.contains(mapping.path) { unread.append(mapping.path) }
        continue
      }
      let pages = differences(mapping, file.bytes)
      compared += pages.compared
      if pages.compared == 0 && !unread.contains(mapping.path) { unread.append(mapping.path) }
      for address in pages.addresses {
        let name = file.symbols.find(address &- image.bias).map { file.symbols.name($0.index) }
        findings.append(
          Finding(
            .patchedCode, .certain, subject: mapping.path, name: name, address: UInt(address),
            number: UInt(address - mapping.start + mapping.offset)))
      }
    }
    return (findings, compared, unread)
  }

  /// The first byte that differs of each page, of 16 pages at most.
  private func differences(_ mapping: ProcessMapping, _ file: Bytes) -> (addresses: [UInt64], compared: UInt64) {
    let size = 4096
    var addresses: [UInt64] = []
    var compared: UInt64 = 0
    withUnsafeTemporaryAllocation(byteCount: size, alignment: 8) { page in
      var address = mapping.start
      while address < mapping.end, addresses.count < 16 {
        defer { address += UInt64(size) }
        let offset = address - mapping.start + mapping.offset
        guard offset < file.count else { break }
        let count = min(size, file.count - Int(offset))
        guard let expected = file.slice(at: offset, size: UInt64(count)),
          memory.read(address, into: UnsafeMutableRawBufferPointer(rebasing: page[..<count])) == count
        else { continue }
        compared += UInt64(count)
        guard let memory = page.baseAddress, let content = expected.buffer.baseAddress,
          memcmp(memory, content, count) != 0,
          let first = (0..<count).first(where: { page[$0] != expected.buffer[$0] })
        else { continue }
        addresses.append(address + UInt64(first))
      }
    }
    return (addresses, compared)
  }
}
