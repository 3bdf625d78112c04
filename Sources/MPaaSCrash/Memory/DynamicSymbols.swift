import CUnwind

/// A library's dynamic symbols, read from the memory that it is loaded into: no file is needed.
///
/// Source: gABI chapter 5 "Dynamic Section"; GNU hash table as glibc's `elf/dl-lookup.c` reads it.
struct DynamicSymbols {
  private let memory: any TargetMemory
  private let bias: UInt64
  private var symbols: UInt64 = 0
  private var strings: UInt64 = 0
  private var hash: UInt64 = 0

  /// Finds the tables of a 64-bit image; nil where it has none.
  init?(image: mp_image, memory: any TargetMemory) {
    self.memory = memory
    bias = image.bias
    guard let dynamic = Self.dynamicSection(of: image, memory) else { return nil }
    var entry = dynamic
    for _ in 0..<256 {
      guard let tag: UInt64 = memory.number(at: entry), let value: UInt64 = memory.number(at: entry &+ 8), tag != 0
      else { break }
      switch tag {
      case 5: strings = absolute(value)  // DT_STRTAB
      case 6: symbols = absolute(value)  // DT_SYMTAB
      case 0x6fff_fef5: hash = absolute(value)  // DT_GNU_HASH
      default: break
      }
      entry &+= 16
    }
    guard symbols != 0, strings != 0, hash != 0 else { return nil }
  }

  /// The dynamic linker has made the addresses absolute, but for the vDSO's and in files that are not relocated yet.
  private func absolute(_ value: UInt64) -> UInt64 { value >= bias ? value : value &+ bias }

  private static func dynamicSection(of image: mp_image, _ memory: any TargetMemory) -> UInt64? {
    guard memory.bytes(at: image.base, count: 5) == [0x7f, 0x45, 0x4c, 0x46, 2],
      let table: UInt64 = memory.number(at: image.base &+ 32),
      let size: UInt16 = memory.number(at: image.base &+ 54),
      let count: UInt16 = memory.number(at: image.base &+ 56)
    else { return nil }
    for index in 0..<UInt64(count) {
      let header = image.base &+ table &+ index &* UInt64(size)
      if memory.number(at: header, as: UInt32.self) == 2 {  // PT_DYNAMIC
        return memory.number(at: header &+ 16, as: UInt64.self).map { $0 &+ image.bias }
      }
    }
    return nil
  }

  /// The address of a symbol by its name, whatever its version.
  func address(of name: String) -> UInt64? {
    guard let buckets: UInt32 = memory.number(at: hash), buckets > 0,
      let first: UInt32 = memory.number(at: hash &+ 4), let blooms: UInt32 = memory.number(at: hash &+ 8)
    else { return nil }
    let wanted = name.utf8.reduce(5381) { ($0 as UInt32) &* 33 &+ UInt32($1) }
    let bucketTable = hash &+ 16 &+ UInt64(blooms) &* 8
    let chains = bucketTable &+ UInt64(buckets) &* 4
    guard var index: UInt32 = memory.number(at: bucketTable &+ UInt64(wanted % buckets) &* 4), index >= first else {
      return nil
    }
    for _ in 0..<4096 {
      guard let chain: UInt32 = memory.number(at: chains &+ UInt64(index - first) &* 4) else { return nil }
      if chain | 1 == wanted | 1, let found = symbol(index, named: name) { return found }
      guard chain & 1 == 0, index < .max else { return nil }
      index += 1
    }
    return nil
  }

  private func symbol(_ index: UInt32, named name: String) -> UInt64? {
    let entry = symbols &+ UInt64(index) &* 24
    guard let offset: UInt32 = memory.number(at: entry), let value: UInt64 = memory.number(at: entry &+ 8),
      memory.string(at: strings &+ UInt64(offset), limit: name.utf8.count + 1) == name
    else { return nil }
    return value &+ bias
  }
}

/// The last words of glibc before it called `abort`: a failed assertion, a smashed stack, a corrupted heap.
enum AbortMessage {
  /// The message and the library that keeps it; nil where nothing was said or the C library is another.
  static func read(from images: ImageList, memory: any TargetMemory) -> (image: String, text: String)? {
    for index in 0..<images.count {
      let name = images.path(index).split(separator: "/").last ?? ""
      guard name == "libc.so.6" || name.hasPrefix("libc-2.") else { continue }
      // glibc's assert/assert.c: `struct abort_msg_s { unsigned int size; char msg[0]; } *__abort_msg`.
      guard let symbols = DynamicSymbols(image: images[index], memory: memory),
        let variable = symbols.address(of: "__abort_msg"),
        let message: UInt64 = memory.number(at: variable), message != 0,
        let size: UInt32 = memory.number(at: message), size > 4,
        let text = memory.string(at: message &+ 4, limit: Int(min(size - 4, 4096)))?.trimmed, !text.isEmpty
      else { return nil }
      return (String(name), text)
    }
    return nil
  }
}
