import Foundation
import MPaaSSupport
import MPaaSTestSupport
import Testing

@testable import MPaaSSymbols

/// An image of a Mach-O fixture.
func machO(_ name: String, architecture: String? = nil) throws -> MachOImage {
  let images = try MachOImage.images(Bytes.mapping(Fixture.path("crash/" + name)))
  return try #require(images.first { architecture == nil || $0.architecture == architecture })
}

@Suite("Look-ups in Mach-O files") struct MachOLookupTests {
  private func lookup(_ name: String, debug: String? = nil) throws -> any FrameLookup {
    try machO(name).frameLookup(debug: debug.map { try machO($0) }, companions: .none)
  }

  @Test(
    "every row of the matrix that two tools agree on", .fixtures,
    arguments: ["cxx-arm64", "cxx-arm64-stripped", "swift-ios-O"])
  func matrix(_ name: String) throws {
    let plain = name.replacingOccurrences(of: "-stripped", with: "")
    let dsym = "macho/matrix/\(plain).dSYM/Contents/Resources/DWARF/\(plain)"
    let lookup = try lookup("macho/matrix/\(name)", debug: dsym)
    var judged = 0
    for row in try ExpectedRow.read("crash/macho/matrix/expected/macho-\(plain).jsonl") {
      let frames = lookup.frames(at: row.address).map(\.row)
      #expect(frames.map(\.function) == row.frames.map(\.function).filter { $0 != "" }, "\(name) at \(row.addr)")
      guard row.agree.count > 1 else { continue }
      judged += 1
      #expect(frames.map(\.place) == row.frames.map(\.place), "\(name) at \(row.addr)")
    }
    #expect(judged > 20)
  }

  struct ProbeRow {
    let uuid: BuildID
    let address: UInt64
    let function: String
    let file: String
    let line: String
  }

  @Test("CrashProbe's frames have the function, file and line that its table tells", .fixtures)
  func crashProbe() throws {
    let text = String(decoding: try Fixture.data("crash/crashprobe/EXPECTED.tsv"), as: UTF8.self)
    var lookups: [BuildID: (image: MachOImage, lookup: any FrameLookup)] = [:]
    let folder = try Fixture.path("crash/crashprobe/release-arm64/dSYMs")
    for bundle in try FileManager.default.contentsOfDirectory(atPath: folder) {
      let files = "\(folder)/\(bundle)/Contents/Resources/DWARF"
      for file in try FileManager.default.contentsOfDirectory(atPath: files) {
        let image = try #require(try MachOImage.images(Bytes.mapping("\(files)/\(file)")).first)
        lookups[try #require(image.buildID)] = (image, image.frameLookup(debug: nil, companions: .none))
      }
    }
    let demangler = Demangler()
    var judged = 0
    var last = ""
    var frames: [SourceFrame] = []
    for row in text.split(separator: "\n").dropFirst() {
      let fields = row.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      let found = try #require(BuildID(hex: fields[3]).flatMap { lookups[$0] })
      let offset = try #require(AddressText.parse(String(fields[4])))
      // Rows of one frame follow each other, the innermost inlined call first.
      let key = fields[0] + fields[1] + fields[4]
      if key != last { frames = found.lookup.frames(at: found.image.loadAddress + offset) }
      last = key
      let frame = frames.isEmpty ? SourceFrame() : frames.removeFirst()
      judged += 1
      let name = frame.symbol.map { demangler.demangle($0) } ?? ""
      #expect(name == fields[5] || frame.symbol == fields[5], "\(row)")
      #expect(frame.file.map { FileSystem.name(of: $0) } ?? "" == fields[6], "\(row)")
      #expect(frame.line.map(String.init) ?? "0" == (fields[7].isEmpty ? "0" : fields[7]), "\(row)")
    }
    #expect(judged > 60)
  }
}
