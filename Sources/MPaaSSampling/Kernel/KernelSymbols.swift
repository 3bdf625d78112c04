import MPaaSCrash
import MPaaSSupport

/// The functions of the kernel that runs, by their addresses.
package struct KernelSymbols: Sendable {
  private let addresses: [UInt64]
  private let names: [String]

  /// Reads a list such as `/proc/kallsyms` (`proc_kallsyms(5)`): lines of an address, a letter and a name.
  ///
  /// - Parameter wanted: The addresses that will be asked for; only what they need is kept.
  package init(_ text: [UInt8], wanted: [UInt64]) {
    let wanted = wanted.sorted()
    var best = [(address: UInt64, name: Range<Int>)?](repeating: nil, count: wanted.count)
    var start = 0
    while start < text.count {
      let end = text[start...].firstIndex(of: UInt8(ascii: "\n")) ?? text.count
      if let (address, name) = Self.function(text, start..<end) {
        // The first address at or behind it, and those after it, may lie in this function.
        let place = Self.firstIndex(wanted, notBelow: address)
        if place < wanted.count, best[place].map({ $0.address < address }) ?? true { best[place] = (address, name) }
      }
      start = end + 1
    }
    var found: [(UInt64, String)] = []
    var last: (address: UInt64, name: Range<Int>)?
    for each in best {
      if let each, each.address > last?.address ?? 0 {
        last = each
        found.append((each.address, String(decoding: text[each.name], as: UTF8.self)))
      }
    }
    addresses = found.map(\.0)
    names = found.map(\.1)
  }

  /// The functions of this machine's kernel; none where it hides them.
  package static func live(wanted: [UInt64]) -> KernelSymbols {
    KernelSymbols(wanted.isEmpty ? [] : ProcFile.bytes("/proc/kallsyms") ?? [], wanted: wanted)
  }

  /// The function that an address is in; nil where it is not known.
  package func name(of address: UInt64) -> String? {
    let place = Self.firstIndex(addresses, notBelow: address &+ 1)
    // No function of a kernel is longer: behind it is code that the list does not name.
    guard place > 0, address - addresses[place - 1] < 1 << 16 else { return nil }
    return names[place - 1]
  }

  private static func function(_ text: [UInt8], _ line: Range<Int>) -> (UInt64, Range<Int>)? {
    var address: UInt64 = 0
    var at = line.lowerBound
    while at < line.upperBound, let digit = hexadecimalValue(text[at]) {
      address = address << 4 | UInt64(digit)
      at += 1
    }
    // An address, a blank, a letter, a blank.
    guard address != 0, at + 3 < line.upperBound else { return nil }
    guard [UInt8(ascii: "t"), UInt8(ascii: "T"), UInt8(ascii: "w"), UInt8(ascii: "W")].contains(text[at + 1]) else {
      return nil
    }
    let name = at + 3
    let end = text[name..<line.upperBound].firstIndex { $0 == UInt8(ascii: "\t") || $0 == UInt8(ascii: " ") }
    return (address, name..<(end ?? line.upperBound))
  }

  private static func hexadecimalValue(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    default: nil
    }
  }

  private static func firstIndex(_ list: [UInt64], notBelow value: UInt64) -> Int {
    var low = 0
    var high = list.count
    while low < high {
      let middle = (low + high) / 2
      if list[middle] < value { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
