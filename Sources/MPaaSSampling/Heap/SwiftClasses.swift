import MPaaSCrash
import MPaaSSupport
import MPaaSSymbols

/// The classes of a process' images, known by the descriptions that the compiler lists in each.
///
/// - Source: Swift's ABI, docs/ABI/TypeMetadata.rst and include/swift/ABI/Metadata.h: class metadata without Objective-C,
///   context descriptors, the section `swift5_type_metadata`.
final class SwiftClasses {
  struct Class {
    let name: String
    let image: String
    /// Bytes of an object, with its two words before the first property.
    let size: UInt64
  }

  private let memory: any TargetMemory
  /// The image by the address of each description of a class.
  private var descriptions: [UInt64: String] = [:]
  /// By addresses of metadata; nil where there is none.
  private var known: [UInt64: Class?] = [:]

  private static let section = "swift5_type_metadata"
  /// Contexts in one another, at most.
  private static let deepest = 32

  private enum Context: UInt32 {
    case module = 0
    case `extension`, anonymous, `protocol`, opaque
    case `class` = 16
    case structure, enumeration
  }

  /// - Parameter open: Opens an image's file; nil where there is none.
  init(_ map: MemoryMap, _ memory: any TargetMemory, open: (String) -> Bytes?) {
    self.memory = memory
    var bases: [String: UInt64] = [:]
    for range in map.ranges where range.path.hasPrefix("/") {
      bases[range.path] = min(bases[range.path] ?? .max, range.start)
    }
    for path in Set(map.ranges.filter(\.isExecutable).map(\.path)) {
      guard let base = bases[path], let bytes = open(path), let image = try? ELFImage(bytes), image.header.is64,
        !image.header.bigEndian
      else { continue }
      add(image, path, bias: base &- image.loadAddress)
    }
  }

  /// Takes in the descriptions of an image, where the file is what is mapped.
  private func add(_ image: ELFImage, _ path: String, bias: UInt64) {
    guard let section = image.section(named: Self.section), let listed = image.contents(named: Self.section),
      listed.count % 4 == 0, memory.bytes(at: section.address &+ bias, count: listed.count).elementsEqual(listed.buffer)
    else { return }
    let name = FileSystem.name(of: path)
    for offset in stride(from: 0, to: listed.count, by: 4) {
      let distance = listed.buffer.loadUnaligned(fromByteOffset: offset, as: Int32.self)
      var target = section.address &+ bias &+ UInt64(offset) &+ UInt64(bitPattern: Int64(distance & ~3))
      if distance & 3 == 1 {
        guard let pointed = memory.number(at: target, as: UInt64.self) else { continue }
        target = pointed
      }
      if kind(target) == .class { descriptions[target] = name }
    }
  }

  private func kind(_ description: UInt64) -> Context? {
    memory.number(at: description, as: UInt32.self).flatMap { Context(rawValue: $0 & 0x1f) }
  }

  /// The class of an object that begins with two words; nil where it is none that is known, or not alive.
  func `class`(of block: MallocHeap.Block) -> Class? {
    guard block.first > 4096, block.first % 8 == 0, block.first < 1 << 47, isAlive(block),
      let found = `class`(metadata: block.first), found.size <= block.size - 8
    else { return nil }
    return found
  }

  /// Tells whether the count of references is one of an object that is not ending.
  private func isAlive(_ block: MallocHeap.Block) -> Bool {
    let count = block.second
    if count >> 62 == 3 {
      // The count is elsewhere, in a table that knows its object.
      return memory.number(at: (count & ~(3 << 62)) << 3, as: UInt64.self) == block.address
    }
    let unowned = count >> 1 & 0x7fff_ffff
    let isEnding = count >> 32 & 1 != 0
    return count >> 63 == 0 && unowned > 0 && !isEnding
  }

  private func `class`(metadata address: UInt64) -> Class? {
    if let known = known[address] { return known }
    let found = read(address)
    known[address] = .some(found)
    return found
  }

  private func read(_ address: UInt64) -> Class? {
    let bytes = memory.bytes(at: address, count: 48)
    guard bytes.count == 48 else { return nil }
    let (kind, size, description) = bytes.withUnsafeBytes {
      (
        $0.loadUnaligned(as: UInt64.self), $0.loadUnaligned(fromByteOffset: 24, as: UInt32.self),
        $0.loadUnaligned(fromByteOffset: 40, as: UInt64.self)
      )
    }
    guard kind == 0, size >= 16, let image = descriptions[description], let name = self.name(description)
    else { return nil }
    return Class(name: name, image: image, size: UInt64(size))
  }

  /// The name with those of the types and the module around it: `Shop.Cart.Item`.
  private func name(_ description: UInt64) -> String? {
    var parts: [String] = []
    var next = description
    for _ in 0..<Self.deepest {
      guard let kind = self.kind(next), let parent = memory.number(at: next &+ 4, as: Int32.self) else { return nil }
      if [.module, .class, .structure, .enumeration].contains(kind) {
        guard let distance = memory.number(at: next &+ 8, as: Int32.self),
          let part = memory.string(at: next &+ 8 &+ UInt64(bitPattern: Int64(distance))), !part.isEmpty
        else { return nil }
        parts.append(part)
      }
      if kind == .module || parent == 0 { return parts.reversed().joined(separator: ".") }
      let place = next &+ 4 &+ UInt64(bitPattern: Int64(parent & ~1))
      guard parent & 1 != 0 else {
        next = place
        continue
      }
      guard let pointed = memory.number(at: place, as: UInt64.self) else { return nil }
      next = pointed
    }
    return nil
  }
}
