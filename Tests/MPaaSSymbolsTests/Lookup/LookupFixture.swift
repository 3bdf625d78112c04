import Foundation
import MPaaSSupport
import MPaaSTestSupport
import Testing

@testable import MPaaSSymbols

/// A row of an expected table: an address, its frames, and the tools that agree on them.
struct ExpectedRow: Decodable {
  struct Frame: Decodable, Equatable {
    let function: String
    let file: String
    let line: Int
    let column: Int

    var place: String { "\(file):\(line):\(column)" }
  }

  let addr: String
  let frames: [Frame]
  let agree: [String]

  var address: UInt64 { UInt64(addr.dropFirst(2), radix: 16) ?? 0 }

  static func read(_ fixture: String) throws -> [ExpectedRow] {
    try Fixture.data(fixture).split(separator: UInt8(ascii: "\n")).map {
      try JSONDecoder().decode(ExpectedRow.self, from: Data($0))
    }
  }
}

extension SourceFrame {
  /// The frame as the expected tables write it.
  var row: ExpectedRow.Frame {
    ExpectedRow.Frame(function: symbol ?? "", file: file ?? "", line: line ?? 0, column: column ?? 0)
  }
}

/// Look-ups in a file by its path; split units are taken from its folder.
func openLookup(
  _ path: String, debug: String? = nil, alternate: String? = nil, package: String? = nil
) throws -> AddressLookup {
  let folder = (path as NSString).deletingLastPathComponent
  let companions = DebugCompanions(
    split: { name, _ in
      let path = folder + "/" + (name as NSString).lastPathComponent
      return try? ELFImage(Bytes.mapping(path)).splitSections
    },
    package: { package.flatMap { try? ELFImage(Bytes.mapping($0)).splitSections } },
    alternate: { alternate.flatMap { try? ELFImage(Bytes.mapping($0)).dwarfSections } })
  let image = try ELFImage(Bytes.mapping(path))
  return image.lookup(debug: try debug.map { try ELFImage(Bytes.mapping($0)) }, companions: companions)
}
