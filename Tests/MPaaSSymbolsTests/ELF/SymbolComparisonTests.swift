import Foundation
import MPaaSSupport
import MPaaSTestSupport
import Testing

@testable import MPaaSSymbols

@Suite("The symbol table") struct SymbolComparisonTests {
  @Test(
    "names the same functions as nm", .tool("nm"),
    arguments: ["/usr/lib/x86_64-linux-gnu/libc.so.6", "/usr/bin/bash", "/usr/lib/x86_64-linux-gnu/libstdc++.so.6"])
  func nm(_ path: String) throws {
    guard FileManager.default.fileExists(atPath: path) else { return }
    let outcome = try Command.run("nm", ["-D", "--defined-only", "--print-size", path])
    var byAddress: [UInt64: Set<String>] = [:]
    var sizes: [UInt64: UInt64] = [:]
    for line in outcome.output.split(separator: "\n") {
      let parts = line.split(separator: " ")
      guard parts.count == 4, ["T", "t", "W", "w", "i"].contains(parts[2]), let address = UInt64(parts[0], radix: 16),
        let size = UInt64(parts[1], radix: 16), size > 0
      else { continue }
      byAddress[address, default: []].insert(String(parts[3].prefix { $0 != "@" }))
      sizes[address] = max(sizes[address] ?? 0, size)
    }
    try #require(byAddress.count > 100)
    let image = try ELFImage(Bytes.mapping(path))
    var random = SeededRandom(seed: 17)
    for (address, names) in byAddress {
      let offset = UInt64.random(in: 0..<(sizes[address] ?? 1), using: &random)
      let match = try #require(image.symbols.find(address + offset))
      guard match.address == address else {
        // A smaller symbol inside this one.
        #expect(match.isInside)
        #expect(match.address > address)
        continue
      }
      #expect(names.contains(image.symbols.name(match.index)))
      #expect(match.offset == offset)
      #expect(match.isInside)
    }
  }
}
